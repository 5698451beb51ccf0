package attempt

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/jsontext"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// call watches a call of an edit tool that does not begin its line, or is no JSON: after the mark of a list, a label, a
// tag, in the brackets of a function. It counts once it has a path, an old and a new text, under the keys that edit
// tools have and no others.
type call struct {
	begun
	lines int // that were watched; 0 if none is
	seen  jsontext.Role
}

// Notice forgets the call where an edit begins or was read.
func (c *call) Notice(e Event) {
	if e != Speaks {
		*c = call{}
	}
}

// callEnds are the last bytes of lines that may begin such a call or contain all of it; '\r' may come after them.
var callEnds = [256]bool{'{': true, '(': true, '[': true, '}': true, ')': true, ']': true, '>': true, '"': true, '\'': true, ';': true, ',': true, '\r': true}

// mayCall reports quickly, by the end of a line, whether the line may begin a call.
func mayCall(raw []byte) bool {
	n := len(raw) - 1
	if n > 0 && raw[n] == '\n' {
		n--
	}
	return n >= 0 && callEnds[raw[n]]
}

// Watch looks at a line for keys of an edit. A fence ends what has begun.
func (c *call) Watch(l *Line) *Finding {
	if l.Asked == AtFence {
		c.lines = 0
		return nil
	}
	if c.lines == 0 && !mayCall(l.Raw) {
		return nil
	}
	text := bytes.TrimSpace(l.Raw)
	if len(text) == 0 {
		return nil
	}
	if tag := inlineCall(text); tag != "" {
		return foreignCall(begun{line: l.At.Line, found: tag})
	}
	begins := c.begin(l, text)
	if c.lines == 0 {
		return nil
	}
	if c.lines++; c.lines > maxWatched || mdline.OpensBlock(text) {
		*c = call{}
		return nil
	}
	c.seen |= callRoles(text)
	if containsPatch(text) {
		c.seen |= jsontext.Path | jsontext.Old | jsontext.New | jsontext.Strong
	}
	const all = jsontext.Path | jsontext.Old | jsontext.New | jsontext.Strong
	if c.seen&all == all {
		f := c.finding(diagnosis.Malformed, "a JSON value at the beginning of a line", "send the call again as JSON on lines of its own, or as a SEARCH/REPLACE block")
		*c = call{}
		return f
	}
	open := text[len(text)-1]
	if begins && open != '{' && open != '(' && open != '[' && open != ',' || !begins && (text[0] == '}' || text[0] == ')') {
		*c = call{}
	}
	return nil
}

// begin begins to watch with a line that may be the first one of a call.
func (c *call) begin(l *Line, text []byte) bool {
	last := text[len(text)-1]
	if _, code, open := l.Scene.Fence(); open && code || !callEnds[last] ||
		last != '{' && last != '(' && last != '[' && !bytes.Contains(text, []byte("ld")) && !containsPatch(text) && text[0] != '"' {
		return false // "old", "Old"
	}
	if c.lines > 0 && (text[0] == '"' || callRoles(text)&jsontext.Path == 0) {
		return false // it goes on, or a text in it looks like one
	}
	rest, ok := cutCall(l.Raw)
	if !ok || bytes.Contains(text, []byte(`"..."`)) {
		return false
	}
	if len(rest) > 0 && rest[0] != '{' && rest[0] != '[' && callRoles(rest) == 0 && !containsPatch(rest) {
		return false
	}
	*c = call{begun: begun{line: l.At.Line, found: mdline.Excerpt(l.Raw)}, lines: 1}
	return true
}

// inlineCall is the opening tag of a call that is all on a line, below other text; "" if there is none.
func inlineCall(text []byte) string {
	last, ok := bytes.CutSuffix(text, []byte(">"))
	if !ok {
		return ""
	}
	if i := bytes.LastIndex(last, []byte("</")); i >= 0 {
		tag := "<" + string(last[i+2:]) + ">"
		if at := bytes.Index(text, []byte(tag)); at > 0 && text[at-1] != '`' && foreignTag([]byte(tag)) != "" && bytes.Contains(text[at:], []byte("</path>")) {
			return tag
		}
	}
	return ""
}
