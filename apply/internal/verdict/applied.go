package verdict

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// This file finds out whether the block was applied before. There are two kinds of evidence. If
// SEARCH is aligned with the file, each hunk whose result is in the file is done (see
// [splice.Splice]), and a block whose hunks are all done was applied. If REPLACE occurs instead, an
// added line must prove that it's the block's result: the line is distinctive and occurs once, or
// is between kept lines, or is at the hinted line. In both cases the lines that the block deletes
// must be gone. A deleted line that is still there means that the block was applied only in part,
// or never.

// halfDeleted objects to a deletion at an end of SEARCH if other hunks are done, because nothing
// shows that the lines there are the ones that the block means.
func (t *trial) halfDeleted(c reading.Hunk) *Objection {
	if len(t.Done) > 0 && c.R0 == c.R1 && (c.S0 == 0 || c.S1 == t.Search.Len()) {
		return t.about(c.S0)
	}
	return nil
}

// partlyThere objects if the file already has a line that c adds: as an extra line in the gap
// between the kept lines above and below c, or where the same insertion could equally be made. A
// bracket that c adds may be there already, too. Beyond an end of SEARCH, a line counts only if it
// differs from an added line in its quotes.
func (t *trial) partlyThere(c reading.Hunk) *Objection {
	all, own := t.gapAround(c)
	if t.closesAgain(c, own) {
		return &Objection{File: own.first + 1}
	}
	for f := all.first; f < all.end; f++ {
		line := t.Doc.Line(f)
		if !t.unseen(f) || text.Blank(line) {
			continue
		}
		if own.first <= f && f < own.end && t.adds(c, f) || text.HasWord(line) && t.addsRequoted(c, line) {
			return &Objection{File: f + 1}
		}
	}
	return nil
}

// gapAround returns the file lines where lines that c adds may be. own are those between the kept
// lines above and below c. If the file lacks SEARCH lines next to c, nearby lines count, too,
// because the added ones may be just outside the alignment. all also includes lines beyond the ends
// of SEARCH.
func (t *trial) gapAround(c reading.Hunk) (all, own lineRange) {
	up, down := t.slides(c, -1), t.slides(c, 1)
	from, _ := t.Gap(up)
	_, to := t.Gap(down)
	first, end := t.Alignment.Span()
	n := c.R1 - c.R0
	all, own = lineRange{from, to}, lineRange{from, to}
	switch lacks := up.S0 > 0 && t.lacksBetween(up.S0-1, up.S1); {
	case from < 0: // no line above c is in the file: they and c's lines may be above the alignment
		all.first, own.first = max(0, first-n-up.S0), first
		if up.S0 > 0 {
			own.first = all.first
		}
	case lacks: // the line found above may be one that c adds
		all.first = max(0, from-n)
		own.first = all.first
	}
	if to < 0 { // no line below c is in the file
		all.end, own.end = min(t.Doc.Len(), end+n+t.Search.Len()-down.S1), end
		if down.S1 < t.Search.Len() {
			own.end = all.end
		}
	}
	return all, own
}

// adds reports whether c adds file line f, or the same line with or without a comment at its end.
// The added line must have a word, which may be in the comment.
func (t *trial) adds(c reading.Hunk, f int) bool {
	for r := c.R0; r < c.R1; r++ {
		added := t.Replace.Line(r)
		if text.HasWord(added) && (t.Replace.Key(r) == t.Doc.Key(f) || text.DifferInComment(added, t.Doc.Line(f))) {
			return true
		}
	}
	return false
}

// lacksBetween reports whether the file lacks one of SEARCH's lines from from to to-1.
func (t *trial) lacksBetween(from, to int) bool {
	for i := from; i < to; i++ {
		if t.relation(i) >= align.Missing {
			return true
		}
	}
	return false
}

// lacksEnd objects to an insertion that counts as done if SEARCH has a line next to it that the
// file lacks and that equals the first or last line of the insertion. The file has only one of
// these two lines, so either may be the missing one: a "}" that closes the inserted function, or
// the one after it.
func (t *trial) lacksEnd() *Objection {
	search, replace := t.Search.Keys(), t.Replace.Keys()
	for _, c := range t.Done {
		if c.S0 < c.S1 {
			continue
		}
		if i := c.S0 - 1; i >= 0 && t.relation(i) == align.Missing && search[i] == replace[c.R1-1] {
			return t.about(i)
		}
		if i := c.S1; i < len(search) && t.relation(i) == align.Missing && search[i] == replace[c.R0] {
			return t.about(i)
		}
	}
	return nil
}

