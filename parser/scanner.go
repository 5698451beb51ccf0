package parser

import (
	"bytes"
	"fmt"
	"io"
	"iter"

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
	// the request
	src      io.Reader
	format   string
	maxBlock int
	maxLine  int
	most     int  // blocks and diagnostics; 0 is any number
	bare     bool // markers only: no names, no envelopes, no shell blocks
	copies   bool // the buffer is reused, so blocks need their own bytes

	// the buffer: buf[pos:end] is unread
	buf       []byte
	pos, end  int
	searched  int // no line end in buf[pos:searched]
	line      int // 1-based number of the line at pos
	eof       bool
	err       error
	discarded int // bytes of the input before buf
	reread    int // bytes that were read more than once

	// what was read
	queue           []Item
	head            int // first unread item of queue
	item            Item
	blocks          int
	given           int  // blocks and diagnostics that Scan returned
	over            bool // there were too many
	uses            *lineUses
	outside         int // offset of the first line after the last block: names are not searched before it
	fences          []fence
	heading         heading
	inherited       string
	inheritedNames  []Name // names offered for the block from which inherited comes
	inheritedLabels []string
	bareOf          string // what bareName was made from
	bareName        string
	seenHead        bool
	exampleShown    bool // a diagnostic showed a correct example
	log             chatlog.Log
	shellEnd        int // number of the line that closed the last shell block

	// the block at hand
	m                fsm.Machine
	binding          binding
	conflict         int // lines before this offset open no tentative block: they are part of a merge conflict
	pending          pending
	lookahead        lookahead
	ignoreNextCloser bool
	lastDivider      int // number of the last divider line outside of blocks
	attempt          attempts
	thought          thought

	// scratch
	above  [maxLinesAbove][]byte
	starts [2]int
	single [1]Reading

	// the envelope at hand
	env               envelope.Envelope
	envStart, envLine int
	envSize           int
	envRecent         [envelope.MaxUnread]int // offsets of the last lines
	envBinding        binding
	envBound          bool // envBinding is known
}

// NewScanner reads a reply from src.
func NewScanner(src io.Reader, opts ...Option) *Scanner {
	s := newScanner(opts)
	s.src, s.copies = src, true
	s.buf = make([]byte, bufferSize)
	return s
}

const (
	bufferSize = 256 << 10
	// lookBack is how much of the text before a block is searched for its name.
	lookBack = 4 << 10
)

func newScanner(opts []Option) *Scanner {
	s := &Scanner{line: 1, maxBlock: DefaultMaxBlock, maxLine: DefaultMaxLine}
	for _, o := range opts {
		o(s)
	}
	return s
}

// Scan advances to the next item. It returns false at the end of the reply and on an error, see [Scanner.Err].
func (s *Scanner) Scan() bool {
	for s.head == len(s.queue) {
		s.queue, s.head = s.queue[:0], 0
		if s.err != nil || s.over || !s.advance() {
			s.item = Item{}
			return false
		}
	}
	s.item = s.queue[s.head]
	s.queue[s.head] = Item{}
	s.head++
	if s.item.Shell == nil {
		s.count()
	}
	return true
}

// count ends the scan with a diagnostic in place of the first item beyond the limit.
func (s *Scanner) count() {
	if s.given++; s.most == 0 || s.given <= s.most {
		return
	}
	line := 0
	if s.item.Block != nil {
		line = s.item.Block.Lines[0]
	} else {
		line = s.item.Diagnostic.Line
	}
	s.item = Item{Diagnostic: s.tooMany(line)}
	s.queue, s.head, s.over = s.queue[:0], 0, true
}

// Item returns what the last Scan found.
func (s *Scanner) Item() Item { return s.item }

// Err returns the error of the reader that ended the scan. The end of the input is none.
func (s *Scanner) Err() error { return s.err }

// Items yields the rest of the reply. Ask [Scanner.Err] afterwards.
func (s *Scanner) Items() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for s.Scan() && yield(s.item) {
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
	for len(s.queue) == 0 {
		n, ok := s.next()
		if !ok {
			if s.err != nil {
				if s.lookahead.block != nil {
					s.settle()
				}
				s.release()
				return len(s.queue) > 0
			}
			if !s.finish() {
				return len(s.queue) > 0
			}
			continue
		}
		if n-s.pos > s.maxLine {
			s.passOver(n)
			continue
		}
		if s.line == 1 && s.endsInCR(n) {
			s.splitAtCR(n)
			continue
		}
		start := s.pos
		if s.line == 1 && bytes.HasPrefix(s.buf[start:n], []byte("\ufeff")) {
			start += len("\ufeff")
		}
		i := start
		for i < n && (s.buf[i] == ' ' || s.buf[i] == '\t') {
			i++
		}
		var class byte
		if i < n {
			class = special[s.buf[i]]
		}
		at := fsm.Pos{Line: s.line, Start: start, End: n}
		s.pos, s.searched = n, n
		s.line++
		switch {
		case s.env != nil:
			s.envelopeLine(at)
		case s.m.State() != fsm.Outside:
			if class&1 != 0 {
				s.inside(at)
			}
			if n-s.blockStart() > s.maxBlock {
				s.tooLarge()
			}
		case s.log.Open() && s.otherSpeaker(at):
		case s.thought.line > 0:
			s.inThought(s.buf[start:n], at)
		case class&2 != 0 || s.attempt.json.lines > 0 || s.lookahead.block != nil:
			s.outsideLine(at)
		case (s.attempt.call.lines > 0 || mayCall(s.buf[start:n])) && s.watchCall(s.buf[start:n], at):
		default:
			s.uses.put(prose, at.Line, at.Line)
		}
	}
	return true
}

