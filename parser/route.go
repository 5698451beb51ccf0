package parser

import (
	"math/bits"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// special has the first bytes, after the indentation, of lines that may be more than text. 1:
// inside of a block, 2: outside.
var special = specialBytes()

func specialBytes() [256]byte {
	table := [256]byte{'<': 3, '=': 3, '>': 3, '-': 3, '+': 3, '|': 3, ':': 3, '\\': 3,
		0xc2: 3, 0xe2: 3, 0xef: 3, // the first bytes of characters that look like a blank or like nothing
		'&': 2, '`': 2, '~': 2, '#': 2, '*': 2}
	for _, c := range []byte(envelope.FirstBytes()) {
		table[c] |= 2
	}
	return table
}

// route reads the line from offset start to n. What has begun is asked first, for it knows what is
// its own: an envelope and a block take every line up to their end, whatever the line looks like.
// Then comes a quote, for what is in it is only shown. Only a line that is the answer's own is
// looked at for what begins with it, and most lines are prose by their first byte.
func (s *scanner) route(start, n int) {
	i := start
	for i < n && (s.in.buf[i] == ' ' || s.in.buf[i] == '\t') {
		i++
	}
	var first, class byte
	if i < n {
		first = s.in.buf[i]
		class = special[first]
	}
	at := fsm.Pos{Line: s.in.line, Start: start, End: n}
	s.in.pos = n
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
	case s.quote.line > 0 && s.quote.read(s.in.buf[start:n], at, &s.out):
	case s.quote.own != "" && s.quote.endsAgain(s.in.buf[start:n], at, &s.out):
	case class&2 != 0:
		table.route(s, s.take(at, first))
	default:
		s.isProse(s.take(at, first))
	}
}

// line is a line outside of blocks and envelopes.
type line struct {
	raw   []byte
	first byte // its first byte after blanks; 0 if there is none
	at    fsm.Pos
}

// stage is asked of a line outside of blocks and envelopes.
type stage struct {
	first string // the bytes with which a line begins, after blanks, that it may take; "" for any
	// takes reports whether the stage takes the line, so that no other is asked.
	takes func(s *scanner, l *line) bool
}

// order is the order in which a line is asked what begins with it. Each row says why it is where it
// is.
func order() [7]stage {
	return [...]stage{
		// A quote hides all that is in it, so it comes before whatever may be in it.
		{beginQuotes, (*scanner).beginsQuote},
		// An element that names a file has anything in it, fences too. Its first line may be more
		// than that, so only its end is taken.
		{"<", (*scanner).isElement},
		// A fence is known by its line alone, and says what the lines in it are. A fence for a diff
		// may begin an envelope.
		{"`~<>", (*scanner).isFence},
		// A heading names files, and takes no line: it may be a marker in a comment as well.
		{"#", (*scanner).isHeading},
		// Markers come before all that is known by its looks: their grammar is exact.
		{"", (*scanner).isMarker},
		// Envelopes say by their first line whether they are one, or give it back.
		{envelope.FirstBytes(), (*scanner).beginsEnvelope},
		// The rest is text.
		{"", (*scanner).isProse},
	}
}

// stages is the table of rows, ready to be asked.
type stages struct {
	rows [7]stage
	any  uint16      // a bit for each row that takes lines with any first byte
	some [256]uint16 // for those that take lines with a certain one
}

var table = newStages()

func newStages() *stages {
	t := &stages{rows: order()}
	for i, row := range t.rows {
		if row.first == "" {
			t.any |= 1 << i
		}
		for _, c := range []byte(row.first) {
			t.some[c] |= 1 << i
		}
	}
	return t
}

// route asks the stages that may take a line.
func (t *stages) route(s *scanner, l *line) {
	for due := t.any | t.some[l.first]; due != 0; due &= due - 1 {
		if t.rows[bits.TrailingZeros16(due)].takes(s, l) {
			return
		}
	}
}

// take makes a line outside of blocks the line at hand. first is its first byte after blanks.
func (s *scanner) take(at fsm.Pos, first byte) *line {
	s.line = line{s.in.buf[at.Start:at.End], first, at}
	return &s.line
}

func (s *scanner) beginsQuote(l *line) bool {
	return s.quote.begin(l.raw, l.at, &s.out)
}

func (s *scanner) isElement(l *line) bool {
	return s.elementLine(l.raw, l.at)
}

func (s *scanner) isFence(l *line) bool {
	closed, ok := s.ctx.fenceLine(l.raw, l.at)
	if !ok {
		return false
	}
	if closed != nil {
		s.out.fenceClosed(*closed, l.at)
	}
	if !s.startFencedDiff(l.raw, l.at) && s.ctx.shell[1] != l.at.Line {
		s.out.uses.put(prose, l.at.Line, l.at.Line)
	}
	return true
}

func (s *scanner) isHeading(l *line) bool {
	s.ctx.headingLine(l.raw)
	return false
}

// isMarker reads a line that may be a marker of a block.
func (s *scanner) isMarker(l *line) bool {
	switch k := fsm.Classify(l.raw); k.Kind {
	case fsm.Opener:
		if s.mayOpen(k.Dialect, l.at) {
			if s.isContent(k, l.at) {
				return true
			}
			s.open(k, l.at)
			return true
		}
	case fsm.Closer:
		s.strayCloser(l)
		return true
	case fsm.NearOpener:
		if s.isContent(fsm.Mark{}, l.at) {
			return true
		}
		s.out.ignoreNextCloser = true
		b := s.ctx.bind(fsm.Mark{}, l.at)
		s.ctx.inherit(b.path, b.names, b.inherited)
		s.out.refuseOf(inMarkers, s.out.malformedOpener(k, l.at.Line), l.at.Line, l.at.Line)
		return true
	case fsm.Divider:
		s.block.lastDivider = l.at.Line
	}
	return false
}

func (s *scanner) beginsEnvelope(l *line) bool {
	return !s.req.bare && s.startEnvelope(l.raw, l.at)
}

func (s *scanner) isProse(l *line) bool {
	s.ctx.hereDocLine(l.raw, l.at)
	s.out.uses.put(prose, l.at.Line, l.at.Line)
	return true
}
