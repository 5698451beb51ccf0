// Package strategy finds the places a SEARCH text may mean in a document.
//
// A [Document] is a text, a [Pattern] the SEARCH side of a block, and a [Strategy] a rule that
// proposes [Candidate] spans of the document for the pattern. What the package promises:
//
//   - The nine strategies have the order and the constants of the reference cascade, and their
//     Candidates are its candidates: [Replace] gives its result byte for byte.
//   - [Proposals] are places worth a closer look, more or fewer than the candidates. Which place is
//     taken, and whether any is, is not decided here: that is the policy of package apply.
//   - A document has one index of its lines, made when it is first needed and never again. Windows
//     of equal lines ([ExactWindows], [KeyWindows]), how common a line is ([Document.CountLine]),
//     regions ([Regions], [SimilarRegions]) and the strategies' proposals are all asked of it.
//   - Finding windows and regions takes time linear in the document and in what is found, whatever
//     the texts are. [Levenshtein], the fallback, answers what comparing every window would answer,
//     within a budget.
//   - Answers depend on the texts alone. No text is modified, and nothing touches the disk.
package strategy

import "iter"

// Strategy is one rule of the cascade.
type Strategy interface {
	// Name is the stable name used in reports, such as "line-trimmed".
	Name() string
	// Candidates yields the spans the rule accepts, in document order unless the rule itself orders
	// them.
	Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate]
}

// Candidate is a span of the document that a strategy proposes.
type Candidate struct {
	// Start and End are byte offsets, end exclusive. A span of lines ends before its last line's
	// line end.
	Start, End int
}

// Tolerance is what the places that a strategy accepts may lack of the pattern.
type Tolerance uint8

const (
	// Nothing: whole lines, byte for byte.
	Nothing Tolerance = iota
	// Blanks: every line is there, blanks and escapes aside.
	Blanks
	// Lines may differ, or be missing.
	Lines
)

// ToleranceOf returns what s says of itself by a method Tolerates, and [Lines] where it says
// nothing. It says when s is asked, and is no licence: what a policy takes is found by comparing
// the lines of the place with those of the pattern. Policy strict takes equal lines, and safe lines
// that differ in blanks, or in little that nothing speaks against; a line in another case of
// letters is neither. A rule that takes more is for policy loose.
func ToleranceOf(s Strategy) Tolerance {
	if t, ok := s.(interface{ Tolerates() Tolerance }); ok {
		return t.Tolerates()
	}
	return Lines
}

// Proposals yields the places to look at for s: what its method Proposals yields, which has the
// form of Candidates, or its candidates if it has none.
func Proposals(s Strategy, doc *Document, pat *Pattern) iter.Seq[Candidate] {
	if p, ok := s.(interface {
		Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate]
	}); ok {
		return p.Proposals(doc, pat)
	}
	return s.Candidates(doc, pat)
}

// rule is one of the nine.
type rule struct {
	name       string
	tolerates  Tolerance
	candidates search
	proposals  search // nil where they are the candidates
}

// search calls yield with spans until it returns false.
type search func(doc *Document, pat *Pattern, yield func(Candidate) bool)

// cascade has the nine in the reference cascade's order.
var cascade = [...]rule{
	{"exact", Nothing, exact, nil},
	{"line-trimmed", Blanks, lineTrimmed, nil},
	{"block-anchor", Lines, blockAnchor, anchoredSpans},
	{"whitespace-normalized", Blanks, whitespaceNormalized, keyWindows},
	{"indentation-flexible", Blanks, indentationFlexible, nil},
	{"escape-normalized", Blanks, escapeNormalized, unescapedWindows},
	{"trimmed-boundary", Blanks, trimmedBoundary, coreWindows},
	{"context-aware", Lines, contextAware, nil},
	{"multi-occurrence", Blanks, multiOccurrence, nil},
}

// Strategies returns the nine of the reference cascade, in its order.
func Strategies() []Strategy {
	out := make([]Strategy, len(cascade))
	for i := range cascade {
		out[i] = &cascade[i]
	}
	return out
}

func (r *rule) Name() string         { return r.name }
func (r *rule) Tolerates() Tolerance { return r.tolerates }

func (r *rule) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) { r.candidates(doc, pat, yield) }
}

func (r *rule) Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	if r.proposals == nil {
		return r.Candidates(doc, pat)
	}
	return func(yield func(Candidate) bool) { r.proposals(doc, pat, yield) }
}

// yieldLines yields the spans of n lines from each of starts on. It is false if yield stopped it.
func yieldLines(doc *Document, starts iter.Seq[int], n int, yield func(Candidate) bool) bool {
	for i := range starts {
		if !yield(doc.lines(i, n)) {
			return false
		}
	}
	return true
}

// yieldText yields the spans of n bytes from each of starts on. It is false if yield stopped it.
func yieldText(starts iter.Seq[int], n int, yield func(Candidate) bool) bool {
	for at := range starts {
		if !yield(Candidate{at, at + n}) {
			return false
		}
	}
	return true
}
