package envelope

import (
	"bytes"
	"strconv"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// pairTags are the tags of a format that writes the two sides of an edit between tags: Zed's and
// Sweep's.
type pairTags struct{ format, old, new, wrapper string }

func readZed(text []byte, number int, _ Markers) Envelope {
	return readPairs(text, number, pairTags{Zed, "old_text", "new_text", "edits"})
}

func readSweep(text []byte, number int, _ Markers) Envelope {
	return readPairs(text, number, pairTags{Sweep, "original_code", "new_code", ""})
}

// pairs reads edits whose sides are between tags: one pair, or any number inside the wrapper. A
// side ends at the first tag that may end it: its own, the other side's, the opener of the next
// side on a line of its own, or the end of the wrapper. Any but its own is reported with the block.
type pairs struct {
	tagged
	pairTags
	outer []byte // the attributes of the wrapper; nil outside of one
	lost  bool   // something was reported since the last edit
}

// readPairs reads the edits with which a text begins; nil if it does not begin with one.
func readPairs(text []byte, number int, tags pairTags) Envelope {
	line := bytes.TrimSpace(lineOf(text))
	_, _, opens := openTag(line, tags.old)
	attrs, rest, wraps := openTag(line, tags.wrapper)
	wraps = wraps && tags.wrapper != "" && (len(rest) == 0 || rest[0] == '<')
	name := closedBy(line)
	switch {
	case name == tags.old && name != "", name == tags.new && name != "":
		return strayEnd(line, number, tags.format, "<"+tags.old+">")
	case !opens && !wraps:
		return nil
	}
	p := &pairs{tagged: tagged{text: text, first: number}, pairTags: tags}
	at := 0
	if wraps {
		p.outer = append([]byte{}, attrs...)
		at = bytes.IndexByte(text, '>') + 1
	}
	return p.taken(p.read(at))
}

// read reads from an offset on. It returns the offset at which the envelope ends.
func (p *pairs) read(at int) (end int) {
	end, more := at, true
	for more {
		at = p.skip(end)
		rest := p.text[at:]
		if len(rest) == 0 {
			return end
		}
		if attrs, after, ok := openTag(rest, p.old); ok {
			end, more = p.edit(attrs, at, len(p.text)-len(after))
		} else if p.outer != nil && bytes.HasPrefix(rest, []byte("</"+p.wrapper+">")) {
			return at + len("</"+p.wrapper+">")
		} else {
			end, more = p.unexpected(at)
		}
	}
	return end
}

// unexpected passes over a line inside the wrapper that belongs to no edit, or ends the envelope
// before it.
func (p *pairs) unexpected(at int) (end int, more bool) {
	start := p.lineStart(at)
	line := lineOf(p.text[start:])
	end = start + len(line)
	if p.outer == nil || p.found() == 0 || mdline.OpensBlock(line) {
		if start > 0 {
			end = start
		}
		return end, false
	}
	if !p.lost && p.likeTag(line) {
		p.refuse(diagnosis.Malformed, at, line, "<"+p.old+"> before it",
			"give each change one <"+p.old+"> and one <"+p.new+">")
	}
	return end, !bytes.Contains(line, []byte("</"+p.wrapper+">"))
}

func (p *pairs) refuse(code string, at int, found []byte, expected, remedy string) {
	p.lost = true
	p.diagnose(code, at, found, expected, remedy)
}

// side is one side of an edit.
type side struct {
	content []byte
	start   int    // the offset at which it begins
	end     int    // that of the tag which ends it
	next    int    // the offset after that tag, or at it if it opens the next side
	wrong   string // the tag, unless it is the side's own
	glued   bool   // text follows the opening tag on its line
	alone   int    // how many of the two tags are alone on their lines
	closed  bool
}

// edit reads the edit whose opening tag is at an offset. more is false where the envelope ends with
// it, at end.
func (p *pairs) edit(attrs []byte, at, after int) (end int, more bool) {
	p.lost = false
	e := &pairEdit{pairs: p, block: Block{Op: OpEdit, Dialect: p.format}}
	e.block.Lines[0] = p.line(at)
	e.hints(attrs)
	e.actions(attrs, at)
	old := e.side(p.old, p.new, after)
	wrapperEnds := "</" + p.wrapper + ">"
	pair := "follow each <" + p.old + "> by its <" + p.new + ">"
	switch {
	case !old.closed:
		return e.truncated(at, p.old)
	case old.wrong == wrapperEnds:
		p.refuse(diagnosis.Malformed, old.end, []byte(old.wrong), "<"+p.new+">", pair)
		return old.next, false
	}
	opener := p.skip(old.next)
	attrs, rest, ok := openTag(p.text[opener:], p.new)
	switch {
	case opener == len(p.text):
		return e.truncated(at, p.new)
	case !ok:
		line := lineOf(p.text[p.lineStart(opener):])
		p.refuse(diagnosis.Malformed, opener, line, "<"+p.new+">", pair)
		return p.unexpected(opener)
	}
	e.actions(attrs, opener)
	new := e.side(p.new, p.old, len(p.text)-len(rest))
	if !new.closed {
		return e.truncated(at, p.new)
	}
	var margin []byte
	if p.beginsLine(opener) {
		margin = text.Margin(p.text[p.lineStart(opener):])
	}
	e.finish(&old, &new, margin)
	switch opens := new.wrong != "" && new.wrong[1] != '/'; {
	case new.wrong == wrapperEnds:
		return new.next, false
	case p.outer == nil && opens:
		return p.lineStart(new.next), false
	}
	return new.next, p.outer != nil
}

// pairEdit is an edit on its way to a block.
type pairEdit struct {
	*pairs
	block Block
	fault Fault // what makes the edit unclear; its line is 0 if nothing does
}

func (e *pairEdit) truncated(at int, due string) (end int, more bool) {
	e.refuse(diagnosis.Truncated, at, []byte("<"+e.old+">"), "</"+due+">",
		"close each side with its tag; an edit that the reply does not finish is not applied")
	return len(e.text), false
}

// hints reads the attributes of the opening tag.
func (e *pairEdit) hints(attrs []byte) {
	for _, m := range tagAttribute().FindAllSubmatch(attrs, -1) {
		value := string(bytes.Trim(m[2], `"'`))
		switch string(m[1]) {
		case "line", "start_line":
			e.block.StartLine, _ = strconv.Atoi(value)
		case "end_line":
			e.block.EndLine, _ = strconv.Atoi(value)
		case "file_path", "path":
			e.block.Path = value
		}
	}
}

// actions refuses the edit if an attribute of its tags, or of the wrapper's, asks for anything but
// a replacement.
func (e *pairEdit) actions(attrs []byte, at int) {
	for _, tag := range [...][]byte{e.outer, attrs} {
		if asksOtherIn(tag, &Block{Op: OpEdit, Replace: tag}) {
			e.doubt(at, tag)
			e.fault.Code, e.fault.Expected = diagnosis.Unsupported, ExpectedReplacement
			e.fault.Remedy = RemedyReplacement
		}
	}
}

// doubt says what makes the edit unclear, unless something else does already.
func (e *pairEdit) doubt(at int, found []byte) {
	if e.fault.Line == 0 {
		e.fault = Fault{Code: diagnosis.Malformed, Line: e.line(at), Found: mdline.Excerpt(found),
			Expected: "</" + e.old + "> and </" + e.new + "> after the sides, each once",
			Remedy:   "write the edit again, with one pair of tags around each side"}
	}
}

// side reads a side up to the tag that ends it.
func (e *pairEdit) side(name, next string, from int) side {
	s := side{start: from, glued: true}
	if next, ok := e.endsLine(from); ok {
		s.start, s.glued, s.alone = next, false, 1
	}
	first := e.skip(s.start)
	if _, _, ok := openTag(e.text[first:], name); ok { // it is opened twice
		e.doubt(first, e.head(first))
	}
	for at := s.start; ; at++ {
		i := bytes.IndexByte(e.text[at:], '<')
		if i < 0 {
			return s
		}
		at += i
		tag := e.endTag(at, next)
		if tag == "" {
			continue
		}
		s.closed, s.end, s.next = true, at, at
		if tag[1] == '/' {
			s.next += len(tag)
		} else {
			tag = "<" + next + ">"
		}
		if tag != "</"+name+">" {
			s.wrong = tag
		}
		s.content = withoutLastBlanks(e.text[s.start:at:at])
		e.check(&s, name)
		return s
	}
}

// endTag is the tag at an offset if it may end a side; "" for any other text.
func (e *pairEdit) endTag(at int, next string) string {
	rest := e.text[at:]
	names := [...]string{e.old, e.new, e.wrapper}
	for i, name := range names {
		tag := "</" + name + ">"
		if (i < 2 || e.outer != nil) && bytes.HasPrefix(rest, []byte(tag)) {
			return tag
		}
	}
	if _, _, ok := openTag(rest, next); ok && e.beginsLine(at) {
		return "<" + next
	}
	return ""
}

// check looks at how a side is closed. A wrong tag is forgiven, unless the side has a line that is
// nearly a tag, for that was meant to close it, or is empty, for its text is elsewhere then.
func (e *pairEdit) check(s *side, name string) {
	if e.beginsLine(s.end) {
		s.alone++
	}
	if tail := bytes.TrimSpace(e.head(s.next)); len(tail) > 0 && tail[0] != '<' {
		e.doubt(s.end, tail)
	}
	if s.wrong == "" {
		return
	}
	e.block.Warnings = append(e.block.Warnings,
		warning.OddMarkers.Say("<%s> is closed by %s", name, s.wrong))
	at := s.start
	for line := range bytes.Lines(s.content) {
		if e.likeTag(line) {
			e.doubt(at, line)
		}
		at += len(line)
	}
	if name == e.new && text.Blank(s.content) {
		e.doubt(s.end, []byte(s.wrong))
	}
}

// finish makes a block of both sides. margin is that of the new side's opening tag.
func (e *pairEdit) finish(old, new *side, margin []byte) {
	b := &e.block
	b.Search, b.Replace, b.Lines[1] = old.content, new.content, e.line(new.end)
	e.decorated(old, new)
	if len(b.Search) == 0 {
		b.Op = OpCreate
		if len(margin) > 0 && mdline.HaveMargin(b.Replace, margin) {
			b.Replace = mdline.WithoutMargin(b.Replace, margin, false)
		}
	}
	if e.fault.Line > 0 {
		e.lost = true
		e.faults = append(e.faults, e.fault)
		return
	}
	e.blocks = append(e.blocks, *b)
}

// decorated looks at the text next to the tags of the new side. Where all other tags are alone on
// their lines, text after the opening tag is a remark or lost its line, and signs without a word
// before the closing tag are decoration: neither is content for certain.
func (e *pairEdit) decorated(old, new *side) {
	const others = 3
	content := e.text[new.start:new.end]
	first, _, lines := bytes.Cut(content, []byte("\n"))
	before := content[bytes.LastIndexByte(content, '\n')+1:]
	switch {
	case old.alone+new.alone < others || new.glued && !lines:
	case new.glued && (first[0] == ' ' || first[0] == '\t'):
		e.doubt(new.start, first)
	case !e.beginsLine(new.end) && decorates(before) && mdline.Ended(old.content):
		e.doubt(new.end, before)
	}
}

// decorates says whether the text before a tag is no more than decoration: the mark of a heading, a
// comment, a list or a quote with a blank after it, the signs of bold text or of code, or a
// backslash.
func decorates(before []byte) bool {
	bare := bytes.TrimSpace(before)
	switch string(bare) {
	case "**", "__", "`", `\`, "<!--":
		return true
	case "--":
		return false
	}
	return before[len(before)-1] == ' ' && len(bytes.Trim(bare, "#/*->+|;%0123456789.)")) == 0
}

// likeTag says whether the line begins with a tag of either side, perhaps with a slip of the pen.
func (p *pairs) likeTag(line []byte) bool {
	name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("<"))
	if !ok || len(name) > maxTag {
		return false
	}
	name = bytes.TrimLeft(name, "/ ")
	if end := bytes.IndexAny(name, "> "); end >= 0 {
		name = name[:end]
	}
	return Nearly(string(name), p.old) || Nearly(string(name), p.new)
}
