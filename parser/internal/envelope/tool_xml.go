package envelope

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// toolXML understands the call of an editing tool that is written in tags, in one of three forms:
//
//	<invoke name="Edit">          <function=Edit>            <write_to_file>
//	<parameter name="path">       <parameter=path>           <path>
//
// Anthropic's models write the first one, Qwen's and those of OpenHands the second one, Cline's and
// Roo's prompts ask for the third. The tags are taken literally, since models do not write XML. The
// arguments are then read as the same call in JSON.
//
// A closing tag ends an argument where the next argument or the end of the call follows; else it is
// content. A call without its end gives nothing.
type toolXML struct {
	markers Markers
	tags    callTags
	tool    string
	kind    toolKind
	first   numbered
	last    numbered

	arg   string // the open argument, "" for none
	begun int    // the number of the line on which it begins
	value []byte
	end   int // the offset in value of a tag that perhaps closed it; -1 for none
	args  []argument

	done  bool
	stuck bool // it was reported what is wrong
	back  int

	blocks []Block
	diags  []Fault
}

// argument is one of a call, as it is between its tags.
type argument struct {
	name  string
	value []byte
	line  int // the number of the line on which it begins
}

// callTags is how a call is written.
type callTags struct {
	open    string // before the name of an argument
	after   string // it
	closing string // what closes an argument; "" for its own name
	end     string // what closes the call
}

// startToolXML recognises the opening tag of a call at the beginning of a line: the line holds
// nothing else, or more tags.
func startToolXML(raw []byte, number int, m Markers) Envelope {
	e := &toolXML{markers: m}
	if _, ok := e.start(raw, number); ok {
		return &toolXML{markers: m}
	}
	if e := startAttrCall(raw, number); e != nil {
		return e
	}
	return strayEnd(raw)
}

// start begins a call of a known tool with which a text begins. It returns what follows its opening
// tag on the line.
func (e *toolXML) start(part []byte, number int) (rest []byte, ok bool) {
	t := bytes.TrimLeft(part, " \t")
	for _, tag := range [...]string{"<tool_call>", "<tool_calls>", "<function_calls>"} {
		t = bytes.TrimLeft(bytes.TrimPrefix(t, []byte(tag)), " \t")
	}
	tags, name, rest, ok := openCall(t)
	if !ok || !text.Blank(rest) && bytes.TrimLeft(rest, " \t")[0] != '<' {
		return nil, false
	}
	kind, known := kindOf(name)
	if known {
		*e = toolXML{markers: e.markers, blocks: e.blocks, diags: e.diags, tags: tags, tool: name, kind: kind, end: -1,
			first: beginning(part, number)}
	}
	return rest, known
}

// argumentTag reads the opening tag of an argument.
func (e *toolXML) argumentTag(t []byte) (name string, rest []byte, ok bool) {
	inner, ok := bytes.CutPrefix(t, []byte(e.tags.open))
	end := bytes.IndexByte(inner[:min(len(inner), maxTag)], '>')
	if !ok || end < 0 {
		return "", nil, false
	}
	name, rest = string(inner[:end]), inner[end+1:]
	switch {
	case e.tags.closing == "":
		return name, rest, isElement(name)
	case strings.HasSuffix(e.tags.open, " "):
		name = attribute(name, "name")
	default:
		name = strings.Trim(name, `"' `)
	}
	return name, rest, name != ""
}

// wrapper reads a tag that Roo's prompts put around the arguments, and that says nothing.
func (e *toolXML) wrapper(t []byte) (rest []byte, ok bool) {
	if e.tags.closing != "" {
		return nil, false
	}
	for _, tag := range [...]string{"<args>", "</args>", "<file>", "</file>"} {
		if rest, ok := bytes.CutPrefix(t, []byte(tag)); ok {
			return rest, true
		}
	}
	return nil, false
}

// continues reports whether a text begins as the call goes on after an argument.
func (e *toolXML) continues(t []byte) bool {
	if bytes.HasPrefix(t, []byte(e.tags.end)) {
		return true
	}
	if _, _, ok := e.argumentTag(t); ok {
		return true
	}
	_, ok := e.wrapper(t)
	return ok
}

func (e *toolXML) Line(raw []byte, number int) bool {
	rest := raw
	if e.first.number == 0 {
		rest, _ = e.start(raw, number)
	}
	if e.kind&runs != 0 && e.arg != "" && number > e.first.number && e.endsCommand(raw, number) {
		e.back = 1
		return true
	}
	e.last = numbered{append(e.last.text[:0], raw...), number}
	if e.arg != "" && number > e.begun && e.resumes(raw, number) {
		return true
	}
	for !e.done && len(rest) > 0 {
		if e.arg != "" {
			rest = e.collect(rest)
			continue
		}
		t := bytes.TrimLeft(rest, " \t\r\n")
		if len(t) == 0 {
			break
		}
		if name, after, ok := e.argumentTag(t); ok {
			e.arg, e.begun, e.value, e.end, rest = name, number, []byte{}, -1, after
		} else if after, ok := e.wrapper(t); ok {
			rest = after
		} else if after, ok := bytes.CutPrefix(t, []byte(e.tags.end)); ok {
			e.done = true
			rest = e.next(after, number)
		} else {
			return e.unexpected(number)
		}
	}
	return e.done
}

