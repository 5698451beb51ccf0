package parser

import (
	"math/bits"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// special says by a line's first byte after the indentation whether it may be more than text. The
// values are bits: 1 for lines inside a block, 2 for lines outside.
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

// route reads the line from offset start to n. An open envelope or block takes every line up to its
// end, whatever the line looks like. Then comes an open quote, whose lines are only shown. Only the
// remaining lines are tested for what they begin, and their first byte shows that most are prose.
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
	case s.quote.properEnd != "" && s.quote.endsAgain(s.in.buf[start:n], at, &s.out):
	case class&2 != 0:
		table.route(s, s.setLine(at, first))
	default:
		s.isProse(s.setLine(at, first))
	}
}

// line is a line outside of blocks and envelopes.
type line struct {
	raw   []byte
	first byte // its first byte after blanks; 0 if there is none
	at    fsm.Pos
}

// stage recognises one kind of line outside of blocks and envelopes.
type stage struct {
	first string // first bytes, after blanks, of the lines that it may take; "" for any
	// takes reports whether the stage takes the line. Then no other stage gets it.
	takes func(s *scanner, l *line) bool
}

// order lists the stages in the order in which a line is passed to them, with the reason for each.
func order() [7]stage {
	return [...]stage{
		// A quote hides everything in it, so it comes before whatever may be in it.
		{beginQuotes, (*scanner).beginsQuote},
		// An element that names a file may contain anything, even fences. Its first line may be more
		// than that, so it takes only its last line.
		{"<", (*scanner).isElement},
		// A fence is known by its line alone and says what its lines are. A fence for a diff
		// may begin an envelope.
		{"`~<>", (*scanner).isFence},
		// A heading names files. It takes no line, because that may also be a marker in a comment.
		{"#", (*scanner).isHeading},
		// Markers have an exact grammar, so they come before guesses.
		{"", (*scanner).isMarker},
		// An envelope recognises its first line, or gives its lines back.
		{envelope.FirstBytes(), (*scanner).beginsEnvelope},
		// The rest is text.
		{"", (*scanner).isProse},
	}
}

// stages is the table of rows, indexed by first byte.
type stages struct {
	rows [7]stage
	any  uint16      // a bit for each row that takes lines with any first byte
	some [256]uint16 // a bit for each row that takes lines with this first byte
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

// route passes a line to the stages that may take it, until one does.
func (t *stages) route(s *scanner, l *line) {
	for due := t.any | t.some[l.first]; due != 0; due &= due - 1 {
		if t.rows[bits.TrailingZeros16(due)].takes(s, l) {
			return
		}
	}
}

// setLine makes a line outside of blocks the current line. first is its first byte after blanks.
func (s *scanner) setLine(at fsm.Pos, first byte) *line {
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
