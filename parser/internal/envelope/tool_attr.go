package envelope

import (
	"bytes"
	"slices"

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
	first numbered
	last  int
	end   string // what closes the element
	tool  string
	args  [][2]string
	done  bool
	back  int
}

// maxAttrCall is how many lines such an element may have.
const maxAttrCall = 8

// startAttrCall recognises the opening tag of such an element; nil for any other line.
func startAttrCall(raw []byte) Envelope {
	if a, ok := attributesOf(raw); !ok || a.kind&(deletes|moves) == 0 || !slices.ContainsFunc(a.args, func(arg [2]string) bool { return filename.Likely(arg[1]) }) {
		return nil
	}
	return &attrCall{}
}

// AsksForFile reports whether a line begins a call that deletes or moves a file.
func AsksForFile(raw []byte) bool {
	_, name, _, _ := openCall(bytes.TrimLeft(raw, " \t"))
	kind, _ := kindOf(name)
	return kind&(deletes|moves) != 0 || startAttrCall(raw) != nil
}

// attributes are those of a tag that opens an element.
type attributes struct {
	name   string
	kind   toolKind // what they ask for
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
	a.kind = askedFor(a.name)
	for _, m := range tagAttribute().FindAllSubmatch(attrs, -1) {
		value := string(bytes.Trim(m[2], `"'`))
		if key := string(m[1]); key == "action" || key == "operation" || key == "type" {
			a.kind |= askedFor(value)
		} else {
			a.args = append(a.args, [2]string{key, value})
		}
	}
	return a, true
}

// askedFor is what the words of a name ask for.
func askedFor(name string) (kind toolKind) {
	for word := range words(name) {
		switch word {
		case "delete", "remove":
			kind |= deletes
		case "move", "rename":
			kind |= moves
		}
	}
	return kind
}

func (e *attrCall) Line(raw []byte, number int) bool {
	if e.first.number == 0 {
		a, _ := attributesOf(raw)
		e.first, e.last, e.end, e.args = beginning(raw, number), number, "</"+a.name+">", a.args
		if e.tool = "delete_file"; a.kind&moves != 0 {
			e.tool = "move_file"
		}
		e.done = a.closed || bytes.HasSuffix(bytes.TrimSpace(raw), []byte(e.end))
		return e.done
	}
	line := bytes.TrimSpace(raw)
	a, ok := attributesOf(raw)
	switch {
	case string(line) == e.end:
		e.done, e.last = true, number
	case ok && len(a.args) > 0:
		e.args = append(e.args, [2]string{"new_path", a.args[0][1]}) // <new path="b.py"/>
	case number-e.first.number > maxAttrCall, len(line) > 0 && line[0] != '<', mdline.OpensBlock(raw):
		e.back = 1
		return true
	}
	return e.done
}

func (e *attrCall) Unread() int { return e.back }

func (e *attrCall) Finish() ([]Block, []Fault) {
	const remedy = "close the element, or write the change as a patch"
	if !e.done {
		return nil, []Fault{{Code: "malformed-envelope", Line: e.first.number, Found: mdline.Excerpt(e.first.text), Expected: e.end, Remedy: remedy}}
	}
	call := writeCall(e.tool, e.args)
	r := jsonReader{text: call, line: func(int) int { return e.first.number }}
	r.value(jsontext.ValueAt(r.text, 0), jsonContext{})
	for i := range r.blocks {
		r.blocks[i].Dialect, r.blocks[i].Lines = ToolXML, [2]int{e.first.number, e.last}
	}
	for i := range r.diags {
		if r.diags[i].Found = mdline.Excerpt(e.first.text); r.diags[i].Doubt != nil {
			r.diags[i].Doubt.Last = e.last
		}
	}
	return r.blocks, r.diags
}