// endsCommand reports whether something begins that could be an edit by itself, or a paragraph
// outside of a here-document. A command has nothing that would have to be read before it, and its
// end may have got lost.
func (e *toolXML) endsCommand(raw []byte, number int) bool {
	t := bytes.TrimLeft(raw, " \t")
	if bytes.HasPrefix(t, []byte(e.tags.end)) || e.end >= 0 && e.continues(t) {
		return false
	}
	if text.Blank(raw) && !bytes.Contains(e.value, []byte("<<")) {
		return e.end < 0
	}
	return mdline.OpensBlock(raw) || mdline.IsFence(bytes.TrimSpace(raw)) || startBare(raw, number, "", e.markers) != nil
}

// next begins the next call on a line that ends one. It returns what follows its opening tag; nil
// if there is none.
func (e *toolXML) next(tail []byte, number int) (rest []byte) {
	for i := bytes.IndexByte(tail, '<'); i >= 0; i = bytes.IndexByte(tail, '<') {
		tail = tail[i:]
		if tags, _, _, call := openCall(tail); call && tags.open == e.tags.open {
			e.close()
			if rest, ok := e.start(tail, number); ok {
				e.last = beginning(tail, number)
				return rest
			}
		}
		tail = tail[1:]
	}
	return nil
}

// beginning is the part of a line with a call that is quoted. Many calls may be on one line.
func beginning(part []byte, number int) numbered {
	return numbered{bytes.Clone(part[:min(len(part), maxTag)]), number}
}

// resumes looks at a line below one with a tag that perhaps closed the open argument. Where another
// call or a block begins there instead of what continues this one, this one has no end.
func (e *toolXML) resumes(raw []byte, number int) (over bool) {
	t := bytes.TrimLeft(raw, " \t\r\n")
	if len(t) == 0 {
		return false
	}
	_, _, _, call := openCall(t)
	switch {
	case e.end >= 0 && e.continues(t):
		e.value = e.value[:e.end]
		e.take()
	case e.end < 0 && e.inSection(nil):
	case call && (e.end >= 0 || bytes.HasPrefix(e.first.text, raw[:len(raw)-len(t)]) && e.sameForm(t)), e.end >= 0 && mdline.OpensBlock(raw):
		e.diagnose(diagnosis.Truncated, e.first, fmt.Sprintf("%s before line %d", e.tags.end, number), "close each tag, and the call")
		e.back = 1
		return true
	default:
		e.end = -1
	}
	return false
}

// sameForm reports whether a call begins that is written as this one is.
func (e *toolXML) sameForm(t []byte) bool {
	tags, _, _, _ := openCall(t)
	return tags.open == e.tags.open && tags.end == e.tags.end
}

// collect takes text of the open argument, up to the tag that ends it. It returns what follows the
// tag on the line.
func (e *toolXML) collect(part []byte) (rest []byte) {
	closer := []byte(e.tags.closing)
	if len(closer) == 0 {
		closer = []byte("</" + e.arg + ">")
	}
	for at := 0; ; at += len(closer) {
		i := bytes.Index(part[at:], closer)
		if i < 0 {
			e.value = append(e.value, part...)
			return nil
		}
		at += i
		tail := bytes.TrimLeft(part[at+len(closer):], " \t\r\n")
		switch {
		case e.inSection(part[:at]):
		case len(tail) == 0:
			e.end = len(e.value) + at
			e.value = append(e.value, part...)
			return nil
		case e.continues(tail):
			e.value = append(e.value, part[:at]...)
			e.take()
			return tail
		}
	}
}

// inSection reports whether the open argument is a CDATA section that has not ended, up to a part
// of the line at hand.
func (e *toolXML) inSection(part []byte) bool {
	whole, end := e.value, part
	if len(whole) == 0 {
		whole = part
	}
	if text.Blank(end) {
		end = e.value
	}
	return bytes.HasPrefix(bytes.TrimLeft(whole, " \t\r\n"), cdataOpen) && !bytes.HasSuffix(bytes.TrimRight(end, " \t\r\n"), cdataClose)
}

// take ends the open argument.
func (e *toolXML) take() {
	for _, a := range e.args {
		if a.name == e.arg && !e.stuck {
			e.diagnose(diagnosis.Malformed, e.last, "each argument once", "give each change a call of its own")
		}
	}
	e.args = append(e.args, argument{e.arg, unwrapped(e.value), e.begun})
	e.arg, e.value, e.end = "", nil, -1
}

