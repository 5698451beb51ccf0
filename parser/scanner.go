package parser

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"github.com/srpatch/srpatch/parser/internal/attempt"
	"github.com/srpatch/srpatch/parser/internal/chatlog"
	"github.com/srpatch/srpatch/parser/internal/envelope"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/text"
)

// Item is one part of a reply: exactly one of Block, Shell and Diagnostic is set. Attempt comes with the diagnostics of
// blocks.
type Item struct {
	Block      *Block
	Shell      *Shell
	Diagnostic *Diagnostic
	Attempt    *Attempt
}

// Scanner reads a reply as it arrives. Each item is available as soon as its last line is read, except for a few that depend on
// the lines after them, such as a block in a fence whose REPLACE is empty. How the input is cut into chunks makes no difference.
// Scanner keeps little more than the block at hand in memory.
type Scanner struct {
	req     request
	in      lines
	ctx     context
	out     output
	log     chatlog.Log
	thought thought
	block   openBlock
	env     openEnvelope
	watch   attempt.Watchers
	line    attempt.Line // the line at hand, outside of blocks
}

// request is what the caller asked for.
type request struct {
	format   string
	maxBlock int
	maxLine  int
	most     int  // blocks and diagnostics; 0 is any number
	bare     bool // markers only: no names, no envelopes, no shell blocks
}

// NewScanner reads a reply from src.
func NewScanner(src io.Reader, opts ...Option) *Scanner {
	s := newScanner(opts)
	s.in.src, s.in.copies = src, true
	s.in.buf = make([]byte, bufferSize)
	return s
}

const (
	bufferSize = 256 << 10
	// lookBack is how much of the text before a block is searched for its name.
	lookBack = 4 << 10
)

func newScanner(opts []Option) *Scanner {
	s := &Scanner{req: request{maxBlock: DefaultMaxBlock, maxLine: DefaultMaxLine}}
	s.in.line = 1
	s.ctx.in, s.ctx.req = &s.in, &s.req
	s.block.in, s.block.ctx, s.block.req = &s.in, &s.ctx, &s.req
	s.out.in, s.out.ctx, s.out.req = &s.in, &s.ctx, &s.req
	for _, o := range opts {
		o(s)
	}
	_, dialect := fsm.DialectNamed(s.req.format)
	s.watch.Begin(attempt.Request{Format: s.req.format, Markers: s.req.format == "" || dialect, Bare: s.req.bare})
	return s
}

// take makes a line outside of blocks the line at hand.
func (s *Scanner) take(at fsm.Pos) *attempt.Line {
	s.line = attempt.Line{Raw: s.in.buf[at.Start:at.End], At: at, Scene: &s.ctx}
	return &s.line
}

// Scan advances to the next item. It returns false at the end of the reply and on an error, see [Scanner.Err].
func (s *Scanner) Scan() bool {
	for s.out.head == len(s.out.queue) {
		s.out.queue, s.out.head = s.out.queue[:0], 0
		if s.in.err != nil || s.out.over || !s.advance() {
			s.out.item = Item{}
			return false
		}
	}
	s.out.item = s.out.queue[s.out.head]
	s.out.queue[s.out.head] = Item{}
	s.out.head++
	if s.out.item.Shell == nil {
		s.count()
	}
	return true
}

// count ends the scan with a diagnostic in place of the first item beyond the limit.
func (s *Scanner) count() {
	if s.out.given++; s.req.most == 0 || s.out.given <= s.req.most {
		return
	}
	line := 0
	if s.out.item.Block != nil {
		line = s.out.item.Block.Lines[0]
	} else {
		line = s.out.item.Diagnostic.Line
	}
	s.out.item = Item{Diagnostic: s.req.tooMany(line)}
	s.out.queue, s.out.head, s.out.over = s.out.queue[:0], 0, true
}

// Item returns what the last Scan found.
func (s *Scanner) Item() Item { return s.out.item }

