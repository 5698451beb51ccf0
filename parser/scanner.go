package parser

import (
	"bytes"
	"io"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/attempt"
	"github.com/srpatch/srpatch/parser/internal/chatlog"
)

// Item is one part of a reply: exactly one of Block, Shell, Noticed and Diagnostic is set. Attempt comes with the diagnostics of
// blocks.
type Item struct {
	Block      *Block
	Shell      *Shell
	Noticed    *Noticed
	Diagnostic *Diagnostic
	Attempt    *Attempt
}

// Scanner reads a reply as it arrives. Each item is available as soon as it is certain: a block with the line end of its closer, except for
// those that depend on the lines after them, such as a block in a fence whose REPLACE is empty, or one for the file of the block
// before, as a name may be below it. The edits of an envelope come at its end. How the input is cut into chunks makes no difference.
// Scanner keeps little more than the block at hand in memory.
type Scanner struct {
	req    request
	in     lines
	ctx    context
	out    output
	log    chatlog.Log
	quote  quote
	block  openBlock
	env    openEnvelope
	wholes wholeFiles
	watch  attempt.Watchers
	others otherForms
	line   attempt.Line // the line at hand, outside of blocks
	begun  bool         // the first line was looked at, see isJSONLog
	cut    bool         // see CutOff
}

// NewScanner reads a reply from src.
func NewScanner(src io.Reader, opts ...Option) *Scanner {
	s := newScanner(opts)
	s.in.src, s.in.copies = src, true
	s.in.buf = make([]byte, bufferSize)
	return s
}

// lookBack is how much of the text before a block is searched for its name.
const lookBack = 4 << 10

func newScanner(opts []Option) *Scanner {
	s := &Scanner{}
	s.req.maxBlock, s.req.maxLine = defaultMaxBlock, defaultMaxLine
	s.in.line, s.in.owner, s.out.left.line = 1, s, 1
	s.ctx.in, s.ctx.req = &s.in, &s.req
	s.block.in, s.block.ctx, s.block.req = &s.in, &s.ctx, &s.req
	s.out.in, s.out.ctx, s.out.req = &s.in, &s.ctx, &s.req
	for _, o := range opts {
		o(s)
	}
	s.in.maxLine = s.req.maxLine
	_, dialect := fsm.DialectNamed(s.req.format)
	s.line.Scene = &s.ctx
	s.watch.Begin(attempt.Request{Format: s.req.format, Markers: s.req.format == "" || dialect, Bare: s.req.bare})
	return s
}

// Scan advances to the next item. It returns false at the end of the reply and on an error, see [Scanner.Err].
func (s *Scanner) Scan() bool {
	if s.req.wholes {
		return s.scanWholes()
	}
	return s.scan()
}

func (s *Scanner) scan() bool {
	for s.out.empty() {
		if s.in.err != nil || s.out.over || !s.advance() {
			if s.noticeOthers() {
				break
			}
			s.out.item = Item{}
			return false
		}
	}
	s.out.next()
	s.others.note(s.out.item)
	return true
}

// Item returns what the last Scan found.
func (s *Scanner) Item() Item { return s.out.item }

// Err returns the error of the reader that ended the scan. The end of the input is none.
func (s *Scanner) Err() error { return s.in.err }

// CutOff reports, once Scan has returned false, whether the input ended within an edit: a diagnostic says within which.
func (s *Scanner) CutOff() bool { return s.cut }

// Items yields the rest of the reply. Ask [Scanner.Err] afterwards.
func (s *Scanner) Items() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for s.Scan() && yield(s.out.item) {
		}
	}
}

// advance reads lines until there is an item or the input ends.
func (s *Scanner) advance() bool {
	if !s.begun {
		s.watchOthers()
		if s.begun = true; s.log.Undecided() && s.isJSONLog() {
			s.out.over = true
			s.out.emit(Item{Diagnostic: jsonLog()})
			return true
		}
	}
	for len(s.out.queue) == 0 {
		n, ok := s.in.next()
		switch {
		case ok && n-s.in.pos > s.req.maxLine:
			s.passOver(n)
		case ok && s.in.line == 1:
			s.firstLine(n)
		case ok:
			s.route(s.in.pos, n)
		case s.in.err != nil:
			s.out.flush()
			return len(s.out.queue) > 0
		case !s.finish():
			return len(s.out.queue) > 0
		}
	}
	return true
}

// isJSONLog looks at the beginning of the reply before its first line is read.
func (s *Scanner) isJSONLog() bool {
	if n, ok := s.in.next(); !ok || !beginsJSON(s.in.buf[s.in.pos:n]) {
		return false
	}
	for s.in.end-s.in.pos < headSize && !s.in.eof && s.in.err == nil {
		s.in.fill()
	}
	return isJSONLog(s.in.buf[s.in.pos:s.in.end])
}