// unexpected ends the call before a line that does not belong to it.
func (e *toolXML) unexpected(number int) bool {
	e.diagnose(diagnosis.Malformed, e.last, "an argument of "+e.tool+", or "+e.tags.end, "write each argument between its tags, and nothing between them")
	if number > e.first.number {
		e.back = 1
	}
	return true
}

func (e *toolXML) diagnose(code string, at numbered, expected, remedy string) {
	e.stuck = true
	e.diags = append(e.diags, Fault{Code: code, Line: at.number, Found: mdline.Excerpt(at.text), Expected: expected, Remedy: remedy})
}

func (e *toolXML) Unread() int { return e.back }

func (e *toolXML) Finish() ([]Block, []Fault) {
	e.close()
	return e.blocks, e.diags
}

// close makes edits of the call at hand.
func (e *toolXML) close() {
	switch {
	case e.done || e.stuck:
	case e.kind&runs != 0 && !bytes.Contains(e.value, []byte("*** Begin Patch")):
		e.take()
	default:
		e.diagnose(diagnosis.Truncated, e.first, e.tags.end, "close each tag; an edit that the reply does not finish is not applied")
	}
	if e.stuck || e.contradicts() {
		return
	}
	s := e.shape()
	r := jsonReader{markers: e.markers, line: func(int) int { return e.first.number }}
	r.value(e.asJSON(s), scope{})
	if slices.ContainsFunc(r.blocks, func(b Block) bool { return b.Path == "" }) { // that of another edit is none of its own
		e.diagnose(diagnosis.MissingName, e.first, "the path of the file among the arguments", "send the call again, with the path")
		return
	}
	for _, b := range r.blocks {
		b.Dialect, b.Lines = ToolXML, [2]int{e.first.number, e.last.number}
		b.Substring = b.Substring && !s.lines
		e.blocks = append(e.blocks, b)
	}
	for _, f := range r.faults {
		if f.Doubt != nil {
			f.Doubt.Last = e.last.number
		} else {
			f.Found = mdline.Excerpt(e.first.text)
		}
		e.diags = append(e.diags, f)
	}
	if len(r.blocks)+len(r.faults) == 0 && !r.looks && e.kind&runs == 0 {
		e.diagnose(diagnosis.Unsupported, e.first, "the arguments of a tool that is understood", "send the edit as a SEARCH/REPLACE block")
	}
}

// contradicts reports arguments that do not go together, which is a sign of a tag that got lost.
func (e *toolXML) contradicts() bool {
	var seen jsontext.Role
	content := false
	for i := range e.args {
		a := &e.args[i]
		seen |= jsontext.Roles(a.name)
		content = content || a.name == "content"
		if l, ok := e.lostTag(a); ok {
			e.diagnose(diagnosis.Malformed, l, "the end of the argument "+a.name+" before it", "close each tag")
			return true
		}
	}
	switch {
	case content && seen&jsontext.Old != 0:
		e.diagnose(diagnosis.Malformed, e.first, "an old and a new text, or the content of a file", "send only the arguments of the tool")
	case e.shape().mixed:
		e.diagnose(diagnosis.Malformed, e.first, "both texts with their tags on lines of their own, or neither", "write each text directly between its tags")
	default:
		return false
	}
	return true
}

// lostTag finds a line in an argument other than a file's content that opens another one: its own
// closing tag got lost.
func (e *toolXML) lostTag(a *argument) (numbered, bool) {
	if a.name == "content" || jsontext.Roles(a.name) == jsontext.FileText {
		return numbered{}, false
	}
	const others = jsontext.Path | jsontext.Old | jsontext.New | jsontext.FileText | jsontext.Command
	number := a.line
	for l := range bytes.Lines(a.value) {
		name, _, ok := e.argumentTag(bytes.TrimLeft(l, " \t"))
		if ok && (jsontext.Roles(name)&others != 0 || name == "content") {
			return numbered{l, number}, true
		}
		number++
	}
	return numbered{}, false
}

// asJSON is the call as a value of JSON.
func (e *toolXML) asJSON(s shape) jsontext.Value {
	args := make([]jsontext.Member, len(e.args))
	for i := range e.args {
		value := jsontext.String(s.trim(&e.args[i]))
		args[i] = jsontext.Member{Key: e.args[i].name, Value: value}
	}
	return jsontext.Object(
		jsontext.Member{Key: "name", Value: jsontext.String([]byte(e.tool))},
		jsontext.Member{Key: "input", Value: jsontext.Object(args...)})
}

// IsToolCall reports whether an envelope is the call of a tool in tags, or the end of one. Such a
// call in code is a sample.
func IsToolCall(e Envelope) bool {
	e = unquoted(e)
	if s, ok := e.(*stray); ok {
		_, known := kindOf(s.format)
		return known
	}
	switch e.(type) {
	case *toolXML, *attrCall:
		return true
	}
	return false
}
