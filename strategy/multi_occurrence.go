package strategy

import "iter"

type multiOccurrence struct{}

func (multiOccurrence) Name() string { return "multi-occurrence" }

func (multiOccurrence) Tolerates() Tolerance { return Blanks }

// Candidates yields the places where the pattern occurs exactly and that do not overlap, for replacing all of them. An
// empty pattern has none.
func (multiOccurrence) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if len(pat.text) == 0 {
			return
		}
		if !doc.raw {
			next := 0
			for i := range equalWindows(doc, pat.Document) {
				if i < next {
					continue
				}
				if !yield(doc.lines(i, pat.Len())) {
					return
				}
				next = i + pat.Len()
			}
			return
		}
		for at := range disjoint(doc.text, pat.text) {
			if !yield(Candidate{at, at + len(pat.text)}) {
				return
			}
		}
	}
}
