package strategy

import "iter"

// The strategies that forgive blanks propose places by the keys of lines: windows of the document whose
// lines have the keys that the strategy's own rule lets through. A place is proposed once, as the lines
// that have the pattern's text.

// Proposals are the windows whose lines equal the pattern's, except for the blanks around each.
func (lineTrimmed) Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return keyed(doc, pat, func(i, j int) bool { return equalTrimmed(doc, i, pat.Document, j) })
}

// Proposals are the windows whose lines have the pattern's tokens.
func (whitespaceNormalized) Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return keyed(doc, pat, func(i, j int) bool { return true })
}

// Proposals are the windows that equal the pattern once the indentation common to all lines is taken
// from either.
func (indentationFlexible) Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	var p *indented
	return keyed(doc, pat, func(i, j int) bool {
		if p == nil {
			p = newIndented(pat.Document)
		}
		return p.matches(doc, i, j)
	})
}

// Proposals are the windows of the pattern without the blank lines at its ends.
func (trimmedBoundary) Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	from, to := pat.Core()
	if from == 0 && to == pat.Len() {
		return func(func(Candidate) bool) {}
	}
	return keyed(doc, pat.Slice(from, to), func(i, j int) bool { return true })
}

// keyed yields the windows of doc with the pattern's keys, if same holds for each line i of doc and the
// line j of the pattern that it is for.
func keyed(doc *Document, pat *Pattern, same func(i, j int) bool) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
	windows:
		for first := range KeyWindows(doc, pat) {
			for j := range pat.Len() {
				if !same(first+j, j) {
					continue windows
				}
			}
			if !yield(doc.lines(first, pat.Len())) {
				return
			}
		}
	}
}

// Core is the range of the pattern's lines without the blank ones at its ends, end exclusive; it is
// empty where all are blank.
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
