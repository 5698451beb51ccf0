package strategy

// contextAware yields runs of lines that are as long as the pattern, have the pattern's first and
// last lines, and equal it in at least half of the lines in between, ignoring whitespace at the
// ends of lines. Pairs of blank lines don't count. A line that equals the pattern's first line is
// only tried together with the nearest line, at least two lines below it, that equals the last.
func contextAware(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	n := pat.body().Len()
	for first, last := range anchored(doc, pat) {
		if last-first+1 == n && halfEqual(doc, first, pat, n) && !yield(doc.lines(first, n)) {
			return
		}
	}
}

// halfEqual reports whether at least half of the lines between the first and the last of the n
// lines of doc from first on equal the pattern's lines. Whitespace at the ends of lines is ignored,
// and pairs of blank lines don't count.
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
