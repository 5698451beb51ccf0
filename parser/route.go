package parser

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// route reads the line from offset start to n, which is outside blocks, with the first stage that
// takes it.
func (s *scanner) route(start, n int) {
	l := &s.line
	*l = line{s.in.buf[start:n], firstByte(s.in.buf[start:n]), fsm.Pos{Line: s.in.line, Start: start, End: n}}
	s.in.pos = n
	s.in.line++
	if end := s.quotes.properEnd; end != "" && bytes.Contains(l.raw, []byte(end)) &&
		s.quotes.refuseDrafts(end, l.at.Line) {
		return // the thought really ends here, so the edits above may be drafts
	}
	for i := range s.stages {
		st := &s.stages[i]
		if (st.first == "" || strings.IndexByte(st.first, l.first) >= 0) && st.read(s, l) {
			return
		}
	}
}

// firstByte returns the first byte of a line that isn't a blank or a tab, or 0 if there is none.
func firstByte(line []byte) byte {
	for _, c := range line {
		if c != ' ' && c != '\t' {
			return c
		}
	}
	return 0
}

// line is a line outside blocks and envelopes.
type line struct {
	raw   []byte
	first byte // first byte after blanks; 0 if there is none
	at    fsm.Pos
}

// stage recognises one kind of line outside blocks and envelopes.
type stage struct {
	first string // first bytes, after blanks, of lines that the stage may take; "" for any
	// read handles the line if the stage takes it, and reports whether it does. If so, no later
	// stage sees the line.
	read func(s *scanner, l *line) bool
}

// order returns the stages in the order in which they see a line, with the reason for each stage's
// place.
func order() [7]stage {
	return [...]stage{
		// A quote hides its contents, so it comes before everything that it may contain.
		{beginQuotes, (*scanner).readQuote},
		// An element that names a file may contain anything, even fences. Its first line may also
		// begin something else, so this stage takes only its last line.
		{"<", (*scanner).readElement},
		// A fence line is recognised without its context, and its language says what the fence
		// contains. A fence for a diff may begin an envelope.
		{"`~<>", (*scanner).readFence},
		// A heading may name files. This stage takes no line, because a heading may also be a
		// marker in a comment.
		{"#", (*scanner).readHeading},
		// Markers have an exact grammar, so they come before guesses.
		{"", (*scanner).readMarker},
		// An envelope is recognised by its first line. If it proves to be something else, its lines
		// are read again.
		{envelope.FirstBytes, (*scanner).readEnvelope},
		// All other lines are prose.
		{"", (*scanner).readProse},
	}
}

func (s *scanner) readQuote(l *line) bool {
	return s.quotes.begin(l.raw, l.at)
}

// readFence opens or closes a fence. A fence that the line closes may give a shell block or a
// notice; one that it opens may begin an envelope or a quote.
func (s *scanner) readFence(l *line) bool {
	closed, ok := s.ctx.fenceLine(l.raw, l.at)
	if !ok {
		return false
	}
	shell := closed != nil && s.out.fenceClosed(*closed, l.at)
	if !s.startFencedDiff(l.at) && !shell {
		s.out.uses.put(prose, l.at.Line, l.at.Line)
	}
	return true
}

func (s *scanner) readHeading(l *line) bool {
	s.ctx.headingLine(l.raw)
	return false
}

// readMarker opens a block if the line is an opener, and reports a closer or a malformed opener as
// a fault. It returns false for other lines, including dividers, which only matter above an opener.
func (s *scanner) readMarker(l *line) bool {
	switch k := fsm.Classify(l.raw); k.Kind {
	case fsm.Opener:
		// An abandoned block, which is read again, contains no other tentative block.
		if !k.Dialect.Tentative() || l.at.Start >= s.block.conflict {
			if s.quoteContent(k, l.at) {
				return true // the edit is part of a quote
			}
			s.open(k, l.at)
			return true
		}
	case fsm.Closer:
		s.strayCloser(l)
		return true
	case fsm.NearOpener:
		if s.quoteContent(fsm.Mark{}, l.at) {
			return true
		}
		s.out.ignoreNextCloser = true
		b := s.ctx.bind(fsm.Mark{}, l.at)
		s.ctx.inherit(b.path, b.names, b.inherited)
		found := strconv.Quote(mdline.Excerpt(k.Rest))
		s.out.refuseOf(inMarkers, s.out.malformedOpener(found, k.Dialect, l.at.Line), l.at.Line, l.at.Line)
		return true
	case fsm.Divider:
		s.block.lastDivider = l.at.Line
	}
	return false
}

func (s *scanner) readProse(l *line) bool {
	s.ctx.hereDocLine(l.raw, l.at)
	s.out.uses.put(prose, l.at.Line, l.at.Line)
	return true
}
