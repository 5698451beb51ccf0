package strategy

import "iter"

type contextAware struct{}

func (contextAware) Name() string { return "context-aware" }

// Candidates yields runs of lines that begin and end like the pattern, the whitespace around lines aside, have as many lines
// and agree with it in at least half of the lines between, pairs of blank lines not counted. A line that equals the
// first anchor is tried with the nearest line, at least two below it, that equals the last, and with no other.
func (contextAware) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if pat.Len() < anchorLines {
			return
		}
		m := pat.body()
		for first, last := range anchored(doc, pat) {
			if last-first+1 == m && halfEqual(doc, first, pat, m) && !yield(doc.lines(first, m)) {
				return
			}
		}
	}
}

func halfEqual(doc *Document, first int, pat *Pattern, m int) bool {
	equal, counted := 0, 0
	for k := 1; k < m-1; k++ {
		if doc.blank(first+k) && pat.blank(k) {
			continue
		}
		counted++
		if equalTrimmed(doc, first+k, pat.Document, k) {
			equal++
		}
	}
	return 2*equal >= counted
}
