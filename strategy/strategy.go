// Package strategy finds the places a SEARCH text may mean in a document.
//
// A [Document] is a text with a line index, a [Pattern] the SEARCH side of a block, and a [Strategy] a rule that
// proposes [Candidate] spans of the document for the pattern. The nine strategies keep the order and the constants of the
// reference cascade; [Levenshtein] is the fallback after them. Which candidate is taken, and whether any is, is not
// decided here: that is the policy of package apply.
//
// The package reads bytes and returns offsets. It imports internal packages only, never touches the disk, and never
// modifies a text handed in.
package strategy

import "iter"

// Strategy is one rule of the cascade.
type Strategy interface {
	// Name is the stable name used in reports, such as "line-trimmed".
	Name() string
	// Candidates yields the spans the rule accepts, in document order unless the rule itself orders them.
	Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate]
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

// ToleranceOf is what s says of itself by a method Tolerates, and [Lines] where it says nothing. It says when s is asked, and is no
// licence: what a policy takes is found by comparing the lines of the place with those of the pattern. Policy strict takes equal lines, and
// safe lines that differ in blanks, or in little that nothing speaks against; a line in another case of letters is neither. A rule that takes
// more is for policy loose.
func ToleranceOf(s Strategy) Tolerance {
	if t, ok := s.(interface{ Tolerates() Tolerance }); ok {
		return t.Tolerates()
	}
	return Lines
}

// Proposals yields the places that s accepts. They are its candidates, except for strategies that choose among places by
// themselves: those have a method Proposals of this form, without the strategy.
//
// A strategy that tolerates blanks at most is asked in the parts of the document only that have the pattern's rarest word.
func Proposals(s Strategy, doc *Document, pat *Pattern) iter.Seq[Candidate] {
	if p, ok := s.(proposer); ok {
		return p.Proposals(doc, pat)
	}
	if ToleranceOf(s) != Blanks {
		return s.Candidates(doc, pat)
	}
	return func(yield func(Candidate) bool) {
		for _, part := range doc.parts(pat) {
			for c := range s.Candidates(part.Document, pat) {
				if !yield(Candidate{part.start + c.Start, part.start + c.End}) {
					return
				}
			}
		}
	}
}

// proposer is a strategy with places of its own to propose, see [Proposals].
type proposer interface {
	Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate]
}

// Candidate is a span of the document that a strategy proposes.
type Candidate struct {
	// Start and End are byte offsets, end exclusive. A span of lines ends before its last line's line end.
	Start, End int
}

// Pattern is the SEARCH side of a block with its line index.
type Pattern struct {
	*Document
	// Hint is the line at which the block says it is, 1-based; 0 for none.
	Hint int

	in    *Document // see Document.parts
	parts []part
}

// NewPattern indexes search as lines.
func NewPattern(search []byte, hint int) *Pattern {
	return &Pattern{Document: NewDocument(search), Hint: hint}
}

// NewVerbatimPattern indexes search as [NewVerbatim] does; it goes with a document made the same way.
func NewVerbatimPattern(search []byte) *Pattern {
	return &Pattern{Document: NewVerbatim(search)}
}

// Slice is the pattern of the lines from to to-1 (0-based).
func (p *Pattern) Slice(from, to int) *Pattern {
	return NewPattern(p.text[p.Start(from):p.Start(to)], p.Hint)
}
