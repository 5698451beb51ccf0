package strategy

// contextAware yields runs of as many lines as the pattern has whose first and last line equal the
// pattern's, ignoring whitespace at their ends, and which agree with it in at least half of the
// lines between. Pairs of blank lines don't count. A line that equals the first anchor is only
// tried with the nearest line, at least two below it, that equals the last.
func contextAware(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	n := pat.body().Len()
	for first, last := range anchored(doc, pat) {
		if last-first+1 == n && halfEqual(doc, first, pat, n) && !yield(doc.lines(first, n)) {
			return
		}
	}
}

func halfEqual(doc *Document, first int, pat *Pattern, n int) bool {
	equal, counted := 0, 0
	for k := 1; k < n-1; k++ {
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
