package strategy

// exact yields every place where the pattern occurs exactly, including overlapping ones. In a
// document of lines it matches whole lines, ignoring line ends. In a verbatim document it matches
// the text anywhere.
func exact(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	switch {
	case !doc.raw:
		yieldLines(doc, ExactWindows(doc, pat), pat.Len(), yield)
	case len(pat.text) == 0:
		yield(Candidate{})
	default:
		yieldText(occurrences(doc.text, pat.text), len(pat.text), yield)
	}
}

// multiOccurrence yields the places where the pattern occurs exactly, without overlaps, so that all
// of them can be replaced. An empty pattern matches nowhere.
func multiOccurrence(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	switch {
	case len(pat.text) == 0:
	case doc.raw:
		yieldText(disjoint(doc.text, pat.text), len(pat.text), yield)
	default:
		next := 0
		for i := range ExactWindows(doc, pat) {
			if i < next {
				continue
			}
			if next = i + pat.Len(); !yield(doc.lines(i, pat.Len())) {
				return
			}
		}
	}
}
