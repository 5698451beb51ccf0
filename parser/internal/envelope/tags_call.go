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

// toolCall is a call of an editing tool that is written in tags, in one of three forms:
//
//	<invoke name="Edit">          <function=Edit>            <write_to_file>
//	<parameter name="path">       <parameter=path>           <path>
//
// Anthropic's models write the first form, Qwen's models and OpenHands write the second, and
// Cline's and Roo's prompts request the third. The arguments are then read like those of the same
// call in JSON.
//
// A closing tag ends an argument if the next argument or the end of the call follows; otherwise the
// tag is content. A call that is not closed gives no edit.
type toolCall struct {
	callTags
	tool  string
	kind  toolKind
	start int // offset of the opening tag, including the blanks before it
	args  []argument
}

// argument is an argument of a call, as written between its tags.
type argument struct {
	name  string
	value []byte
	start int // offset of the value
}

// callTags describes how a call is written.
type callTags struct {
	argument    string // the text before an argument's name
	argumentEnd string // the tag that closes an argument; "" if it has the argument's name
	end         string // the tag that closes the call
}

// elements reports whether each argument is an element with the argument's name.
func (c *callTags) elements() bool { return c.argumentEnd == "" }

// quoted reports whether the names of arguments are in quotes.
func (c *callTags) quoted() bool { return strings.HasSuffix(c.argument, " ") }

// openCall reads the opening tag of a tool call at the start of t, in any of the three forms of a
// toolCall. It returns the tags that the call uses, the tool's name and the text after the tag.
func openCall(t []byte) (tags callTags, tool string, rest []byte, ok bool) {
	if len(t) < 2 || t[0] != '<' || !mdline.IsLetter(t[1]) {
		return tags, "", nil, false
	}
	end := bytes.IndexByte(t[:min(len(t), maxTag)], '>')
	if end < 0 {
		return tags, "", nil, false
	}
	inside, rest := string(t[1:end]), t[end+1:]
	space := "" // a namespace: <invoke name="Edit">
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
	inside = strings.TrimRight(inside, " ")
	kind, known := kindOf(inside)
	tags = callTags{"<", "", "</" + inside + ">"}
	// Only some tools are called as elements. A call of another one has to begin like an edit.
	return tags, inside, rest, known && (kind&element != 0 || kind&changes != 0 && tags.beginsEdit(rest))
}

// beginsEdit reports whether a text begins with two arguments of a call: a path on one line, and an
// old text. Models also call Cline's <replace_in_file> with <search> and <replace> instead of <diff>.
func (c *callTags) beginsEdit(t []byte) bool {
	name, value, ok := c.argumentTag(bytes.TrimLeft(t, " \t\r\n"))
	if !ok || jsontext.Roles(name)&jsontext.Path == 0 {
		return false
	}
	closer := []byte("</" + name + ">")
	path, _, ok := bytes.Cut(value[:min(len(value), maxTag)], closer)
	if !ok || bytes.IndexByte(path, '\n') >= 0 {
		return false
	}
	name, _, ok = c.argumentTag(bytes.TrimLeft(value[len(path)+len(closer):], " \t\r\n"))
	return ok && jsontext.Roles(name)&jsontext.Old != 0
}

// argumentTag reads the opening tag of an argument. It returns the argument's name and the text
// after the tag. For a tag without meaning that Roo's prompts put around the arguments, the name is
// "".
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
		return name, rest, has(argumentNames, name)
	case c.quoted():
		name = attribute(name, "name")
	default:
		name = strings.Trim(name, `"' `)
	}
	return name, rest, name != ""
}

// continues reports whether t begins with another argument's tag or the end of the call.
func (c *callTags) continues(t []byte) bool {
	_, _, tag := c.argumentTag(t)
	return tag || bytes.HasPrefix(t, []byte(c.end))
}

// calls reads the tool calls that begin on a line, up to the end of the last call.
type calls struct{ tagged }