// Err returns the error of the reader that ended the scan. The end of the input is none.
func (s *Scanner) Err() error { return s.in.err }

// Items yields the rest of the reply. Ask [Scanner.Err] afterwards.
func (s *Scanner) Items() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for s.Scan() && yield(s.out.item) {
		}
	}
}

// special has the first bytes, after the indentation, of lines that may be more than text. 1: inside of a block, 2: outside.
var special = specialBytes()

func specialBytes() [256]byte {
	table := [256]byte{'<': 3, '=': 3, '>': 3, '-': 3, '+': 3, '|': 3, ':': 3, '\\': 3,
		0xc2: 3, 0xe2: 3, 0xef: 3, // the first bytes of characters that look like a blank or like nothing
		'&': 2, '`': 2, '~': 2, '#': 2, '*': 2, '/': 2, ';': 2, '%': 2, '"': 2, '_': 2, 0x1b: 2, 'F': 2, 'S': 2, 'R': 2}
	for _, c := range []byte(envelope.FirstBytes()) {
		table[c] |= 2
	}
	return table
}

// advance reads lines until there is an item or the input ends.
func (s *Scanner) advance() bool {
	for len(s.out.queue) == 0 {
		n, ok := s.next()
		if !ok {
			if s.in.err != nil {
				if s.out.ahead.block != nil {
					s.out.settle()
				}
				s.out.release()
				return len(s.out.queue) > 0
			}
			if !s.finish() {
				return len(s.out.queue) > 0
			}
			continue
		}
		if n-s.in.pos > s.req.maxLine {
			s.passOver(n)
			continue
		}
		if s.in.line == 1 && s.endsInCR(n) {
			s.in.splitAtCR(n)
			continue
		}
		start := s.in.pos
		if s.in.line == 1 && bytes.HasPrefix(s.in.buf[start:n], []byte("\ufeff")) {
			start += len("\ufeff")
		}
		i := start
		for i < n && (s.in.buf[i] == ' ' || s.in.buf[i] == '\t') {
			i++
		}
		var class byte
		if i < n {
			class = special[s.in.buf[i]]
		}
		at := fsm.Pos{Line: s.in.line, Start: start, End: n}
		s.in.pos, s.in.searched = n, n
		s.in.line++
		switch {
		case s.env.current != nil:
			s.envelopeLine(at)
		case s.block.m.State() != fsm.Outside:
			if class&1 != 0 {
				s.inside(at)
			}
			if n-s.block.blockStart() > s.req.maxBlock {
				s.tooLarge()
			}
		case s.log.Open() && s.otherSpeaker(at):
		case s.thought.line > 0:
			s.inThought(s.in.buf[start:n], at)
		case class&2 != 0 || s.watch.Following() || s.out.ahead.block != nil:
			s.outsideLine(at)
		case s.watch.MayBegin(s.in.buf[start:n]) && s.found(s.watch.Prose(s.take(at)), at):
		default:
			s.out.uses.put(prose, at.Line, at.Line)
		}
	}
	return true
}

// endsInCR reports whether the first line, which ends at n, is the whole input and has carriage returns in it, with which old
// systems and some clipboards end lines.
func (s *Scanner) endsInCR(n int) bool {
	if bytes.IndexByte(text.Chomp(s.in.buf[s.in.pos:n]), '\r') < 0 {
		return false
	}
	for n == s.in.end && !s.in.eof && s.in.err == nil {
		s.fill()
	}
	return n == s.in.end && s.in.eof
}

