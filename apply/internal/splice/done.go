package splice

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// findDone moves the hunks whose result is already in the file from s.ToDo to s.Done, and counts
// the lines that they add in s.DoneAdds. If only the lines that a hunk adds next to a changed line
// are there, it splits the hunk.
func (s *Splice) findDone() {
	var toDo []reading.Hunk
	for _, c := range s.ToDo {
		if !s.checkDone(c) {
			change, unit, ok := s.Reading.Unit(c)
			if !ok || !s.checkUnitDone(unit) {
				toDo = append(toDo, c)
				continue
			}
			toDo, c = append(toDo, change), unit
		}
		s.Done = append(s.Done, c)
		s.DoneAdds += c.R1 - c.R0
	}
	if len(s.Done) == 0 {
		return
	}
	s.ToDo = toDo
	if s.rewritten {
		// Lines that a finished hunk has rewritten say nothing about the margins of other lines.
		gone := s.DoneLines()
		s.margins = s.marginsWithout(func(line int) bool { return gone[line] })
	}
}

// HasResult reports whether the file has the added lines as the splice would write them, at the
// lines that a pairs with REPLACE. Blanks at line ends may be missing, because editors and
// formatters remove them.
func (s *Splice) HasResult(a align.Alignment) bool {
	at := a.BySearch()
	for _, c := range s.Reading.Hunks() {
		for k, line := range s.added(c, s.margins) {
			if f := a[at[c.R0+k]].File; f < 0 && !text.Blank(line) ||
				f >= 0 && !equalButForTrailing(s.Doc.Line(f), line) {
				return false
			}
		}
	}
	return true
}

// equalButForTrailing reports whether two lines are equal, ignoring blanks at their ends.
func equalButForTrailing(a, b []byte) bool {
	return bytes.Equal(bytes.TrimRight(a, " \t"), bytes.TrimRight(b, " \t"))
}

// marginsWithout returns the margins that REPLACE's lines get in the file, judging by all SEARCH
// lines except those for which skip returns true.
func (s *Splice) marginsWithout(skip func(line int) bool) [][]byte {
	return s.byLine(s.evidence(skip).Choose().Margins)
}

// maxRelearned bounds the work, in lines, of learning the indentation around single hunks. Only
// blocks with thousands of lines exceed it; their remaining hunks use the indentation of the whole
// block.
const maxRelearned = 1 << 20

// DoneLines marks the SEARCH lines that finished hunks have replaced.
func (s *Splice) DoneLines() []bool {
	out := make([]bool, s.Search.Len())
	for _, c := range s.Done {
		for i := c.S0; i < c.S1; i++ {
			out[i] = true
		}
	}
	return out
}

// checkDone reports whether the file has exactly the lines that c adds between the kept lines
// around c, or whether c deletes blank lines that the file lacks. It may set s.rewritten; see
// checkDoneAt.
//
// If an insertion begins with a line equal to the one after it, or ends with a line equal to the
// one before it, moving it one line down or up gives the same result. It's enough if one of these
// positions is done.
func (s *Splice) checkDone(c reading.Hunk) bool {
	if s.checkDoneAt(c) {
		return true
	}
	if c.S0 < c.S1 {
		return c.R0 == c.R1 && s.lacksBlanks(c)
	}
	for d := c; d.S0 > 0 && d.R0 > 0 && bytes.Equal(s.Search.Line(d.S0-1), s.Replace.Line(d.R1-1)); {
		d = d.Moved(-1)
		if s.checkDoneAt(d) {
			return true
		}
	}
	for d := c; d.S1 < s.Search.Len() && d.R1 < s.Replace.Len() &&
		bytes.Equal(s.Search.Line(d.S1), s.Replace.Line(d.R0)); {
		d = d.Moved(1)
		if s.checkDoneAt(d) {
			return true
		}
	}
	return false
}

// checkUnitDone is checkDone for an addition next to lines that are still unchanged. Only a
// distinctive line that SEARCH lacks proves that the addition is done.
func (s *Splice) checkUnitDone(c reading.Hunk) bool {
	proves := func(line []byte) bool { return text.Telling(line) && !s.Search.HasLine(line) }
	return s.Reading.AddsIn(c, proves) && s.checkDone(c)
}

// lacksBlanks reports whether c deletes only blank lines, some of which the file has, but of the run
// of blank lines in SEARCH that contains them, the file lacks at least as many as c deletes. It's
// unknown which ones are missing, so the remaining ones aren't deleted.
func (s *Splice) lacksBlanks(c reading.Hunk) bool {
	from, to := c.S0, c.S1
	for from > 0 && s.Blank(from-1) {
		from--
	}
	for to < s.Search.Len() && s.Blank(to) {
		to++
	}
	missing, there := 0, false // there: the file has a line that c deletes
	for i := from; i < to; i++ {
		own := c.S0 <= i && i < c.S1
		switch lacks := s.Alignment[s.At[i]].File < 0; {
		case own && !s.Blank(i):
			return false
		case lacks:
			missing++
		default:
			there = there || own
		}
	}
	return there && missing >= c.S1-c.S0
}

