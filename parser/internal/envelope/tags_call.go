package envelope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// toolCall reads the call of an editing tool that is written in tags, in one of three forms:
//
//	<invoke name="Edit">          <function=Edit>            <write_to_file>
//	<parameter name="path">       <parameter=path>           <path>
//
// Anthropic's models write the first one, Qwen's and those of OpenHands the second one, Cline's and
// Roo's prompts ask for the third. The arguments are then read as the same call in JSON.
//
// A closing tag ends an argument where the next argument or the end of the call follows; otherwise
// it is content. A call without its end gives nothing.
type toolCall struct {
	callTags
	tool  string
	kind  toolKind
	start int // the offset of its opening tag, with the blanks before it
	args  []argument
}

// argument is one of a call, as it is between its tags.
type argument struct {
	name  string
	value []byte
	start int // the offset at which it begins
}

// callTags is how a call is written.
type callTags struct {
	argument    string // what is before the name of an argument
	argumentEnd string // what closes an argument; "" for its own name
	end         string // what closes the call
}

// elements reports whether the arguments are elements of their names.
func (c *callTags) elements() bool { return c.argumentEnd == "" }

// quoted reports whether the name of an argument is in quotes.
func (c *callTags) quoted() bool { return strings.HasSuffix(c.argument, " ") }

// openCall reads the opening tag of a call of any tool.
func openCall(t []byte) (tags callTags, tool string, rest []byte, ok bool) {
	if len(t) < 2 || t[0] != '<' || !mdline.IsLetter(t[1]) {
		return tags, "", nil, false
	}
	end := bytes.IndexByte(t[:min(len(t), maxTag)], '>')
	if end < 0 {
		return tags, "", nil, false
	}
	inside, rest := string(t[1:end]), t[end+1:]
	space := ""
	if i := strings.IndexByte(inside, ':'); i > 0 && strings.HasPrefix(inside[i+1:], "invoke ") {
		space, inside = inside[:i+1], inside[i+1:]
	}
	if attrs, ok := strings.CutPrefix(inside, "invoke "); ok {
		tool = attribute(attrs, "name")
		tags = callTags{"<" + space + "parameter ", "</" + space + "parameter>", "</" + space + "invoke>"}
		return tags, tool, rest, tool != ""
	}
	if name, ok := strings.CutPrefix(inside, "function="); ok {
		tags = callTags{"<parameter=", "</parameter>", "</function>"}
		return tags, strings.Trim(name, `"' `), rest, true
	}
	kind, known := kindOf(inside)
	return callTags{"<", "", "</" + inside + ">"}, inside, rest, known && kind&element != 0
}

// argumentTag reads the opening tag of an argument, or a tag that Roo's prompts put around the
// arguments and that says nothing: its name is "".
func (c *callTags) argumentTag(t []byte) (name string, rest []byte, ok bool) {
	inner, ok := bytes.CutPrefix(t, []byte(c.argument))
	end := bytes.IndexByte(inner[:min(len(inner), maxTag)], '>')
	if !ok || end < 0 {
		return "", nil, false
	}
	name, rest = string(inner[:end]), inner[end+1:]
	switch {
	case c.elements() && has(" args /args file /file ", name):
		return "", rest, true
	case c.elements():
		return name, rest, arguments()[name]
	case c.quoted():
		name = attribute(name, "name")
	default:
		name = strings.Trim(name, `"' `)
	}
	return name, rest, name != ""
}

// continues reports whether a text begins as the call goes on after an argument.
func (c *callTags) continues(t []byte) bool {
	_, _, tag := c.argumentTag(t)
	return tag || bytes.HasPrefix(t, []byte(c.end))
}

// calls reads the calls of tools on a line, and on the lines below it up to the end of the last
// one.
type calls struct{ tagged }

// readToolCall reads the call with which a text begins: its first line has nothing but the opening
// tag, or more tags behind it.
func readToolCall(text []byte, number int, m Markers) Envelope {
	name := closedBy(bytes.TrimSpace(lineOf(text)))
	if kind, known := kindOf(name); known && kind&element != 0 && name != "edit_file" {
		e := strayEnd(lineOf(text), number, name, "<"+name+">")
		e.tool = true
		return e
	}
	r := &calls{tagged{text: text, first: number, markers: m}}
	c, at, ok := r.begin(0)
	if !ok {
		return nil
	}
	for ok {
		if at, ok = r.read(c, at); ok {
			c, at, ok = r.next(c, at)
		}
	}
	e := r.taken(at)
	e.tool = true
	return e
}

