package strategy

import "iter"

type lineTrimmed struct{}

func (lineTrimmed) Name() string { return "line-trimmed" }

func (lineTrimmed) Tolerates() Tolerance { return Blanks }

// Candidates yields every run of lines that equals the pattern line by line except for the whitespace around each line.
func (lineTrimmed) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		m := pat.body()
		if m == 0 {
			emptySpans(doc, yield)
			return
		}
		starts := sequence(doc.Len(), m,
			func(i, j int) bool { return equalTrimmed(doc, i, pat.Document, j) },
			func(i, j int) bool { return equalTrimmed(pat.Document, i, pat.Document, j) })
		for i := range starts {
			if !yield(doc.lines(i, m)) {
				return
			}
		}
	}
}

// emptySpans yields what the reference rules make of a pattern without text in a verbatim document: the place before
// each line. In a document of lines such a pattern names no place.
func emptySpans(doc *Document, yield func(Candidate) bool) {
	if !doc.raw {
		return
	}
	for i := range doc.Len() {
		if !yield(Candidate{doc.Start(i), doc.Start(i)}) {
			return
		}
	}
}