// readToolCall reads the calls at the start of text, or returns nil if there is none. The first
// line has the opening tag and, at most, tags after it. If it has only a tool's closing tag
// instead, the envelope refuses that line.
func readToolCall(text []byte, number int, m Markers) *Envelope {
	name := closedBy(bytes.TrimSpace(lineOf(text)))
	// An <edit_file> may also contain marker blocks, as in Void.
	if kind, known := kindOf(name); known && kind&element != 0 && name != "edit_file" {
		e := strayEnd(lineOf(text), number, name, "<"+name+">")
		e.Tool = true
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
	e := r.endAt(at)
	e.Tool = true
	return e
}

// begin reads the opening tag of a call that changes files, perhaps below tags around calls. next
// is the offset after the tag. ok is false if there is no such call, or if text other than a tag
// follows on the line.
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

// next returns another call in the same form that begins on the line where the last call ends. If
// there is none, it returns the offset end.
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

// read reads a call from the offset after its opening tag and turns it into edits. end is the
// offset where the call's text ends; whole says that the call is closed there. A call that isn't
// closed, or has anything else between its arguments, gives a fault instead of edits.
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
			continue // a tag around the arguments, such as <args>
		}
		if at, ok = r.argument(c, name, at); !ok {
			break
		}
	}
	r.diagnose(diagnosis.Truncated, c.start, r.head(c.start), c.end,
		"close each tag, and send only the tool's arguments; an unfinished edit is not applied")
	return at, false
}

// argument reads the value of an argument from offset start up to its closing tag. A closing tag
// counts only if another argument or the end of the call follows. next is the offset of the text
// that follows. If no closing tag counts, ok is false and the call's text ends at next.
func (r *calls) argument(c *toolCall, name string, start int) (next int, ok bool) {
	closer := []byte(c.argumentEnd)
	if c.elements() {
		closer = []byte("</" + name + ">")
	}
	section := bytes.HasPrefix(r.text[r.skip(start):], cdataOpen)
	open := func(end int) bool { // reports whether a CDATA section is open at end
		return section && !bytes.HasSuffix(bytes.TrimRight(r.text[start:end], " \t\r\n"), cdataClose)
	}
	for at := start; ; at++ {
		i := bytes.IndexAny(r.text[at:], "<\n")
		if i < 0 {
			return len(r.text), false
		}
		at += i
		next = at // of a tag, which may be the first one on a line
		if r.text[at] == '\n' {
			next++
		}
		switch {
		case r.beginsAnother(c, next) && !open(at): // c was never closed
			return next, false
		case !bytes.HasPrefix(r.text[at:], closer) || open(at): // content
		default:
			tail := r.skip(at + len(closer))
			if c.continues(r.text[tail:]) {
				c.args = append(c.args, argument{name, unwrapped(r.text[start:at:at]), start})
				return tail, true
			}
		}
	}
}

// beginsAnother reports whether another call in the same form as c begins at an offset: on a line
// that is indented no further than c, or within a line, with an argument directly after its tag.
func (r *calls) beginsAnother(c *toolCall, at int) bool {
	t := bytes.TrimLeft(r.text[at:], " \t")
	if !bytes.HasPrefix(t, []byte("<"+c.end[2:len(c.end)-1])) {
		return false
	}
	tags, _, rest, ok := openCall(t)
	switch {
	case !ok || tags.argument != c.argument || tags.end != c.end:
		return false
	case r.lineStart(at) == at:
		return bytes.HasPrefix(r.text[c.start:], r.text[at:len(r.text)-len(t)])
	}
	_, _, ok = c.argumentTag(bytes.TrimLeft(rest, " \t\r\n"))
	return ok
}

// refuse adds a fault about a call, on the line that contains an offset.
func (r *calls) refuse(at int, expected, remedy string) {
	r.diagnose(diagnosis.Malformed, at, r.head(r.lineStart(at)), expected, remedy)
}

// unexpected refuses a call because of the text at an offset, which does not belong to it. It
// returns the offset where the call's text ends: before that line, or within the line if the call
// begins on it.
func (r *calls) unexpected(c *toolCall, at int) (end int) {
	r.refuse(at, "an argument of "+c.tool+", or "+c.end,
		"put each argument between its tags, and nothing between the arguments")
	if start := r.lineStart(at); start > c.start {
		return start
	}
	return at + 1
}

