package strategy

import (
	"bytes"
	"iter"
)

// trimmedBoundary handles patterns that begin or end with whitespace, and yields nothing for
// others. It yields the places where the trimmed pattern occurs, then each run of lines, as long as
// the untrimmed pattern, that equals the trimmed pattern once it is trimmed itself.
//
// In a document of lines, each place is yielded once: as a run of the pattern's length if there are
// enough blank lines around it, otherwise as only the lines of the trimmed pattern.
func trimmedBoundary(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	n := pat.Len()
	if n == 0 {
		return
	}
	text := pat.text[:pat.End(n-1)]
	find := trimECMA(text)
	if len(find) == len(text) { // there is nothing to trim
		return
	}
	if doc.raw && !textPlaces(doc, find, yield) {
		return
	}
	if len(find) == 0 {
		blankRuns(doc, n, yield)
		return
	}
	inner := NewVerbatim(find)
	if !doc.raw {
		inner = NewDocument(find)
	}
	m := inner.Len()
	for i := range bounded(doc, inner) {
		found := false
		if !around(doc, i, i+m-1, pat, func(c Candidate) bool { found = true; return yield(c) }) {
			return
		}
		if !found && !doc.raw && !yield(doc.lines(i, m)) {
			return
		}
	}
}

// coreWindows yields the runs of lines with the keys of the pattern's core, unless the core is the
// whole pattern.
func coreWindows(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	if from, to := pat.Core(); to-from < pat.Len() {
		keyWindows(doc, pat.Slice(from, to), yield)
	}
}

// Core returns the range of the pattern's lines without the blank lines at its ends, end exclusive.
// The range is empty if all lines are blank.
func (p *Pattern) Core() (from, to int) {
	to = p.Len()
	for from < to && p.Key(from) == BlankKey {
		from++
	}
	for to > from && p.Key(to-1) == BlankKey {
		to--
	}
	return from, to
}

// textPlaces yields the places of find, without overlaps. It returns false if yield does.
func textPlaces(doc *Document, find []byte, yield func(Candidate) bool) bool {
	if len(find) == 0 {
		return yield(Candidate{})
	}
	return yieldText(disjoint(doc.text, find), len(find), yield)
}

// bounded yields the first line of each run of lines that equals pat, which is trimmed, ignoring
// whitespace at the beginning of the run's first line and at the end of its last. The lines in
// between, if any, are searched for first.
func bounded(doc, pat *Document) iter.Seq[int] {
	last := pat.Len() - 1
	if last == 0 {
		return trimmedWindows(doc, pat)
	}
	inner := upTo(doc.Len())
	if last > 1 {
		inner = equalWindows(doc, pat.part(1, last))
	}
	return func(yield func(int) bool) {
		for second := range inner {
			first := second - 1
			if first >= 0 && first+last < doc.Len() &&
				bytes.Equal(trimLeftECMA(doc.Line(first)), pat.Line(0)) &&
				bytes.Equal(trimRightECMA(doc.Line(first+last)), pat.Line(last)) &&
				!yield(first) {
				return
			}
		}
	}
}
