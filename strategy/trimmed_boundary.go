package strategy

import (
	"bytes"
	"iter"
)

type trimmedBoundary struct{}

func (trimmedBoundary) Name() string { return "trimmed-boundary" }

func (trimmedBoundary) Tolerates() Tolerance { return Blanks }

// Candidates is for patterns with whitespace at their borders, and yields nothing for others. It yields where the trimmed
// pattern occurs, then each run of as many lines as the untrimmed pattern has that equals it once trimmed itself.
//
// In a document of lines a place is yielded once: as a run of the pattern's length if the blank lines around it suffice,
// else as the lines of the trimmed pattern alone.
func (trimmedBoundary) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		n := pat.Len()
		if n == 0 {
			return
		}
		text := pat.text[:pat.End(n-1)]
		find := trimECMA(text)
		if len(find) == len(text) {
			return
		}
		if doc.raw && !textPlaces(doc, find, yield) {
			return
		}
		if len(find) == 0 {
			blankRuns(doc, n, yield)
			return
		}
		lead := pat.leadingBlankLines()
		inner := NewDocument(find)
		if doc.raw {
			inner = NewVerbatim(find)
		}
		m := inner.Len()
		for i := range bounded(doc, inner) {
			low, high := doc.windows(i, i+m-1, n)
			if !doc.raw {
				span := doc.lines(i, m)
				if low <= high {
					span = doc.lines(min(max(i-lead, low), high), n)
				}
				if !yield(span) {
					return
				}
				continue
			}
			for ; low <= high; low++ {
				if !yield(doc.lines(low, n)) {
					return
				}
			}
		}
	}
}

// bounded yields the first line of each run of lines that equals pat, which is trimmed, except for whitespace before its first
// line and after its last.
func bounded(doc, pat *Document) iter.Seq[int] {
	last := pat.Len() - 1
	if last == 0 {
		return sequence(doc.Len(), 1,
			func(i, _ int) bool { return equalTrimmed(doc, i, pat, 0) }, nil)
	}
	inner := upTo(doc.Len())
	if last > 1 {
		inner = sequence(doc.Len(), last-1,
			func(i, j int) bool { return equalLines(doc, i, pat, j+1) },
			func(i, j int) bool { return equalLines(pat, i+1, pat, j+1) })
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
