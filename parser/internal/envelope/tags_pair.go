package envelope

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// The tags of Zed's edits. Each edit has an old and a new side, and the wrapper contains any number
// of edits.
const (
	oldTag  = "old_text"
	newTag  = "new_text"
	wrapTag = "edits"
	wrapEnd = "</" + wrapTag + ">"
)

// pairs reads edits with each side between tags: one pair, or any number inside <edits>. A side
// ends at the first tag that may end it: its closing tag, the other side's closing tag, the opening
// tag of the next side alone on its line, or </edits>. If the tag is not the side's closing tag,
// the block gets a warning.
type pairs struct {
	tagged
	outer    []byte // attributes of <edits>; nil outside <edits>
	reported bool   // a fault was added since the last edit began, so unexpected text gives no other
	doubt    Fault  // why the current edit is unclear; its line is 0 if it is clear
}

// readZed reads the edits at the start of text, or returns nil if there are none.
func readZed(text []byte, number int, _ Markers) *Envelope {
	line := bytes.TrimSpace(lineOf(text))
	if name := closedBy(line); name == oldTag || name == newTag {
		return strayEnd(line, number, Zed, "<"+oldTag+">")
	}
	p := &pairs{tagged: tagged{text: text, first: number}}
	if _, _, opens := openTag(line, oldTag); opens {
		return p.endAt(p.read(0))
	}
	attrs, rest, wraps := openTag(line, wrapTag)
	if !wraps || len(rest) > 0 && rest[0] != '<' {
		return nil
	}
	p.outer = append([]byte{}, attrs...) // not nil, even without attributes
	return p.endAt(p.read(bytes.IndexByte(text, '>') + 1))
}

// read reads the text from offset at on. It returns the offset at which the envelope ends.
func (p *pairs) read(at int) (end int) {
	end, more := at, true
	for more {
		at = p.skip(end)
		rest := p.text[at:]
		if len(rest) == 0 {
			return end
		}
		if attrs, after, ok := openTag(rest, oldTag); ok {
			end, more = p.edit(attrs, at, len(p.text)-len(after))
		} else if p.outer != nil && bytes.HasPrefix(rest, []byte(wrapEnd)) {
			return at + len(wrapEnd)
		} else {
			end, more = p.unexpected(at)
		}
	}
	return end
}

// unexpected skips a line that belongs to no edit, or ends the envelope before it: outside <edits>,
// before the first edit, or if the line opens a block. more says that the envelope goes on at end.
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
	if !p.reported && likePairTag(line) {
		p.refuse(diagnosis.Malformed, at, line, "<"+oldTag+">")
	}
	return end, !bytes.Contains(line, []byte(wrapEnd))
}

// refuse adds a fault at an offset: an edit is incomplete, or something unexpected is next to it.
func (p *pairs) refuse(code string, at int, found []byte, expected string) {
	p.reported = true
	p.diagnose(code, at, found, expected,
		"close each side with its tag, and follow each <"+oldTag+"> by its <"+newTag+">")
}

// markUnclear records that the text found, at an offset, makes the current edit unclear, so that
// finish refuses it. Only the first such text of an edit is recorded.
func (p *pairs) markUnclear(at int, found []byte) {
	if p.doubt.Line == 0 {
		p.doubt = newFault(diagnosis.Malformed, p.line(at), found,
			"</"+oldTag+"> and </"+newTag+"> after the sides, each once",
			"write the edit again, with one pair of tags around each side")
	}
}

// edit reads the edit whose opening tag has the attributes attrs and is between the offsets at and
// after. It returns the offset where the edit ends; more says that the envelope may go on there.
func (p *pairs) edit(attrs []byte, at, after int) (end int, more bool) {
	p.reported, p.doubt = false, Fault{}
	b := Block{Op: OpEdit, Dialect: Zed, Lines: [2]int{p.line(at)}}
	pairHints(&b, attrs)
	old := p.side(&b, oldTag, after)
	if old.ending == "" {
		return p.truncated(at, oldTag)
	}
	opener := p.skip(old.next)
	newAttrs, rest, ok := openTag(p.text[opener:], newTag)
	switch {
	case old.ending == wrapEnd:
		p.refuse(diagnosis.Malformed, old.end, []byte(wrapEnd), "<"+newTag+">")
		return old.next, false
	case opener == len(p.text):
		return p.truncated(at, newTag)
	case !ok:
		p.refuse(diagnosis.Malformed, opener, lineOf(p.text[p.lineStart(opener):]), "<"+newTag+">")
		return p.unexpected(opener)
	}
	new := p.side(&b, newTag, len(p.text)-len(rest))
	if new.ending == "" {
		return p.truncated(at, newTag)
	}
	for _, tag := range [...][]byte{p.outer, attrs, newAttrs} {
		edit := &Block{Op: OpEdit, Replace: tag} // not a deletion, whatever the new text is
		if p.doubt.Line == 0 && asksOtherIn(tag, edit) {
			p.doubt = newFault(diagnosis.Unsupported, b.Lines[0], tag, ExpectedReplacement, RemedyReplacement)
		}
	}
	// Indented text next to <new_text>, above other lines, may be a remark: "<new_text> (fixed)".
	remark := lineOf(new.content)
	if !old.glued && new.glued && len(remark) < len(new.content) && len(text.Margin(remark)) > 0 {
		p.markUnclear(new.start, remark)
	}
	b.Search, b.Replace, b.Lines[1] = old.content, new.content, p.line(new.end)
	p.finish(b, opener)
	switch {
	case new.ending == wrapEnd:
		return new.next, false
	case p.outer == nil && new.ending == "<"+oldTag+">":
		return p.lineStart(new.next), false
	}
	return new.next, p.outer != nil
}

