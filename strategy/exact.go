package strategy

import "iter"

type exact struct{}

func (exact) Name() string { return "exact" }

func (exact) Tolerates() Tolerance { return Nothing }

// Candidates yields every place where the pattern occurs exactly, overlapping ones included. In a document of lines that
// is whole lines, line ends aside; in a verbatim one the text, anywhere.
func (exact) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if !doc.raw {
			for i := range ExactWindows(doc, pat) {
				if !yield(doc.lines(i, pat.Len())) {
					return
				}
			}
			return
		}
		if len(pat.text) == 0 {
			yield(Candidate{})
			return
		}
		for at := range occurrences(doc.text, pat.text) {
			if !yield(Candidate{at, at + len(pat.text)}) {
				return
			}
		}
	}
}
