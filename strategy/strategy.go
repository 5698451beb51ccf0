// Package strategy finds the places in a document that a SEARCH text may mean.
//
// A [Document] is a text, a [Pattern] is the SEARCH side of a block, and a [Strategy] is a rule
// that proposes [Candidate] spans of the document for the pattern. Start reading here. The package
// imports internal/editdist, internal/text and internal/typography. It promises:
//
//   - The nine strategies have the order and the constants of the reference cascade, and their
//     Candidates are its candidates: [Replace] gives its result byte for byte.
//   - [Proposals] are places worth a closer look, more or fewer than the candidates. Package apply
//     decides which place is taken, if any.
//   - A document has one index of its lines, which is made when it is first needed. Windows of equal
//     lines ([ExactWindows], [KeyWindows]), how common a line is ([Document.CountLine]), regions
//     ([Regions], [SimilarRegions]) and the strategies' proposals all use it.
//   - Finding windows and regions takes time linear in the document and in the results, whatever the
//     texts are. [Levenshtein], the fallback, gives the answer of comparing every window, within a
//     budget.
//   - Answers depend on the texts alone. No text is modified, and nothing touches the disk.
package strategy

import "iter"

// Strategy is one rule of the cascade.
type Strategy interface {
	// Name returns the stable name that reports use, such as "line-trimmed".
	Name() string
	// Candidates yields the spans that the rule accepts, in document order unless the rule defines
	// another order.
	Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate]
}

// Candidate is a span of the document that a strategy proposes.
type Candidate struct {
	// Start and End are byte offsets; End is exclusive. A span of lines doesn't include the line
	// end of its last line.
	Start, End int
}

// Tolerance says how the places that a strategy accepts may differ from the pattern.
type Tolerance uint8

const (
	// Nothing: whole lines, byte for byte.
	Nothing Tolerance = iota
	// Blanks: every line is there, ignoring blanks and escapes.
	Blanks
	// Lines: lines may differ or be missing.
	Lines
)

// ToleranceOf returns the result of s's method Tolerates, or [Lines] if s has no such method. It
// only decides when s is tried. Whether a place is taken depends on comparing its lines with the
// pattern's: the policy strict takes equal lines, and safe also takes lines that differ only in
// blanks or a few other details. Neither takes a line that differs in case. A more tolerant rule is
// only useful with the policy loose.
func ToleranceOf(s Strategy) Tolerance {
	if t, ok := s.(interface{ Tolerates() Tolerance }); ok {
		return t.Tolerates()
	}
	return Lines
}

// Proposals yields the places to examine for s. They come from its method Proposals, which has the
// signature of Candidates, or are its candidates if it has no such method.
func Proposals(s Strategy, doc *Document, pat *Pattern) iter.Seq[Candidate] {
	if p, ok := s.(interface {
		Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate]
	}); ok {
		return p.Proposals(doc, pat)
	}
	return s.Candidates(doc, pat)
}

// rule is one of the nine strategies.
type rule struct {
	name       string
	tolerates  Tolerance
	candidates search
	proposals  search // nil if they are the candidates
}

// search calls yield with spans until yield returns false.
type search func(doc *Document, pat *Pattern, yield func(Candidate) bool)

// cascade lists the nine strategies in the reference cascade's order.
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

// Strategies returns the nine strategies of the reference cascade, in its order.
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

// yieldLines yields the spans of n lines that begin at the lines in starts. It returns false if
// yield does.
func yieldLines(doc *Document, starts iter.Seq[int], n int, yield func(Candidate) bool) bool {
	for i := range starts {
		if !yield(doc.lines(i, n)) {
			return false
		}
	}
	return true
}

// yieldText yields the spans of n bytes that begin at the offsets in starts. It returns false if
// yield does.
func yieldText(starts iter.Seq[int], n int, yield func(Candidate) bool) bool {
	for at := range starts {
		if !yield(Candidate{at, at + n}) {
			return false
		}
	}
	return true
}
