package splice

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// maxWays bounds in how many ways a block is offered for one place.
const maxWays = 2

// Ways are the edits that the block may mean at a place to which something objects: what a person can be offered. It is one way where
// the result is known, and two where the file and the block put something else into the same place, so that the order is open. There are
// none where nothing says what the result is.
//
// A change of the file and one of the block may meet in an offer as long as both come out whole: within a line they must not touch
// the same tokens, and what the file has of a hunk's result must be a part of it, in order. differs says of a SEARCH line which the block
// changes that the file has another one there.
func (s *Splice) Ways(differs func(i int) bool) [][]Edit {
	ways := [][]Edit{nil}
	for _, c := range s.ToDo {
		var longer [][]Edit
		for _, edits := range s.waysOf(c, differs) {
			for _, way := range ways {
				longer = append(longer, slices.Concat(way, edits))
			}
		}
		if ways = longer; len(ways) > maxWays {
			return nil
		}
	}
	return ways
}

// waysOf are the edits by which c may be made.
func (s *Splice) waysOf(c reading.Hunk, differs func(i int) bool) [][]Edit {
	from, to := s.Bounds(c, false)
	bounded := from >= 0 && from <= to
	there, only := s.resultIn(c, from, to)
	first, end, all := s.own(c)
	switch {
	case bounded && len(there) > 0 && only:
		return [][]Edit{{s.completed(c, from, to, there)}}
	case len(there) > 0, !all:
		return nil
	case first == end:
		return s.insertions(c)
	case !bounded && s.resultNear(c, first, end):
		return nil
	case s.hasUnseen(first, end) && c.R0 < c.R1:
		return nil // they may belong before what comes in, or after it; where nothing does, they stay
	case s.meet(c, differs):
		return s.inBothOrders(c, differs)
	case s.mergesWhole(c, differs):
		return [][]Edit{s.made(c)}
	}
	return nil
}

// insertions are the ways to make c, which drops nothing that the file has: before and after lines that SEARCH does not know.
func (s *Splice) insertions(c reading.Hunk) [][]Edit {
	above, below := s.paired(c.S0-1)+1, s.paired(c.S1)
	switch {
	case above == 0 || below < 0:
		if at := s.gap(c.S0); s.resultNear(c, at, at) {
			return nil
		}
		return [][]Edit{s.made(c)}
	case !s.hasUnseen(above, below):
		return [][]Edit{s.made(c)}
	case s.resembles(c, above, below):
		return nil
	}
	return [][]Edit{s.insertedAt(above, c), s.insertedAt(below, c)}
}

// meet reports whether the file and c put something else into the same place of a line.
func (s *Splice) meet(c reading.Hunk, differs func(i int) bool) bool {
	if c.S1-c.S0 != c.R1-c.R0 {
		return false
	}
	for i := c.S0; i < c.S1; i++ {
		if s.Alignment[s.At[i]].File >= 0 && differs(i) {
			if _, ok := s.merged(c.R0+i-c.S0, c); !ok {
				return true
			}
		}
	}
	return false
}

// inBothOrders are the two ways to make c where it meets what the file has.
func (s *Splice) inBothOrders(c reading.Hunk, differs func(i int) bool) (ways [][]Edit) {
	defer func() { s.order = unordered }()
	for _, s.order = range []order{theirsFirst, oursFirst} {
		if s.mergesWhole(c, differs) {
			ways = append(ways, s.made(c))
		}
	}
	if len(ways) == 2 && slices.EqualFunc(ways[0], ways[1], func(a, b Edit) bool { return bytes.Equal(a.Text, b.Text) }) {
		return ways[:1]
	}
	return ways
}

// own is the range of the file lines that are aligned with SEARCH lines of c, an empty one if there are none, and whether all of these that
// are not blank have one.
func (s *Splice) own(c reading.Hunk) (first, end int, all bool) {
	first, end, all = -1, -1, true
	for i := c.S0; i < c.S1; i++ {
		switch f := s.Alignment[s.At[i]].File; {
		case f < 0:
			all = all && s.Blank(i)
		case first < 0:
			first, end = f, f+1
		default:
			end = f + 1
		}
	}
	return first, end, all
}

// resultIn finds which of the lines that c adds the file has from line from to line to-1, in order. only says that the file has no other
// lines there than these and those that c drops, blank ones aside.
func (s *Splice) resultIn(c reading.Hunk, from, to int) (there map[int]int, only bool) {
	there, only = map[int]int{}, true
	r := c.R0
	for f := max(0, from); f < to; f++ {
		line := s.Doc.Line(f)
		if text.Blank(line) {
			continue
		}
		dropped := slices.Contains(s.Search.Keys()[c.S0:c.S1], s.Doc.Key(f))
		k := slices.Index(s.Replace.Keys()[r:c.R1], s.Doc.Key(f))
		switch {
		case k >= 0 && !dropped:
			there[r+k] = f
			r += k + 1
		case !dropped:
			only = false
		}
	}
	return there, only
}