// begin reads the opening tag of a call that changes files. It returns the offset behind the tag.
func (r *calls) begin(at int) (c *toolCall, next int, ok bool) {
	t := bytes.TrimLeft(r.text[at:], " \t")
	for _, tag := range [...]string{"<tool_call>", "<tool_calls>", "<function_calls>"} {
		t = bytes.TrimLeft(bytes.TrimPrefix(t, []byte(tag)), " \t")
	}
	tags, tool, rest, ok := openCall(t)
	next = len(r.text) - len(rest)
	kind, known := kindOf(tool)
	if !ok || !known || kind&runs != 0 {
		return nil, 0, false
	}
	if _, blank := r.endsLine(next); !blank && bytes.TrimLeft(rest, " \t")[0] != '<' {
		return nil, 0, false
	}
	return &toolCall{callTags: tags, tool: tool, kind: kind, start: at}, next, true
}

// next finds another call in the same form behind one on its line. Without one, it returns the
// offset at which that one ends.
func (r *calls) next(last *toolCall, end int) (c *toolCall, next int, ok bool) {
	for at := end; at < len(r.text) && r.text[at] != '\n'; at++ {
		if r.text[at] != '<' {
			continue
		}
		if c, next, ok := r.begin(at); ok && c.argument == last.argument {
			return c, next, true
		}
	}
	return nil, end, false
}

// read reads a call from behind its opening tag on, and makes edits of it. It returns the offset up
// to which the text belongs to the call, and whether the call has its end there.
func (r *calls) read(c *toolCall, at int) (end int, whole bool) {
	for at = r.skip(at); at < len(r.text); at = r.skip(at) {
		rest := r.text[at:]
		name, value, ok := c.argumentTag(rest)
		if !ok && bytes.HasPrefix(rest, []byte(c.end)) {
			at += len(c.end)
			r.edits(c, at)
			return at, true
		} else if !ok {
			return r.unexpected(c, at), false
		}
		if at = len(r.text) - len(value); name == "" {
			continue
		}
		if at, ok = r.argument(c, name, at); !ok {
			break
		}
	}
	r.diagnose(diagnosis.Truncated, c.start, r.head(c.start), c.end,
		"close each tag; an edit that the reply does not finish is not applied")
	return at, false
}

// argument reads an argument up to the tag that closes it. It returns the offset of what follows
// that; without the tag, ok is false and the call ends at the offset.
func (r *calls) argument(c *toolCall, name string, start int) (next int, ok bool) {
	closer := []byte(c.argumentEnd)
	if c.elements() {
		closer = []byte("</" + name + ">")
	}
	section := bytes.HasPrefix(r.text[r.skip(start):], cdataOpen)
	open := func(end int) bool {
		return section && !bytes.HasSuffix(bytes.TrimRight(r.text[start:end], " \t\r\n"), cdataClose)
	}
	for at := start; ; at++ {
		i := bytes.IndexAny(r.text[at:], "<\n")
		if i < 0 {
			return len(r.text), false
		}
		at += i
		switch {
		case r.text[at] == '\n':
			if r.beginsAgain(c, at+1) && !open(at) {
				return at + 1, false
			}
		case !bytes.HasPrefix(r.text[at:], closer) || open(at):
		default:
			tail := r.skip(at + len(closer))
			if c.continues(r.text[tail:]) {
				c.args = append(c.args, argument{name, unwrapped(r.text[start:at:at]), start})
				return tail, true
			}
		}
	}
}

// beginsAgain reports whether a call in the form of another one begins on a line, indented no more
// than that.
func (r *calls) beginsAgain(c *toolCall, line int) bool {
	t := bytes.TrimLeft(r.text[line:], " \t")
	tags, _, _, ok := openCall(t)
	margin := r.text[line : len(r.text)-len(t)]
	return ok && tags.argument == c.argument && tags.end == c.end &&
		bytes.HasPrefix(r.text[c.start:], margin)
}

// refuse says what is wrong with a call, in the line of an offset.
func (r *calls) refuse(at int, expected, remedy string) {
	r.diagnose(diagnosis.Malformed, at, r.head(r.lineStart(at)), expected, remedy)
}

// unexpected ends a call before a line that does not belong to it.
func (r *calls) unexpected(c *toolCall, at int) (end int) {
	r.refuse(at, "an argument of "+c.tool+", or "+c.end,
		"write each argument between its tags, and nothing between them")
	if start := r.lineStart(at); start > c.start {
		return start
	}
	return at + 1
}

// edits makes edits of a call that ends at an offset.
func (r *calls) edits(c *toolCall, end int) {
	s := c.shape()
	if r.contradicts(c, s) {
		return
	}
	lines := [2]int{r.line(c.start), r.line(end)}
	j := jsonReader{markers: r.markers, line: func(int) int { return lines[0] }}
	j.value(c.asJSON(s), scope{})
	nameless := func(b Block) bool { return b.Path == "" } // that of another edit is none of its own
	if slices.ContainsFunc(j.blocks, nameless) {
		r.diagnose(diagnosis.MissingName, c.start, r.head(c.start),
			"the path of the file among the arguments", RemedyPath)
		return
	}
	for _, b := range j.blocks {
		b.Dialect, b.Lines = ToolXML, lines
		b.Substring = b.Substring && !s.lines
		r.blocks = append(r.blocks, b)
	}
	for _, f := range j.faults {
		if f.Doubt != nil {
			f.Doubt.Last = lines[1]
		} else {
			f.Found = mdline.Excerpt(r.head(c.start))
		}
		r.faults = append(r.faults, f)
	}
	if j.found() == 0 && !j.looks {
		r.diagnose(diagnosis.Unsupported, c.start, r.head(c.start),
			"the arguments of a tool that is understood", "send the edit as a SEARCH/REPLACE block")
	}
}