// firstLine reads the first line, which ends at n: it may have a byte order mark, or be all of the input.
func (s *Scanner) firstLine(n int) {
	switch bom := []byte("\ufeff"); {
	case s.in.endsInCR(n):
		s.in.splitAtCR(n)
	case bytes.HasPrefix(s.in.buf[s.in.pos:n], bom):
		s.route(s.in.pos+len(bom), n)
	default:
		s.route(s.in.pos, n)
	}
}

// passOver reports the line that ends at n, which is too long, along with the block or envelope that it is part of.
func (s *Scanner) passOver(n int) {
	if s.env.current != nil {
		s.endEnvelope()
		return // lines that the envelope gave back come first
	}
	line := s.in.line
	s.in.pos, s.in.searched = n, n
	s.in.line++
	if s.block.m.State() != fsm.Outside {
		s.reject(longLine, n, n)
		return
	}
	s.ctx.outside = n
	s.out.refuse(s.req.tooLong(line), line, line)
}

// needed is the lowest offset that may still be read.
func (s *Scanner) needed() int {
	if s.env.current != nil {
		s.env.bind(&s.ctx)
	}
	var low int
	switch {
	case s.env.current != nil:
		low = min(s.env.recent[0], s.in.pos-lookBack) // it may turn out to be prose with names in it
		if s.in.pos-s.env.start <= maxLookAgain {
			low = min(low, s.env.start-lookBack)
		}
		low = max(s.ctx.outside, low, 0)
	case s.block.m.State() != fsm.Outside:
		low = max(s.ctx.outside, s.block.blockStart()-lookBack, 0)
	default:
		low = max(s.ctx.outside, s.in.pos-lookBack, 0)
	}
	if f := s.ctx.top(); f != nil && f.shell && !f.hasEdit {
		if s.in.pos-f.start > maxShell {
			f.shell = false
		} else {
			low = min(low, f.start)
		}
	}
	for _, f := range s.ctx.fences {
		if !f.hasEdit && s.in.pos-f.start <= s.req.maxFence() {
			low = min(low, max(s.ctx.outside, f.start-lookBack, 0)) // a name above it tells what it is
		}
	}
	if v := &s.out.left; s.in.pos-v.start <= 2*maxStretch {
		low = min(low, max(v.start, 0))
	}
	if e := &s.ctx.element; e.line > 0 && e.start >= s.ctx.outside && s.in.pos-e.start <= s.req.maxFence() {
		low = min(low, e.start)
	}
	return low
}

// shift moves every offset down by n.
func (s *Scanner) shift(n int) {
	s.ctx.outside -= n // below 0 where a line that has begun before the buffer is not whole
	s.block.conflict = max(s.block.conflict-n, 0)
	s.block.odd.outside -= n
	s.env.start -= n
	s.out.left.start -= n
	s.ctx.element.start, s.ctx.element.text = s.ctx.element.start-n, s.ctx.element.text-n
	for i := range s.env.recent {
		s.env.recent[i] -= n
	}
	s.block.m.Shift(n)
	s.ctx.docs.shift(n)
	for i := range s.ctx.fences {
		s.ctx.fences[i].start -= n
		s.ctx.fences[i].text -= n
		s.ctx.fences[i].bare -= n
	}
}

func (o *openBlock) blockStart() int {
	_, at := o.m.Opener()
	return at.Start
}

// rewind continues outside of blocks at an offset that was read before, where the given line begins.
func (s *Scanner) rewind(offset, line int) {
	s.in.reread += s.in.pos - offset
	s.in.pos, s.in.searched, s.ctx.outside, s.in.line = offset, offset, offset, line
}

// lineAt is the number of the line that begins at offset, which is in the block at hand.
func (o *openBlock) lineAt(offset int) int {
	_, at := o.m.Opener()
	return at.Line + bytes.Count(o.in.buf[at.Start:offset], []byte("\n"))
}

// number gives a block the next number.
func (s *Scanner) number(b *Block) {
	s.out.blocks++
	b.ID, b.Turn = s.out.blocks, len(s.log.Turns())
	s.ctx.inherit(b.Path, b.Names, b.Inherited)
	s.ctx.inheritLabels(b)
}

// finish handles the end of the input. It reports whether lines were given back, so that reading continues.
func (s *Scanner) finish() bool {
	read := len(s.out.queue)
	open := s.endOpen()
	if !open {
		s.out.endLookahead()
		s.quote.finish(&s.out)
		s.out.endShell()
		s.endElement()
		s.out.endWhole()
		s.out.release()
		s.out.left.end(&s.out)
		s.out.requests.end(&s.out)
	}
	s.cut = s.cut || slices.ContainsFunc(s.out.queue[read:], isTruncated)
	return open && (s.in.pos < s.in.end || len(s.out.queue) > 0)
}

// endOpen ends the envelope or block at hand with the input. It reports whether there was one.
func (s *Scanner) endOpen() bool {
	switch {
	case s.env.current != nil:
		s.endEnvelope()
	case s.block.m.State() != fsm.Outside:
		s.cutOff()
	default:
		return false
	}
	return true
}

func isTruncated(it Item) bool {
	return it.Diagnostic != nil && it.Diagnostic.Code == diagnosis.Truncated
}
