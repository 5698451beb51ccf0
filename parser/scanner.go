package parser

import (
	"bytes"
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

// scanner reads a reply line by line.
type scanner struct {
	req    request
	in     lines
	ctx    context
	out    output
	quotes quotes
	block  openBlock
	wholes wholeFiles
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

// next advances to the next item. It returns false at the end of the reply.
func (s *scanner) next() bool {
	if s.req.wholes {
		return s.scanWholes()
	}
	return s.scan()
}

// scan advances to the next item in the order of the reply. It returns false at the end. Possible
// whole files are only notices here; next can turn them into blocks.
func (s *scanner) scan() bool {
	for s.out.empty() {
		if s.out.over || !s.advance() {
			s.out.item = item{}
			return false
		}
	}
	s.out.next()
	return true
}

// reply reads all items of the reply, adds reports about edits that were missed, and replaces the
// edits that are examples or in other formats than the requested one with notices.
func (s *scanner) reply() *Reply {
	var items []item
	for s.next() {
		items = append(items, s.out.item)
	}
	items = s.unread(withoutExamples(items))
	s.req.filter(items)
	r := &Reply{}
	for _, it := range items {
		r.add(it)
	}
	return r
}

// withoutExamples replaces blocks that may only explain other edits with notices, and numbers the
// remaining blocks. Such a block consists of two labelled texts ("Before:", "After:") without a
// file name of its own, in a reply that also has blocks in another format. items is modified.
func withoutExamples(items []item) []item {
	others := slices.ContainsFunc(items, func(it item) bool {
		return it.Block != nil && it.Block.Dialect != envelope.Labelled
	})
	id := 0
	for i := range items {
		b := items[i].Block
		if b == nil {
			continue
		}
		if others && b.Dialect == envelope.Labelled && (b.Path == "" || b.Inherited) {
			items[i] = item{Noticed: &Noticed{
				Code: likeAnEdit, Lines: b.Lines, Path: b.Path, What: "text that looks like an edit",
			}}
			continue
		}
		id++
		b.ID = id
	}
	return items
}

// advance reads lines until there is an item or the input ends. It reports whether there is one.
func (s *scanner) advance() bool {
	for len(s.out.queue) == 0 {
		n, ok := s.in.next()
		switch {
		case !ok:
			s.finish()
			return len(s.out.queue) > 0
		case n-s.in.pos > s.req.maxLine:
			s.passOver(n)
		default:
			s.route(s.in.pos, n)
		}
	}
	return true
}

// passOver skips a line outside blocks that is too long, which ends at n, and refuses it.
func (s *scanner) passOver(n int) {
	s.out.refuse(s.req.tooLong(s.in.line), s.in.line, s.in.line)
	s.in.pos, s.ctx.outside = n, n
	s.in.line++
}

// blockStart returns the offset of the opener's line.
func (o *openBlock) blockStart() int {
	_, at := o.m.Opener()
	return at.Start
}

// rewind continues outside blocks at an offset that was already read. line is the line number
// there.
func (s *scanner) rewind(offset, line int) {
	s.in.reread += s.in.pos - offset
	s.in.pos, s.in.line = offset, line
}

// lineAt returns the number of the line that begins at offset in the current block.
func (o *openBlock) lineAt(offset int) int {
	_, at := o.m.Opener()
	return at.Line + bytes.Count(o.in.buf[at.Start:offset], []byte("\n"))
}

// number gives a block the next ID and the labels of earlier blocks, and records its names and
// labels for the next block.
func (s *scanner) number(b *Block) {
	s.out.blocks++
	b.ID = s.out.blocks
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