// contradicts reports arguments that do not go together, which is a sign of a tag that got lost.
func (r *calls) contradicts(c *toolCall, s shape) bool {
	var seen jsontext.Role
	content := false
	names := map[string]bool{}
	for _, a := range c.args {
		seen |= jsontext.Roles(a.name)
		content = content || a.name == "content"
		if names[a.name] {
			r.refuse(a.start, "each argument once", "give each change a call of its own")
			return true
		}
		names[a.name] = true
		if at, ok := c.lostTag(a); ok {
			r.refuse(at, "the end of the argument "+a.name+" before it", "close each tag")
			return true
		}
	}
	switch {
	case content && seen&jsontext.Old != 0:
		r.refuse(c.start, "an old and a new text, or the content of a file",
			"send only the arguments of the tool")
	case s.mixed:
		r.refuse(c.start, "both texts with their tags on lines of their own, or neither",
			"write each text directly between its tags")
	default:
		return false
	}
	return true
}

// lostTag finds a line in an argument other than a file's content that opens another one: its own
// closing tag got lost.
func (c *toolCall) lostTag(a argument) (at int, ok bool) {
	if a.name == "content" || jsontext.Roles(a.name) == jsontext.FileText {
		return 0, false
	}
	const others = jsontext.Path | jsontext.Old | jsontext.New | jsontext.FileText | jsontext.Command
	at = a.start
	for l := range bytes.Lines(a.value) {
		name, _, ok := c.argumentTag(bytes.TrimLeft(l, " \t"))
		if ok && (jsontext.Roles(name)&others != 0 || name == "content") {
			return at, true
		}
		at += len(l)
	}
	return 0, false
}

// asJSON is the call as a value of JSON.
func (c *toolCall) asJSON(s shape) jsontext.Value {
	args := make([]jsontext.Member, len(c.args))
	for i, a := range c.args {
		args[i] = jsontext.Member{Key: a.name, Value: jsontext.String(s.trim(a))}
	}
	return jsontext.Object(
		jsontext.Member{Key: "name", Value: jsontext.String([]byte(c.tool))},
		jsontext.Member{Key: "input", Value: jsontext.Object(args...)})
}

// shape says where the tags around the sides of an edit are.
type shape struct {
	alone bool // on lines of their own, so that what is between them is lines
	lines bool // and are part of the text: the edit is one of lines
	mixed bool // those around the old text are, and others are not, where line ends count
	exact bool // line ends next to a tag count, as nothing is around what Anthropic's models write
}

func (c *toolCall) shape() shape {
	old, new, sides := false, true, 0
	all := c.kind&replacesAll != 0
	for _, a := range c.args {
		role := jsontext.Roles(a.name)
		yes := bytes.EqualFold(bytes.TrimSpace(a.value), []byte("true"))
		switch {
		case role&jsontext.All != 0 && yes, role&jsontext.ExpectedCount != 0:
			all = true
		case role&jsontext.Old != 0:
			sides++
			old = alone(a.value)
		case role&jsontext.New != 0:
			sides++
			new = alone(a.value) || text.Blank(a.value)
		}
	}
	s := shape{alone: sides == 2 && old && new, exact: c.quoted()}
	s.lines, s.mixed = s.exact && s.alone && !all, s.exact && old && !new
	return s
}

// alone reports whether a value begins and ends with a line end, so that its tags are alone on
// their lines.
func alone(value []byte) bool {
	first, rest, ok := bytes.Cut(value, []byte("\n"))
	last := rest[bytes.LastIndexByte(rest, '\n')+1:]
	return ok && text.Blank(first) && text.Blank(last) && len(last) < len(rest)
}

// trim takes the line ends off an argument that only belong to its tags.
func (s shape) trim(a argument) []byte {
	value := a.value
	role := jsontext.Roles(a.name)
	side := role&(jsontext.Old|jsontext.New) != 0
	whole := role&jsontext.FileText != 0 || a.name == "content" || a.name == "diff"
	switch {
	case !side && !whole:
		return bytes.TrimSpace(value)
	case side && s.exact && !s.alone:
		return value
	case !alone(value) && side && s.alone:
		return nil // a blank one
	case !alone(value):
		return value
	}
	value = value[bytes.IndexByte(value, '\n')+1:]
	value = value[:bytes.LastIndexByte(value, '\n')+1]
	bare := text.Chomp(value)
	if side && !s.lines || !side && !s.exact && mdline.Ended(bare) { // else a file would lose the end of its last line
		return bare
	}
	return value
}
