package strategy

// exact yields every place where the pattern occurs exactly, overlapping ones included. In a
// document of lines that is whole lines, line ends aside; in a verbatim one the text, anywhere.
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

// multiOccurrence yields the places where the pattern occurs exactly and that do not overlap, for
// replacing all of them. An empty pattern has none.
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
