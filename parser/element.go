package parser

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// element is an element that names a file and contains its text: <file path="a.py">, <dyad-write
// path="a.py">, <boltAction type="file" filePath="a.py">. Programs that request whole files in tags
// use different element names, so elements are recognised by the attribute.
type element struct {
	line        int    // line of the opening tag; 0 if no element is open
	start, text int    // offsets of the opening tag's line and of the text
	closer      string // closing tag: "</file>"
	path        string
	fences      int  // number of fences open at the opening tag
	sample      bool // the element is an example in code
	searched    int  // bytes of the text already searched for the closing tag
}

// inElement reports whether offset is in the text of the open element, and no edit was read in the
// element.
func (c *context) inElement(offset int) bool {
	e := &c.element
	return e.line > 0 && e.start >= c.outside && e.text <= offset
}

// readElement ends the open element or begins one that names a file, if the line does. It reports
// whether the line begins with the open element's closing tag.
func (s *scanner) readElement(l *line) bool {
	if s.req.bare {
		return false
	}
	e, raw, at := &s.ctx.element, l.raw, l.at
	line := bytes.TrimSpace(raw)
	if e.line > 0 && e.start >= s.ctx.outside { // no edit was read in the element
		if bytes.HasPrefix(line, []byte(e.closer)) {
			s.closeElement(at.Start, at)
			s.out.uses.put(prose, at.Line, at.Line)
			return true
		}
		if bytes.HasSuffix(line, []byte(e.closer)) {
			s.closeElement(at.Start+bytes.LastIndex(raw, []byte(e.closer)), at)
			return false
		}
		// A tag of the same name begins another element if the closing tag is within a line above.
		opening := "<" + strings.Trim(e.closer, "</>")
		if !bytes.HasPrefix(line, []byte(opening)) || !s.endElementAbove(at.Start) {
			return false // content of the open element
		}
	}
	name, tag, rest := mdline.OpeningTag(line)
	if len(tag) == 0 {
		return false
	}
	if path := mdline.FileAttribute(string(tag)); path != "" && filename.Likely(path) {
		*e = element{line: at.Line, start: at.Start, text: at.End, closer: "</" + string(name) + ">",
			path: path, fences: len(s.ctx.fences)}
		if f := s.ctx.top(); f != nil {
			e.sample = f.code // in a program's text, the element is only an example
		}
		if len(rest) > 0 {
			e.text = at.Start + bytes.LastIndex(raw, rest)
		}
		if i := bytes.Index(rest, []byte(e.closer)); i >= 0 {
			s.closeElement(e.text+i, at)
		}
	}
	return false
}

// closeElement ends the current element, whose text ends at offset end in the line at. If no edit
// was read in the element, its text may be meant as the whole file.
func (s *scanner) closeElement(end int, at fsm.Pos) {
	e := s.ctx.element
	s.ctx.element = element{}
	hasEdit := e.start < s.ctx.outside || e.line <= s.out.refused // or an attempt at one
	if hasEdit || end-e.start > s.req.maxFence() || text.Blank(s.in.buf[e.text:end]) {
		return
	}
	s.ctx.fences = s.ctx.fences[:min(len(s.ctx.fences), e.fences)] // those in the text end with it
	n := &Noticed{
		Code: wholeFile, Lines: [2]int{e.line, at.Line}, Path: e.path,
		What: "text in an element that names a file",
	}
	if s.req.wholes && !e.sample {
		text, warnings := envelope.WholeElement(e.path, s.in.buf[e.text:end])
		n.whole = s.out.wholeBlock(n, text, warnings)
	}
	if !e.sample { // the fence around the element needs no notice of its own
		s.ctx.markFenceHasEdit()
	}
	s.out.markdown = nil
	s.out.emit(item{Noticed: n})
}

// endElementAbove ends the current element at its closing tag if the tag is before offset end, even
// within a line. It reports whether the tag was found.
func (s *scanner) endElementAbove(end int) bool {
	e := s.ctx.element
	from := e.text + max(0, e.searched-len(e.closer))
	i := bytes.Index(s.in.buf[from:end], []byte(e.closer))
	if i < 0 {
		s.ctx.element.searched = end - e.text
		return false
	}
	i += from - e.text
	s.closeElement(e.text+i, fsm.Pos{Line: e.line + bytes.Count(s.in.buf[e.start:e.text+i], []byte("\n"))})
	return true
}

// endElement ends the current element at the end of the input. If its closing tag is missing, its
// text is refused as cut off if it would be written as a whole file. Otherwise it gives a notice.
func (s *scanner) endElement() {
	e := s.ctx.element
	if e.line == 0 || e.start < s.ctx.outside || s.endElementAbove(len(s.in.buf)) {
		return
	}
	body := s.in.buf[e.text:]
	s.ctx.element = element{}
	switch {
	case text.Blank(body):
	case s.req.wholes && !e.sample && e.line > s.out.refused: // no edit in it was refused already
		s.out.refuse(cutWhole(e.line, e.path, e.closer), e.line, s.in.line-1)
	default:
		s.out.emitNoticed(Noticed{Code: wholeFile, Lines: [2]int{e.line, s.in.line - 1}, Path: e.path,
			What: "text in an element that names a file and is not closed"})
	}
}