// slides returns the insertion c moved as far up (by is -1) or down (1) as possible without
// changing the result, ignoring comments. For example, inserting "a }" below a kept "}" is the same
// as inserting "} a" above it. A hunk that drops lines isn't moved.
func (t *trial) slides(c reading.Hunk, by int) reading.Hunk {
	same := func(i, r int) bool {
		return !t.changed[i] && (t.Search.Key(i) == t.Replace.Key(r) ||
			text.DifferInComment(t.Search.Line(i), t.Replace.Line(r)))
	}
	for c.S0 == c.S1 {
		switch {
		case by < 0 && min(c.S0, c.R0) > 0 && same(c.S0-1, c.R1-1):
		case by > 0 && c.S1 < t.Search.Len() && c.R1 < t.Replace.Len() && same(c.S1, c.R0):
		default:
			return c
		}
		c = c.Moved(by)
	}
	return c
}

// closesAgain reports whether c only adds lines without words, such as brackets, and the file
// already has the first of them directly below the kept line above c, although SEARCH doesn't. If
// no line above c is in the file, it must be at own.first.
func (t *trial) closesAgain(c reading.Hunk, own lineRange) bool {
	f := own.first
	if from, _ := t.Gap(c); from >= 0 {
		f = from
	}
	if c.S0 < c.S1 || f >= t.Doc.Len() || !t.unseen(f) || t.Doc.Key(f) != t.Replace.Key(c.R0) {
		return false
	}
	return !t.Reading.AddsIn(c, text.HasWord)
}

// lineRange is a range of file lines, end exclusive.
type lineRange struct{ first, end int }

// addsRequoted reports whether c adds the line with single and double quotes swapped.
func (t *trial) addsRequoted(c reading.Hunk, line []byte) bool {
	if bytes.IndexByte(line, '"') < 0 && bytes.IndexByte(line, '\'') < 0 {
		return false
	}
	line = text.InOneQuote(line)
	return t.Reading.AddsIn(c, func(added []byte) bool {
		return bytes.Equal(text.InOneQuote(added), line) && !t.Search.HasLine(added)
	})
}

// addedElsewhere reports whether the file already has all the lines that the block adds, each hunk
// next to a line that it keeps, and one of them is distinctive. That may be the intended place
// after the block was applied. For a block that only deletes, the file must have all the lines that
// it keeps.
func (t *trial) addedElsewhere() bool {
	if !t.Reading.Adds() {
		return t.Reading.Keeps() && hasRun(t.Doc, t.Replace, 0, t.Replace.Len())
	}
	telling := false
	for _, c := range t.ToDo {
		if c.R0 == c.R1 {
			continue
		}
		above := c.R0 > 0 && hasRun(t.Doc, t.Replace, c.R0-1, c.R1)
		if !above && (c.R1 == t.Replace.Len() || !hasRun(t.Doc, t.Replace, c.R0, c.R1+1)) {
			return false
		}
		telling = telling || t.judge.bringsIn(t.Reading, c)
	}
	return telling
}

// hasRun reports whether doc has the lines from to to-1 of part in a row.
func hasRun(doc, part *strategy.Document, from, to int) bool {
	for range strategy.KeyWindows(doc, (&strategy.Pattern{Document: part}).Slice(from, to)) {
		return true
	}
	return false
}

// bringsIn reports whether c adds a line that only the block can have added: it's distinctive, has
// content of its own, and isn't in SEARCH, ignoring blanks, so it can't have been there before.
func (j *Judge) bringsIn(v *reading.Reading, c reading.Hunk) bool {
	return v.AddsIn(c, func(line []byte) bool {
		return j.Distinctive(line) && !text.Routine(line) && !v.Search.HasLine(line)
	})
}

// IsResult reports whether the document's lines from first on, which equal REPLACE, prove that the
// block was applied. If distinctive is set, only a distinctive added line counts as proof.
func (j *Judge) IsResult(v *reading.Reading, first int, distinctive bool) bool {
	if j.LeavesOver(v, first) {
		return false
	}
	if !v.Adds() {
		return !distinctive && j.isCutOff(v, first)
	}
	if v.Search.Hint == first+1 && !distinctive {
		return true // the block names this line
	}
	// The kept lines above and below an added line prove it, too.
	return slices.ContainsFunc(v.Hunks(), func(c reading.Hunk) bool {
		return !distinctive && 0 < c.R0 && c.R0 < c.R1 && c.R1 < v.Replace.Len() || j.bringsIn(v, c)
	})
}