// resultNear reports whether one of the lines that c adds, and that says something, may be in the file next to its lines first to end-1.
// Where SEARCH ends at c, nothing else shows that they are there.
func (s *Splice) resultNear(c reading.Hunk, first, end int) bool {
	n := c.R1 - c.R0
	for f := max(0, first-n); f < min(s.Doc.Len(), end+n); f++ {
		if line := s.Doc.Line(f); text.HasWord(line) && !s.mentions(f) && s.adds(c, line) {
			return true
		}
	}
	return false
}

// adds reports whether c adds line, blanks and the sort of quotes aside.
func (s *Splice) adds(c reading.Hunk, line []byte) bool {
	for r := c.R0; r < c.R1; r++ {
		if bytes.Equal(text.InOneQuote(line), text.InOneQuote(s.Replace.Line(r))) {
			return true
		}
	}
	return false
}

// mentions reports whether a line of SEARCH is aligned with file line f.
func (s *Splice) mentions(f int) bool {
	return slices.ContainsFunc(s.Alignment, func(q align.Pair) bool { return q.File == f && (q.Search >= 0 || q.Relation == align.Reflowed) })
}

// hasUnseen reports whether the file has a line from from to to-1 that is not blank, and that SEARCH does not know.
func (s *Splice) hasUnseen(from, to int) bool {
	for f := from; f < to; f++ {
		if !text.Blank(s.Doc.Line(f)) && !s.mentions(f) {
			return true
		}
	}
	return false
}

// resembles reports whether a file line from from to to-1 may be one that c adds, in another form.
func (s *Splice) resembles(c reading.Hunk, from, to int) bool {
	for f := from; f < to; f++ {
		for r := c.R0; r < c.R1; r++ {
			if a, b := s.Doc.Line(f), s.Replace.Line(r); text.HasWord(a) && text.ShareTokens(a, b) {
				return true
			}
		}
	}
	return false
}

// mergesWhole reports whether each line that c changes, and that the file has otherwise, has its own line in REPLACE, in which both changes
// come out whole.
func (s *Splice) mergesWhole(c reading.Hunk, differs func(i int) bool) bool {
	for i := c.S0; i < c.S1; i++ {
		if s.Alignment[s.At[i]].File < 0 || !differs(i) {
			continue
		}
		if c.S1-c.S0 != c.R1-c.R0 {
			return false
		}
		base, ours, theirs := s.Search.Line(i), s.Doc.Line(s.Alignment[s.At[i]].File), s.Replace.Line(c.R0+i-c.S0)
		merged, ok := s.merged(c.R0+i-c.S0, c)
		if !ok || !apart(base, ours, theirs) || balance(merged)+balance(base) != balance(ours)+balance(theirs) {
			return false
		}
	}
	return true
}

// balance is how many brackets a line opens more than it closes.
func balance(line []byte) int { return unclosed(piecesOf(bytes.Trim(line, " \t"))) }

// made are the edits of c as they are.
func (s *Splice) made(c reading.Hunk) []Edit {
	return s.alone(func() { s.change(c) })
}

// insertedAt are the edits of c, which only adds lines, before file line f.
func (s *Splice) insertedAt(f int, c reading.Hunk) []Edit {
	return s.alone(func() { s.insert(f, c) })
}

// alone are the edits that do makes.
func (s *Splice) alone(do func()) []Edit {
	before := s.edits
	s.edits = nil
	do()
	out := s.edits
	s.edits = before
	return out
}

// completed puts what c adds in the place of the file lines from to to-1, which are of the old text and of the new one; lines of the new
// one, by REPLACE line in there, stay as they are.
func (s *Splice) completed(c reading.Hunk, from, to int, there map[int]int) Edit {
	var out []byte
	for k, line := range s.asSaid(c, s.margins) {
		if f, ok := there[c.R0+k]; ok {
			line = s.Doc.Line(f)
		}
		out = append(append(out, line...), s.eol(from)...)
	}
	return Edit{s.Doc.Start(from), s.Doc.Start(to), out}
}

// paired is the file line that SEARCH line i is paired with, -1 if there is none.
func (s *Splice) paired(i int) int {
	if i < 0 || i >= s.Search.Len() || s.Alignment[s.At[i]].Relation > align.Similar {
		return -1
	}
	return s.Alignment[s.At[i]].File
}
