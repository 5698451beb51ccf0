package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// attrCall understands an element whose attributes ask for a file to be deleted or moved:
//
//	<dyad-delete path="a.py"></dyad-delete>      <DeleteFile path="a.py"/>      <file path="a.py" action="delete"/>
//	<dyad-rename from="a.py" to="b.py"></dyad-rename>
//	<file path="a.py" action="rename">
//	<new path="b.py"/>
//	</file>
//
// Its attributes are read as the arguments of a call in JSON.
type attrCall struct {
	first  numbered
	last   int
	end    string // what closes the element
	tool   string
	args   [][2]string
	orders bool // see attributes
	done   bool
	back   int
}

// maxAttrCall is how many lines such an element may have.
const maxAttrCall = 8

// startAttrCall recognises the opening tag of such an element; nil for any other line.
func startAttrCall(raw []byte) Envelope {
	named := func(arg [2]string) bool { return filename.Likely(arg[1]) }
	if a, ok := attributesOf(raw); !ok || !a.asks || !slices.ContainsFunc(a.args, named) {
		return nil
	}
	return &attrCall{}
}

// attributes are those of a tag that opens an element.
type attributes struct {
	name   string
	tool   string // that they call: the name, or what a file's attribute says
	asks   bool   // the name or an attribute has a word for deleting or moving
	orders bool   // an attribute has it that says what to do
	args   [][2]string
	rest   []byte // what comes after the tag
	closed bool   // the element has no text
}

// attributesOf reads a tag with attributes at the beginning of a line.
func attributesOf(raw []byte) (a attributes, ok bool) {
	line := bytes.TrimSpace(raw)
	end := bytes.IndexByte(line[:min(len(line), maxTag)], '>')
	if end < 3 || line[0] != '<' || !mdline.IsLetter(line[1]) || bytes.IndexByte(line[:end], '=') < 0 {
		return a, false
	}
	a.rest, a.closed = line[end+1:], line[end-1] == '/'
	name, attrs, _ := bytes.Cut(bytes.TrimSuffix(line[1:end], []byte("/")), []byte(" "))
	a.name = string(name)
	a.tool, a.asks = a.name, movesOrDeletes(a.name)
	for _, m := range tagAttribute().FindAllSubmatch(attrs, -1) {
		key, value := string(m[1]), string(bytes.Trim(m[2], `"'`))
		if (key == "action" || key == "operation" || key == "type") && movesOrDeletes(value) {
			a.asks, a.orders = true, a.orders || key != "type"
			if a.name == "file" {
				a.tool = strings.TrimSuffix(value, "_file") + "_file"
			}
			continue
		}
		a.args = append(a.args, [2]string{key, value})
	}
	return a, true
}

// movesOrDeletes reports whether a name has a word for doing so.
func movesOrDeletes(name string) bool {
	for word := range words(name) {
		switch word {
		case "delete", "remove", "move", "rename":
			return true
		}
	}
	return false
}

func (e *attrCall) Line(raw []byte, number int) bool {
	a, ok := attributesOf(raw)
	line := bytes.TrimSpace(raw)
	if e.first.number == 0 {
		e.first, e.last, e.end, e.tool, e.args = beginning(raw, number), number, "</"+a.name+">", a.tool, a.args
		e.orders = a.orders
		inner, closed := bytes.CutSuffix(a.rest, []byte(e.end))
		e.done = a.closed || closed
		e.addText(inner)
		return e.done
	}
	switch {
	case string(line) == e.end:
		e.done, e.last = true, number
	case ok && a.name == "new" && len(a.args) == 1 && a.args[0][0] == "path": // <new path="b.py"/>
		e.args = append(e.args, [2]string{"new_path", a.args[0][1]})
	case number-e.first.number > maxAttrCall, len(line) > 0 && line[0] != '<', mdline.OpensBlock(raw):
		e.back = 1
		return true
	default:
		e.addText(line)
	}
	return e.done
}

// addText keeps text in the element as an argument, because it may say that only a part of the file is meant.
func (e *attrCall) addText(t []byte) {
	if !text.Blank(t) {
		e.args = append(e.args, [2]string{"text", string(t)})
	}
}

func (e *attrCall) Unread() int { return e.back }

func (e *attrCall) Finish() ([]Block, []Fault) {
	const remedyPatch = "write the change as a patch"
	if !e.done {
		return nil, []Fault{{Code: diagnosis.Malformed, Line: e.first.number, Found: mdline.Excerpt(e.first.text),
			Expected: e.end, Remedy: "close the element, or " + remedyPatch}}
	}
	var args []jsontext.Member
	for _, a := range e.args {
		args = append(args, jsontext.Member{Key: a[0], Value: jsontext.String([]byte(a[1]))})
	}
	r := jsonReader{line: func(int) int { return e.first.number }}
	r.value(callOf(e.tool, args), scope{})
	switch {
	case len(r.blocks)+len(r.faults) > 0:
	case e.orders:
		r.faults = append(r.faults, Fault{Code: diagnosis.Unsupported, Line: e.first.number,
			Expected: "a call of a known tool that deletes or moves files", Remedy: remedyPatch})
	default: // its name alone may be that of an element of a page
		r.doubt(jsontext.Value{}, "", "text that looks like a tool call")
	}
	for i := range r.blocks {
		r.blocks[i].Dialect, r.blocks[i].Lines = ToolXML, [2]int{e.first.number, e.last}
	}
	for i := range r.faults {
		if r.faults[i].Found = mdline.Excerpt(e.first.text); r.faults[i].Doubt != nil {
			r.faults[i].Doubt.Last = e.last
		}
	}
	return r.blocks, r.faults
}