// splitAtCR splits the first line, which ends at n, at its carriage returns.
func (l *lines) splitAtCR(n int) {
	if !l.copies {
		l.buf = bytes.Clone(l.buf[:l.end])
	}
	for i, c := range l.buf[l.pos:n] {
		if c == '\r' && !bytes.Equal(l.buf[l.pos+i:n], []byte("\r\n")) {
			l.buf[l.pos+i] = '\n'
		}
	}
	l.searched = l.pos
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

// next makes the next line available and returns the offset after its line end. It may drop the end of a line that is too long.
func (s *Scanner) next() (end int, ok bool) {
	for {
		if i := bytes.IndexByte(s.in.buf[s.in.searched:s.in.end], '\n'); i >= 0 {
			return s.in.searched + i + 1, true
		}
		s.in.searched = s.in.end
		if s.in.eof {
			return s.in.end, s.in.pos < s.in.end
		}
		if kept := s.in.pos + s.req.maxLine + 1; s.in.end > kept {
			s.in.discarded += s.in.end - kept
			s.in.end, s.in.searched = kept, kept
		}
		s.fill()
		if s.in.err != nil {
			return 0, false
		}
	}
}

// fill reads more input. It discards the bytes before the lowest offset that is still needed, if it needs room.
func (s *Scanner) fill() {
	if s.env.current != nil {
		s.bindEnvelope()
	}
	keep := s.needed()
	if s.in.end == len(s.in.buf) || keep > len(s.in.buf)/2 {
		if s.in.end-keep > len(s.in.buf)/2 {
			bigger := make([]byte, 2*len(s.in.buf))
			copy(bigger, s.in.buf[keep:s.in.end])
			s.in.buf = bigger
		} else {
			copy(s.in.buf, s.in.buf[keep:s.in.end])
		}
		s.shift(keep)
	}
	for range maxEmptyReads {
		n, err := s.in.src.Read(s.in.buf[s.in.end:])
		s.in.end += n
		if err == io.EOF {
			s.in.eof = true
			return
		}
		if err != nil {
			s.in.err = fmt.Errorf("read the reply: %w", err)
			return
		}
		if n > 0 {
			return
		}
	}
	s.in.err = io.ErrNoProgress
}

const maxEmptyReads = 100

// needed is the lowest offset that may still be read.
func (s *Scanner) needed() int {
	var low int
	switch {
	case s.env.current != nil:
		low = max(s.ctx.outside, min(s.env.recent[0], s.in.pos-lookBack), 0) // it may turn out to be prose with names in it
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
	return low
}

// shift moves every offset down by n.
func (s *Scanner) shift(n int) {
	s.in.discarded += n
	s.in.pos, s.in.end, s.in.searched = s.in.pos-n, s.in.end-n, s.in.searched-n
	s.ctx.outside = max(s.ctx.outside-n, 0)
	s.block.conflict = max(s.block.conflict-n, 0)
	s.env.start -= n
	for i := range s.env.recent {
		s.env.recent[i] -= n
	}
	s.block.m.Shift(n)
	for i := range s.ctx.fences {
		s.ctx.fences[i].start -= n
		s.ctx.fences[i].text -= n
	}
}

func (o *openBlock) blockStart() int {
	_, at := o.m.Opener()
	return at.Start
}

func (out *output) emit(it Item) {
	if out.ahead.block != nil {
		out.settle()
	}
	if out.pending.state != pendingNone {
		out.pending.items = append(out.pending.items, it)
		return
	}
	out.queue = append(out.queue, it)
}

// rewind continues outside of blocks at an offset that was read before, where the given line begins.
func (s *Scanner) rewind(offset, line int) {
	s.in.reread += s.in.pos - offset
	s.in.pos, s.in.searched, s.ctx.outside, s.in.line = offset, offset, offset, line
}

// exhausted reports whether more was read again than any reply needs. That happens if each of many blocks seems to contain those
// after it and is given up only at the end of the input, which would take quadratic time.
func (l *lines) exhausted() bool { return l.reread > maxAgain*(l.discarded+l.pos)+bufferSize }

// maxAgain is how often a reply may be read again on average.
const maxAgain = 4

// lineAt is the number of the line that begins at offset, which is in the block at hand.
func (o *openBlock) lineAt(offset int) int {
	_, at := o.m.Opener()
	return at.Line + bytes.Count(o.in.buf[at.Start:offset], []byte("\n"))
}