// endsInCR reports whether the first line, which ends at n, is the whole input and has carriage returns in it, with which old
// systems and some clipboards end lines.
func (s *Scanner) endsInCR(n int) bool {
	if bytes.IndexByte(text.Chomp(s.buf[s.pos:n]), '\r') < 0 {
		return false
	}
	for n == s.end && !s.eof && s.err == nil {
		s.fill()
	}
	return n == s.end && s.eof
}

// splitAtCR splits the first line, which ends at n, at its carriage returns.
func (s *Scanner) splitAtCR(n int) {
	if !s.copies {
		s.buf = bytes.Clone(s.buf[:s.end])
	}
	for i, c := range s.buf[s.pos:n] {
		if c == '\r' && !bytes.Equal(s.buf[s.pos+i:n], []byte("\r\n")) {
			s.buf[s.pos+i] = '\n'
		}
	}
	s.searched = s.pos
}

// passOver reports the line that ends at n, which is too long, along with the block or envelope that it is part of.
func (s *Scanner) passOver(n int) {
	if s.env != nil {
		s.endEnvelope()
		return // lines that the envelope gave back come first
	}
	line := s.line
	s.pos, s.searched = n, n
	s.line++
	if s.m.State() != fsm.Outside {
		s.reject(longLine, n, n)
		return
	}
	s.outside = n
	s.refuse(s.tooLong(line), line, line)
}

// next makes the next line available and returns the offset after its line end. It may drop the end of a line that is too long.
func (s *Scanner) next() (end int, ok bool) {
	for {
		if i := bytes.IndexByte(s.buf[s.searched:s.end], '\n'); i >= 0 {
			return s.searched + i + 1, true
		}
		s.searched = s.end
		if s.eof {
			return s.end, s.pos < s.end
		}
		if kept := s.pos + s.maxLine + 1; s.end > kept {
			s.discarded += s.end - kept
			s.end, s.searched = kept, kept
		}
		s.fill()
		if s.err != nil {
			return 0, false
		}
	}
}

// fill reads more input. It discards the bytes before the lowest offset that is still needed, if it needs room.
func (s *Scanner) fill() {
	if s.env != nil {
		s.bindEnvelope()
	}
	keep := s.needed()
	if s.end == len(s.buf) || keep > len(s.buf)/2 {
		if s.end-keep > len(s.buf)/2 {
			bigger := make([]byte, 2*len(s.buf))
			copy(bigger, s.buf[keep:s.end])
			s.buf = bigger
		} else {
			copy(s.buf, s.buf[keep:s.end])
		}
		s.shift(keep)
	}
	for range maxEmptyReads {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += n
		if err == io.EOF {
			s.eof = true
			return
		}
		if err != nil {
			s.err = fmt.Errorf("read the reply: %w", err)
			return
		}
		if n > 0 {
			return
		}
	}
	s.err = io.ErrNoProgress
}

const maxEmptyReads = 100

// needed is the lowest offset that may still be read.
func (s *Scanner) needed() int {
	var low int
	switch {
	case s.env != nil:
		low = max(s.outside, min(s.envRecent[0], s.pos-lookBack), 0) // it may turn out to be prose with names in it
	case s.m.State() != fsm.Outside:
		low = max(s.outside, s.blockStart()-lookBack, 0)
	default:
		low = max(s.outside, s.pos-lookBack, 0)
	}
	if f := s.top(); f != nil && f.shell && !f.hasEdit {
		if s.pos-f.start > maxShell {
			f.shell = false
		} else {
			low = min(low, f.start)
		}
	}
	return low
}

// shift moves every offset down by n.
func (s *Scanner) shift(n int) {
	s.discarded += n
	s.pos, s.end, s.searched = s.pos-n, s.end-n, s.searched-n
	s.outside = max(s.outside-n, 0)
	s.conflict = max(s.conflict-n, 0)
	s.envStart -= n
	for i := range s.envRecent {
		s.envRecent[i] -= n
	}
	s.m.Shift(n)
	for i := range s.fences {
		s.fences[i].start -= n
		s.fences[i].text -= n
	}
}

func (s *Scanner) blockStart() int {
	_, at := s.m.Opener()
	return at.Start
}

func (s *Scanner) emit(it Item) {
	if s.lookahead.block != nil {
		s.settle()
	}
	if s.pending.state != pendingNone {
		s.pending.items = append(s.pending.items, it)
		return
	}
	s.queue = append(s.queue, it)
}

// rewind continues outside of blocks at an offset that was read before, where the given line begins.
func (s *Scanner) rewind(offset, line int) {
	s.reread += s.pos - offset
	s.pos, s.searched, s.outside, s.line = offset, offset, offset, line
}

// exhausted reports whether more was read again than any reply needs. That happens if each of many blocks seems to contain those
// after it and is given up only at the end of the input, which would take quadratic time.
func (s *Scanner) exhausted() bool { return s.reread > maxAgain*(s.discarded+s.pos)+bufferSize }

// maxAgain is how often a reply may be read again on average.
const maxAgain = 4

// lineAt is the number of the line that begins at offset, which is in the block at hand.
func (s *Scanner) lineAt(offset int) int {
	_, at := s.m.Opener()
	return at.Line + bytes.Count(s.buf[at.Start:offset], []byte("\n"))
}