// isCutOff reports whether a block that only deletes lines at the end of SEARCH was applied. The
// document has REPLACE, the kept lines, from line first on. At least minKept of these and one
// deleted line must be distinctive. No such deleted line may be anywhere in the document, and
// nothing similar may follow the kept lines.
func (j *Judge) isCutOff(v *reading.Reading, first int) bool {
	hunks, kept, gone := v.Hunks(), 0, 0 // kept and gone count distinctive lines
	if len(hunks) != 1 || hunks[0].S1 < v.Search.Len() {
		return false
	}
	for r := range v.Replace.Len() {
		if text.Telling(v.Replace.Line(r)) {
			kept++
		}
	}
	end := first + v.Replace.Len()
	for i := hunks[0].S0; i < hunks[0].S1; i++ {
		line := v.Search.Line(i)
		if !text.Telling(line) {
			continue
		}
		gone++
		if slices.Contains(j.doc.Keys(), v.Search.Key(i)) {
			return false
		}
		for f := end; f < min(j.doc.Len(), end+v.Search.Len()); f++ {
			if text.ShareTokens(line, j.doc.Line(f)) {
				return false
			}
		}
	}
	return kept >= minKept && gone > 0
}

// minKept is how many distinctive lines a block must keep for its result to be recognized only by
// kept lines.
const minKept = 2

// HasWords reports whether a, which pairs SEARCH with lines of the document, has all lines of
// SEARCH except for typos and punctuation.
func (j *Judge) HasWords(v *reading.Reading, a align.Alignment) bool {
	return !slices.ContainsFunc(a, func(p align.Pair) bool {
		if p.Search < 0 || p.Relation < align.Similar {
			return false
		}
		search, file := v.Search.Line(p.Search), j.doc.Line(max(0, p.File))
		return p.Relation > align.Similar || !sameWords(search, file) && j.words.compare(search, file, asKept) != slip
	})
}

// sameWords reports whether two lines have the same words in the same order.
func sameWords(a, b []byte) bool {
	words := func(line []byte) [][]byte {
		return slices.DeleteFunc(text.Tokens(line), func(t []byte) bool { return !text.BeginsWithWord(t) })
	}
	return slices.EqualFunc(words(a), words(b), bytes.Equal)
}

// LeavesOver reports whether lines that the block deletes still occur directly above or below
// REPLACE, which begins at line first of the document. If so, the block isn't fully applied. Beyond
// an end of SEARCH where the block deletes lines, any distinctive line proves it. Elsewhere, only a
// line with a lot of text does.
func (j *Judge) LeavesOver(v *reading.Reading, first int) bool {
	end := first + v.Replace.Len()
	for _, c := range v.Hunks() {
		above, below := muchWeight, muchWeight // that a line must have to prove it
		if c.Shrinks() && c.S0 == 0 {
			above = tellingWeight
		}
		if c.Shrinks() && c.S1 == v.Search.Len() {
			below = tellingWeight
		}
		if n := c.S1 - c.S0; j.stillThere(v, c, first-n, first, above) || j.stillThere(v, c, end, end+n, below) {
			return true
		}
	}
	return false
}

// tellingWeight and muchWeight are minimum weights of lines. The first is the weight required by
// [text.Telling], and the second takes a few words to reach.
const (
	tellingWeight = 5
	muchWeight    = 8
)

// withoutMark returns the trimmed line without a line number, a bar or any other mark of quoted
// text.
func withoutMark(line []byte) []byte {
	return bytes.TrimSpace(bytes.TrimLeft(bytes.TrimSpace(line), "0123456789:.|>+-*#│ \t"))
}

// maxLeftOver is how many deleted lines are compared with every line, ignoring typos and
// punctuation.
const maxLeftOver = 64

// stillThere reports whether the document's lines from from to to-1 include a line that c deletes
// and that has at least the given weight. If c drops more lines than it adds, typos, punctuation
// and marks of quoted text are ignored, but only in short hunks.
func (j *Judge) stillThere(v *reading.Reading, c reading.Hunk, from, to, weight int) bool {
	for i := c.S0; i < c.S1; i++ {
		line := v.Search.Line(i)
		if text.Weight(line) < weight || v.Replace.HasLine(line) {
			continue // an "end" may belong to something else, and a line in REPLACE isn't deleted
		}
		bare := withoutMark(line)
		bent := c.Shrinks() && c.S1-c.S0 <= maxLeftOver && text.Telling(bare)
		for f := max(0, from); f < min(j.doc.Len(), to); f++ {
			if j.doc.Key(f) == v.Search.Key(i) {
				return true
			}
			if bent && j.words.compare(bare, withoutMark(j.doc.Line(f)), asChanged) == slip {
				return true
			}
		}
	}
	return false
}
