package parser

import (
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// item is a part of a reply: exactly one of Block, Shell, Noticed and Diagnostic is set. Attempt
// accompanies the diagnostic of a block.
type item struct {
	Block      *Block
	Shell      *Shell
	Noticed    *Noticed
	Diagnostic *Diagnostic
	Attempt    *Attempt
	// of is the format that a diagnostic is about: a marker dialect, inMarkers or inEnvelope; "" if
	// it may be any format.
	of string
}

// isEdit reports whether an item is an edit or an attempt at one.
func (it item) isEdit() bool { return it.Block != nil || it.Diagnostic != nil }

// lines returns the first and the last line of an item, 1-based.
func (it item) lines() [2]int {
	switch {
	case it.Block != nil:
		return it.Block.Lines
	case it.Shell != nil:
		return it.Shell.Lines
	case it.Noticed != nil:
		return it.Noticed.Lines
	}
	return [2]int{it.Diagnostic.Line, it.Diagnostic.Line}
}

// line returns the first line of an item.
func (it item) line() int { return it.lines()[0] }

// noticeOf returns a notice in place of a block; format and args say what the block is.
func noticeOf(code string, b *Block, format string, args ...any) item {
	return item{Noticed: &Noticed{Code: code, Lines: b.Lines, Path: b.Path, What: fmt.Sprintf(format, args...)}}
}

// scanner reads a reply line by line.
type scanner struct {
	req    request
	in     lines
	ctx    context
	out    output
	quotes quotes
	block  openBlock
	stages [7]stage
	line   line // the current line, outside blocks
}

// lookBack is the number of bytes before a block that are searched for its file name.
const lookBack = 4 << 10

// newScanner returns a scanner for a text whose first line has the given number. Its parts share
// the options and the lines.
func newScanner(text []byte, line int, opts ...Option) *scanner {
	s := &scanner{in: newLines(text, line), stages: order()}
	s.req.maxBlock, s.req.maxLine = defaultMaxBlock, defaultMaxLine
	s.ctx.in, s.ctx.req = &s.in, &s.req
	s.block.in, s.block.ctx, s.block.req = &s.in, &s.ctx, &s.req
	s.out.in, s.out.ctx, s.out.req = &s.in, &s.ctx, &s.req
	s.quotes.out = &s.out
	for _, o := range opts {
		o(&s.req)
	}
	if !s.req.bare && !s.req.shown { // the text is a whole reply
		s.out.uses = &lineUses{above: line - 1}
	}
	return s
}

// reply reads all items of the reply, adds reports about edits that were missed, and replaces the
// edits that are examples or in other formats than the requested one with notices.
func (s *scanner) reply() *Reply {
	for s.advance() {
	}
	items := s.unread(withoutExamples(s.req.wholeFiles(s.out.items)))
	s.req.filter(items)
	r := &Reply{}
	for _, it := range items {
		r.add(it)
	}
	return r
}

// withoutExamples replaces blocks that may only explain other edits with notices. Such a block
// consists of two labelled texts ("Before:", "After:") without a file name of its own, in a reply
// that also has blocks in another format. items is modified.
func withoutExamples(items []item) []item {
	others := slices.ContainsFunc(items, func(it item) bool {
		return it.Block != nil && it.Block.Dialect != envelope.Labelled
	})
	for i, it := range items {
		b := it.Block
		if others && b != nil && b.Dialect == envelope.Labelled && (b.Path == "" || b.Inherited) {
			items[i] = noticeOf(likeAnEdit, b, "text that looks like an edit")
		}
	}
	return items
}

// advance reads the next line outside blocks, and all of what begins there. It returns false at the
// end of the input, or if there are too many edits.
func (s *scanner) advance() bool {
	n, ok := s.in.next()
	switch {
	case s.out.over:
		return false
	case !ok:
		s.finish()
		return false
	case n-s.in.pos > s.req.maxLine:
		s.out.refuse(s.req.tooLong(s.in.line), s.in.line, s.in.line)
		s.in.pos, s.ctx.outside = n, n
		s.in.line++
	default:
		s.route(s.in.pos, n)
	}
	return true
}

// rewind continues outside blocks at an offset that was already read. line is the line number
// there.
func (s *scanner) rewind(offset, line int) {
	s.in.reread += s.in.pos - offset
	s.in.pos, s.in.line = offset, line
}

// count counts a block, gives it the labels of earlier blocks, and records its names and labels for
// the next block.
func (s *scanner) count(b *Block) {
	s.out.blocks++
	s.ctx.inherit(b.Path, b.Names, b.Inherited)
	s.ctx.inheritLabels(b)
}

// finish handles the end of the input outside blocks.
func (s *scanner) finish() {
	s.quotes.finish()
	s.out.endShell()
	s.endElement()
	s.out.endWhole()
}