// truncated adds a fault about an unfinished edit at an offset, which lacks the closing tag called
// due. Like edit, it returns the offset where the envelope ends, and false.
func (p *pairs) truncated(at int, due string) (end int, more bool) {
	p.refuse(diagnosis.Truncated, at, []byte("<"+oldTag+">"), "</"+due+">")
	return len(p.text), false
}

// pairHints reads the line numbers and the path from the attributes of the opening tag into b.
func pairHints(b *Block, attrs []byte) {
	number := func(name string) int {
		n, _ := strconv.Atoi(attribute(string(attrs), name))
		return n
	}
	b.StartLine = cmp.Or(number("line"), number("start_line"))
	b.EndLine = number("end_line")
	b.Path = cmp.Or(attribute(string(attrs), "path"), attribute(string(attrs), "file_path"))
}

// side is one side of an edit.
type side struct {
	content []byte
	start   int    // offset of the content
	end     int    // offset of the tag that ends it
	next    int    // offset after that tag, or of the tag itself if it opens the next side
	ending  string // the tag that ends it, or "" if none does
	glued   bool   // text follows the opening tag on its line
}

// side reads the side called name, from the offset after its opening tag to the tag that ends it.
// If no tag ends it, ending is "". If a tag other than its own does, b gets a warning. If the
// side may have been meant to end elsewhere, the current edit is marked as unclear.
func (p *pairs) side(b *Block, name string, from int) side {
	s := side{start: from, glued: true} // glued: text follows the tag on its line
	if next, ok := p.endsLine(from); ok {
		s.start, s.glued = next, false
	}
	for at := s.start; ; at++ {
		i := bytes.IndexByte(p.text[at:], '<')
		if i < 0 {
			return s
		}
		at += i
		if s.ending = p.endTag(at, name); s.ending != "" {
			s.end, s.next = at, at
			break
		}
	}
	if s.ending[1] == '/' { // an opening tag is read again, as the next side's
		s.next += len(s.ending)
	}
	s.content = withoutLastBlanks(p.text[s.start:s.end:s.end])
	p.checkEnd(&s)
	if s.ending != "</"+name+">" {
		b.Warnings = append(b.Warnings, warning.OddMarkers.Say("<%s> is closed by %s", name, s.ending))
		if name == newTag && text.Blank(s.content) { // the new text may be below that tag
			p.markUnclear(s.end, []byte(s.ending))
		}
	}
	return s
}

// endTag returns the tag at an offset if it may end the side called name; otherwise it returns "".
// The opening tag of the next side counts only at the beginning of a line.
func (p *pairs) endTag(at int, name string) string {
	for _, tag := range [...]string{"</" + oldTag + ">", "</" + newTag + ">", wrapEnd} {
		if bytes.HasPrefix(p.text[at:], []byte(tag)) && (tag != wrapEnd || p.outer != nil) {
			return tag
		}
	}
	next := newTag
	if name == newTag {
		next = oldTag
	}
	if _, _, ok := openTag(p.text[at:], next); ok && p.beginsLine(at) {
		return "<" + next + ">"
	}
	return ""
}

// checkEnd marks the current edit as unclear if a side should perhaps end elsewhere: a line in it
// resembles a tag, decoration is before the closing tag, or text is after the tag.
func (p *pairs) checkEnd(s *side) {
	at := s.start
	for line := range bytes.Lines(s.content) {
		if likePairTag(line) {
			p.markUnclear(at, line)
		}
		at += len(line)
	}
	before := s.content[bytes.LastIndexByte(s.content, '\n')+1:]
	signs := "#/*->+|;%_.<!` \\"
	if bytes.HasSuffix(before, []byte(" ")) {
		signs += "0123456789)" // the number of a list's item
	}
	if !s.glued && len(before) > 0 && len(bytes.Trim(before, signs)) == 0 { // "> </old_text>"
		p.markUnclear(s.end, before)
	}
	if tail := bytes.TrimSpace(p.head(s.next)); len(tail) > 0 && tail[0] != '<' {
		p.markUnclear(s.end, tail)
	}
}

// finish adds the block of an edit or, if the edit is unclear, the fault that says why. opener is
// the offset of the new side's tag, whose indentation is removed from a new file's text.
func (p *pairs) finish(b Block, opener int) {
	if p.doubt.Line > 0 {
		p.reported = true
		p.faults = append(p.faults, p.doubt)
		return
	}
	if len(b.Search) == 0 {
		b.Op = OpCreate
		margin := text.Margin(p.text[p.lineStart(opener):])
		if p.beginsLine(opener) && len(margin) > 0 && mdline.HaveMargin(b.Replace, margin) {
			b.Replace = mdline.WithoutMargin(b.Replace, margin, false /* unescape */)
		}
	}
	p.blocks = append(p.blocks, b)
}

// likePairTag reports whether a line begins with a tag of either side, perhaps with a typo.
func likePairTag(line []byte) bool {
	name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("<"))
	if !ok || len(name) > maxTag {
		return false
	}
	name = bytes.TrimLeft(name, "/ ")
	if end := bytes.IndexAny(name, "> "); end >= 0 {
		name = name[:end]
	}
	return Nearly(string(name), oldTag) || Nearly(string(name), newTag)
}
