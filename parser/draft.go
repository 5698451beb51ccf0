package parser

import (
	"bytes"
	"unicode/utf8"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// Draft is the block between markers that the input is in, as far as it has come: see [Scanner.Draft].
type Draft struct {
	// Path is the file that the block is for; "" if the reply names none, or as long as it is not certain.
	Path string
	// Lines are the opener's line, which will be the block's first one too, and the last line of what is here.
	Lines [2]int
	// Search and Replace are the two sides so far. They are valid until the next Scan.
	Search, Replace []byte
	// InReplace says that the divider was read.
	InReplace bool
	// Closed says that the block has ended: lines after it decide what it means.
	Closed bool
	// StartLine and EndLine are the hints, 1-based; 0 if none.
	StartLine, EndLine int
}

// Draft returns the block that has begun and was not yet handed out, for a preview. It takes time in proportion to the text of
// the block, and none where it is not called; [WithPauses] says when to call it.
//
// There will be a block with this first line, whose Path is that of the draft unless that is "", and whose Search begins with that
// of the draft; or a diagnostic says that there is none. In two cases Search may differ: if the markers are indented and a later
// line of the block is not, no line loses that margin; if a "-------" is the first line of both sides, it is text. Replace is a
// guess: a line like the divider may turn out to be text, then Search goes on; and of a block without a closer the end of Replace
// is known when the next one begins. Of a line that is not complete only what is certainly text is in a draft, and no part of a
// character.
//
// What may be a merge conflict, and the formats of other tools, have no drafts: what they are is known at their end.
func (s *Scanner) Draft() (Draft, bool) {
	if b := s.out.ahead.block; b != nil && s.out.ahead.below != belowCall { // a call may come to nothing
		return Draft{Path: b.Path, Lines: b.Lines, Search: b.Search, Replace: b.Replace, InReplace: true, Closed: true,
			StartLine: b.StartLine, EndLine: b.EndLine}, true
	}
	if s.block.m.State() == fsm.Outside || s.block.dialect().Tentative() {
		return Draft{}, false
	}
	end, line := s.in.pos, s.in.line-1
	if n := s.begunLine(); n > 0 {
		end, line = end+n, line+1
	}
	return s.block.draft(end, line), true
}

// begunLine is how many bytes of the line at hand, which is not complete, are text whatever follows.
func (s *Scanner) begunLine() int {
	if !s.in.paused {
		return 0
	}
	text := s.in.buf[s.in.pos:s.in.end]
	for _, c := range text {
		if c != ' ' && c != '\t' {
			if special[c]&1 != 0 {
				return 0
			}
			return len(text) - begunRune(text)
		}
	}
	return 0
}

// begunRune is the length of a character at the end of a text that is not complete.
func begunRune(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// draft is the block as far as offset end, which is in the given line.
func (o *openBlock) draft(end, line int) Draft {
	_, at := o.m.Opener()
	base := o.m.Body()
	d := Draft{Lines: [2]int{at.Line, line}}
	d.StartLine, d.EndLine = o.m.Hints()
	if closer, _, ok := o.m.Closer(); ok {
		end = closer.Start // which counts if no better one follows
	}
	body := o.in.buf[base:end]
	splits := o.m.Splits(end)
	prefix := o.dedent(body, splits)
	start, divider, next, own := base, end, end, false
	for _, split := range splits {
		if !split.HintAfter {
			divider, next, own, d.InReplace = split.Start, split.End, split.Own, true
			break
		}
	}
	if sep, ok := o.m.Separator(); ok {
		switch {
		case !d.InReplace || !o.separates(next, end):
			start = sep.End
		case !own: // the divider may be text yet, and this line as well
			start = divider
		}
	}
	side := func(from, to int) []byte {
		return mdline.WithoutMargin(o.in.buf[min(from, to):to], prefix, o.m.Escapes())
	}
	d.Search, d.Replace = side(start, divider), side(next, end)
	if mayBeTarget(d.Search) || !(len(splits) > 0 && splits[0].Own) && o.mayBeMarked(body) {
		d.Search = nil
	}
	d.Path = o.draftPath(len(d.Search) > 0)
	return d
}

// mayBeMarked reports whether the text of a block begins as a quotation does and its opener does not: what divides it will tell whether
// the marks are content, see dedent.
func (o *openBlock) mayBeMarked(body []byte) bool {
	opener, _ := o.m.Opener()
	return len(opener.Prefix) == 0 && bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte(">"))
}

// draftPath is the file of the block at hand, unless another line of SEARCH decides about it: see give and complete.
func (o *openBlock) draftPath(searches bool) string {
	b := &o.binding
	if !searches && (b.doubt || b.inherited && o.otherLanguage(b.path)) {
		return ""
	}
	return b.path
}