// edits turns a call that ends at an offset into blocks, or adds a fault if that is impossible.
func (r *calls) edits(c *toolCall, end int) {
	s := c.shape()
	if r.refuseContradiction(c, s) {
		return
	}
	lines := [2]int{r.line(c.start), r.line(end)}
	j := jsonReader{tagged: tagged{first: lines[0], markers: r.markers}}
	j.value(c.asJSON(s), scope{})
	nameless := func(b Block) bool { return b.Path == "" } // the path of another edit must not be used
	if slices.ContainsFunc(j.blocks, nameless) {
		r.diagnose(diagnosis.MissingName, c.start, r.head(c.start),
			"the file's path among the arguments", RemedyPath)
		return
	}
	for _, b := range j.blocks {
		b.Dialect, b.Lines = ToolXML, lines
		b.Substring = b.Substring && !s.lines // otherwise the edit replaces whole lines
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
	if j.found() == 0 && !j.views {
		r.diagnose(diagnosis.Unsupported, c.start, r.head(c.start),
			"the arguments of a known tool", "send the edit as a SEARCH/REPLACE block")
	}
}

// refuseContradiction refuses a call if its arguments don't go together, which is a sign of a lost
// tag. It reports whether it did.
func (r *calls) refuseContradiction(c *toolCall, s shape) bool {
	var seen jsontext.Role
	content := false
	names := map[string]bool{}
	for _, a := range c.args {
		seen |= jsontext.Roles(a.name)
		content = content || a.name == "content"
		if names[a.name] {
			r.refuse(a.start, "each argument once", "make a separate call for each change")
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
			"send only the tool's arguments")
	case s.mixed:
		r.refuse(c.start, "both texts, or neither, with their tags on separate lines",
			"write each text directly between its tags")
	default:
		return false
	}
	return true
}

// lostTag returns the offset of a line in argument a that opens another argument, which shows that
// the closing tag of a was lost. The content of a file may contain such a line.
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

// asJSON returns the call as a JSON value.
func (c *toolCall) asJSON(s shape) jsontext.Value {
	text := func(key string, text []byte) jsontext.Member {
		return jsontext.Member{Key: key, Value: jsontext.Value{Kind: '"', Text: text}}
	}
	input := jsontext.Value{Kind: '{'}
	for _, a := range c.args {
		input.Members = append(input.Members, text(a.name, s.trim(a)))
	}
	return jsontext.Value{Kind: '{', Members: []jsontext.Member{
		text("name", []byte(c.tool)), {Key: "input", Value: input},
	}}
}

// shape describes the position of the tags around the old and the new text of an edit.
type shape struct {
	alone bool // alone on their lines, so that the text between them consists of lines
	lines bool // alone, and line ends are part of the text: the edit replaces lines
	mixed bool // alone around the old text but not around the new one, although line ends count
	exact bool // line ends next to a tag count, because Anthropic's models put no line end there
}

// shape returns the position of the tags around the call's old and new text.
func (c *toolCall) shape() shape {
	old, new, sides := false, true, 0 // alone around the old text; around the new text; their number
	all := c.kind&replacesAll != 0    // the text may occur several times, also within lines
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

// trim returns the value of an argument without the line ends that belong to its tags. Around
// values other than texts, it removes all blanks. Whether the line ends of the old and the new text
// (a side) belong to their tags depends on the shape of both.
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
		return nil // it is blank
	case !alone(value):
		return value
	}
	value = value[bytes.IndexByte(value, '\n')+1:]
	value = value[:bytes.LastIndexByte(value, '\n')+1]
	bare := text.Chomp(value)
	switch {
	case side && !s.lines: // the last line end belongs to the tag
		return bare
	case !side && !s.exact && mdline.Ended(bare): // a whole file keeps one line end
		return bare
	}
	return value
}
