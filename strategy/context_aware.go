package strategy

// contextAware yields runs of lines that begin and end like the pattern, the whitespace around
// lines aside, have as many lines and agree with it in at least half of the lines between, pairs of
// blank lines not counted. A line that equals the first anchor is tried with the nearest line, at
// least two below it, that equals the last, and with no other.
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
