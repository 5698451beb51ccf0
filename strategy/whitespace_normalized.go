package strategy

// whitespaceNormalized yields the places that equal the pattern once both are squeezed: each run of
// whitespace is one space, and none is left at the ends. First come places within one line, at most
// one in each: "a  b" is found in "x a b c". If the pattern has n lines and n > 1, runs of n lines
// follow. A blank pattern equals blank lines.
//
// If there are more blank lines around the text than fit into n lines, the run may begin at several
// of them. For a verbatim document, each such run is yielded. For a document of lines, only the run
// with the same number of blank lines above the text as in the pattern is yielded, or the nearest
// number that fits.
func whitespaceNormalized(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	find := pat.words().text
	if len(find) > 0 {
		if wordsInLine(doc, find, yield) && pat.Len() > 1 {
			wordsInLines(doc, pat, find, yield)
		}
	} else if blankLines(doc, pat, yield) && pat.Len() > 1 {
		blankRuns(doc, pat.Len(), yield)
	}
}

// keyWindows yields the runs of lines that have the pattern's keys.
func keyWindows(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	yieldLines(doc, KeyWindows(doc, pat), pat.Len(), yield)
}

// blankLines yields the blank lines, for a pattern that is blank itself. In a verbatim document it
// also yields an empty span at the start of every other line, because a blank pattern occurs there,
// too. It returns false if yield does.
func blankLines(doc *Document, pat *Pattern, yield func(Candidate) bool) bool {
	for i := 0; pat.Len() > 0 && i < doc.Len(); i++ {
		span, blank := doc.lines(i, 1), doc.blank(i)
		if !blank {
			span.End = span.Start
		}
		if (blank || doc.raw) && !yield(span) {
			return false
		}
	}
	return true
}

// blankRuns yields every run of n blank lines.
func blankRuns(doc *Document, n int, yield func(Candidate) bool) {
	run := 0
	for i := range doc.Len() {
		if run++; !doc.blank(i) {
			run = 0
		}
		if run >= n && !yield(doc.lines(i-n+1, n)) {
			return
		}
	}
}

// wordsInLine yields the lines that equal find once they are squeezed; find already is. If find is
// only a part of a line, it yields the first such part. It returns false if yield does.
func wordsInLine(doc *Document, find []byte, yield func(Candidate) bool) bool {
	words, before := doc.words(), -1
	for line, at := range words.find(find) {
		offset := at - int(words.starts[line])
		if line == before {
			continue
		}
		if before = line; at+len(find) > int(words.ends[line]) {
			continue // it goes on in the next line
		}
		span := doc.lines(line, 1)
		if len(find) < int(words.ends[line]-words.starts[line]) {
			from, to := unsqueezed(doc.Line(line), offset, offset+len(find))
			span = Candidate{span.Start + from, span.Start + to}
		}
		if !yield(span) {
			return false
		}
	}
	return true
}

// wordsInLines yields the runs of lines, as long as pat, that equal find once squeezed.
func wordsInLines(doc *Document, pat *Pattern, find []byte, yield func(Candidate) bool) {
	words, last := doc.words(), 0
	for first, at := range words.find(find) {
		if at != int(words.starts[first]) {
			continue // it begins inside the line
		}
		for end := at + len(find); int(words.ends[last]) < end; {
			last++
		}
		if int(words.ends[last]) == at+len(find) && !around(doc, first, last, pat, yield) {
			return
		}
	}
}

// around yields the runs of lines, as long as pat, that consist of lines first to last, both of
// which are nonblank, and blank lines around them. If pat has two more lines and there are two
// blank lines above and below, that makes three runs. In a document of lines it yields only the run
// whose number of blank lines above the text is nearest to pat's. It returns false if yield does.
func around(doc *Document, first, last int, pat *Pattern, yield func(Candidate) bool) bool {
	spare := pat.Len() - (last - first + 1)
	if spare < 0 {
		return true
	}
	above, below := 0, 0
	for above < spare && first-above > 0 && doc.blank(first-above-1) {
		above++
	}
	for below < spare && last+below+1 < doc.Len() && doc.blank(last+below+1) {
		below++
	}
	least := max(0, spare-below) // blank lines above the text
	if !doc.raw && least <= above {
		lead := 0
		for pat.blank(lead) {
			lead++
		}
		least = min(max(lead, least), above)
		above = least
	}
	for ; above >= least; above-- {
		if !yield(doc.lines(first-above, pat.Len())) {
			return false
		}
	}
	return true
}