// checkDoneAt reports whether the file has exactly the lines that c adds between the kept lines
// around c: with the margins that they get there or, if c has rewritten lines, with the margins
// learned without these. In the second case it sets s.rewritten.
func (s *Splice) checkDoneAt(c reading.Hunk) bool {
	if s.isDoneWith(c, s.margins) {
		return true
	}
	if c.S0 == c.S1 || c.R0 == c.R1 || s.margins == nil {
		return false
	}
	missing := func(line []byte) bool { return !s.Doc.HasLine(line) }
	if slices.ContainsFunc(s.unmerged(c, nil), missing) {
		return false // no need to learn the indentation again
	}
	// If c was applied before, the lines that it changes have the indentation of its result.
	if s.relearned += len(s.Alignment); s.relearned > maxRelearned {
		return false
	}
	done := s.isDoneWith(c, s.marginsWithout(func(line int) bool { return line >= c.S0 && line < c.S1 }))
	s.rewritten = s.rewritten || done
	return done
}

// isDoneWith reports whether the file has exactly the lines that c adds, indented by margins,
// between the kept lines around c. If the position isn't certain, one of the lines must be
// distinctive.
func (s *Splice) isDoneWith(c reading.Hunk, margins [][]byte) bool {
	want := s.unmerged(c, margins)
	telling := slices.ContainsFunc(want, func(line []byte) bool { return text.Telling(line) })
	if s.isReindented(c, want) {
		return true // each changed line already has its new margin
	}
	from, to := s.gapBetween(c, func(int) bool { return false })
	switch { // without a kept line on one side, the lines must be next to the other side
	case from < 0 && to < 0:
		return false
	case from < 0:
		return telling && s.linesEqual(to-len(want), to, want) && s.goneBut(c, to-len(want), to)
	case to < 0:
		return telling && s.linesEqual(from, from+len(want), want) && s.goneBut(c, from, from+len(want))
	case len(want) == 0:
		return from == to // the lines to delete are gone
	case s.linesEqual(from, to, want):
		return true
	}
	// A kept line that equals an added line may be paired with either. So the lines may be directly
	// below from or directly above to, if the kept line on their other side may be there, too.
	end, start := from+len(want), to-len(want)
	if s.linesEqual(from, end, want) && s.keptAt(c.S1, end) && s.goneBut(c, from, end) ||
		s.linesEqual(start, to, want) && s.keptAt(c.S0-1, start-1) && s.goneBut(c, start, to) {
		return telling
	}
	// Blank lines at the borders may be paired with kept blank lines.
	from, to = s.Gap(c)
	want = slices.DeleteFunc(want, text.Blank)
	if from < 0 || to < 0 || len(want) == 0 {
		return false
	}
	var have [][]byte
	for f := from; f < to; f++ {
		if line := s.Doc.Line(f); !text.Blank(line) {
			have = append(have, line)
		}
	}
	return slices.EqualFunc(have, want, bytes.Equal)
}

// Gap returns the range of file lines, end exclusive, between the nearest SEARCH lines above and
// below c that the file has and that aren't blank. If there is no such line above or below, from or
// to is -1.
func (s *Splice) Gap(c reading.Hunk) (from, to int) { return s.gapBetween(c, s.Blank) }

// gapBetween returns the range of file lines between the nearest SEARCH lines above and below c
// that the file has and for which skip is false; see [Splice.Gap].
func (s *Splice) gapBetween(c reading.Hunk, skip func(i int) bool) (from, to int) {
	from, to = -1, -1
	for i := c.S0 - 1; i >= 0 && from < 0; i-- {
		if f := s.Alignment[s.At[i]].File; f >= 0 && !skip(i) {
			from = f + 1
		}
	}
	for i := c.S1; i < s.Search.Len() && to < 0; i++ {
		if !skip(i) {
			to = s.Alignment[s.At[i]].File
		}
	}
	return from, to
}

// isReindented reports whether c only changes the indentation of its lines, and the file has want,
// the lines that c adds, instead.
func (s *Splice) isReindented(c reading.Hunk, want [][]byte) bool {
	if c.S1-c.S0 != c.R1-c.R0 {
		return false
	}
	for k, line := range want {
		was, now := bytes.TrimLeft(s.Search.Line(c.S0+k), " \t"), bytes.TrimLeft(s.Replace.Line(c.R0+k), " \t")
		f := s.Alignment[s.At[c.S0+k]].File
		if !bytes.Equal(was, now) || f < 0 || !bytes.Equal(s.Doc.Line(f), line) {
			return false
		}
	}
	return true
}

// goneBut reports whether the lines that c deletes are gone from the file, ignoring the file lines
// from to to-1, which c is assumed to have added. It returns true unless c drops more lines than it
// adds.
func (s *Splice) goneBut(c reading.Hunk, from, to int) bool {
	if !c.Shrinks() {
		return true // a line next to its replacement is just a similar line
	}
	for i := c.S0; i < c.S1; i++ {
		q := s.Alignment[s.At[i]]
		if q.File >= 0 && q.Relation < align.Similar && (q.File < from || q.File >= to) {
			return false
		}
	}
	return true
}

// keptAt reports whether file line f may be SEARCH line i: the two are equal, ignoring blanks, and
// line f has the same depth as the line that i is paired with.
func (s *Splice) keptAt(i, f int) bool {
	if i < 0 || i >= s.Search.Len() || f < 0 || f >= s.Doc.Len() || s.Search.Key(i) != s.Doc.Key(f) {
		return false
	}
	at := s.Alignment[s.At[i]].File
	return at < 0 || bytes.Equal(text.Margin(s.Doc.Line(at)), text.Margin(s.Doc.Line(f)))
}

// linesEqual reports whether the file lines from from to to-1 equal want.
func (s *Splice) linesEqual(from, to int, want [][]byte) bool {
	if from < 0 || to > s.Doc.Len() || to-from != len(want) {
		return false
	}
	for i, line := range want {
		if !bytes.Equal(s.Doc.Line(from+i), line) {
			return false
		}
	}
	return true
}
