package align

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/strategy"
)

// Relation says what a line of SEARCH and the file line paired with it have in common. The order is
// from equal to unrelated, so that the relation of a whole alignment is the greatest of its pairs'.
type Relation uint8

const (
	// Same lines are equal byte for byte, line ends aside.
	Same Relation = iota
	// Trailing lines differ in trailing blanks only.
	Trailing
	// Indented lines differ in blanks at either end only.
	Indented
	// Spaced lines differ in blanks between tokens as well.
	Spaced
	// Folded lines differ in typographic stand-ins as well.
	Folded
	// Partial: SEARCH begins or ends in the middle of the file's line.
	Partial
	// Reflowed lines are a statement that one side has on one line and the other on several. The
	// first line of the pattern's run is paired with the first of the document's, the others are
	// without a partner.
	Reflowed
	// Similar lines differ by a few edits.
	Similar
	// Moved: the line occurs in the other text, but not in its place; both its lines are listed,
	// each without the other.
	Moved
	// Missing: the file has no line for SEARCH's.
	Missing
	// Extra: SEARCH has no line for the file's.
	Extra
)

// String is the relation's name.
func (r Relation) String() string {
	return [...]string{"same", "trailing", "indented", "spaced", "folded", "partial", "reflowed",
		"similar", "moved", "missing", "extra"}[r]
}

// Pair is one step of an alignment. Lines are 0-based; -1 means no line.
type Pair struct {
	Search, File int
	Relation     Relation
	// Similarity is 1 for equal lines, lower for similar ones, 0 where one is missing.
	Similarity float64
}

// Alignment pairs the lines of a pattern with lines of the document, in order: every line of the
// pattern once, and every line of the document between the first and the last that is paired.
type Alignment []Pair

// Span is the range of document lines the alignment covers, 0-based, end exclusive.
func (a Alignment) Span() (first, end int) {
	first, end = -1, -1
	for _, p := range a {
		if p.File >= 0 {
			if first < 0 {
				first = p.File
			}
			end = p.File + 1
		}
	}
	return first, end
}

// Relation is the weakest relation of any pair.
func (a Alignment) Relation() Relation {
	worst := Same
	for _, p := range a {
		worst = max(worst, p.Relation)
	}
	return worst
}

// BySearch maps each of the n lines of SEARCH to its pair's index in the alignment.
func (a Alignment) BySearch(n int) []int {
	at := make([]int, n)
	for i, p := range a {
		if p.Search >= 0 {
			at[p.Search] = i
		}
	}
	return at
}

// Relate compares two lines that have the same key.
func Relate(search, file []byte) Relation {
	const blanks = " \t\r\v\f"
	switch s, f := bytes.TrimRight(search, blanks), bytes.TrimRight(file, blanks); {
	case bytes.Equal(search, file):
		return Same
	case bytes.Equal(s, f):
		return Trailing
	case bytes.Equal(bytes.TrimLeft(s, blanks), bytes.TrimLeft(f, blanks)):
		return Indented
	case typography.Has(s) != typography.Has(f) || typography.Has(s) && !bytes.Equal(stripBlanks(s), stripBlanks(f)):
		return Folded
	}
	return Spaced
}

func stripBlanks(line []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, line)
}

// Exact is the alignment of a pattern of n lines with as many equal lines of the document, from
// first on.
func Exact(n, first int) Alignment {
	a := make(Alignment, n)
	for i := range a {
		a[i] = Pair{Search: i, File: first + i, Relation: Same, Similarity: 1}
	}
	return a
}

// Diagonal is the alignment of the whole pattern with as many lines of the document from first on,
// whose keys are equal.
func Diagonal(doc *strategy.Document, pat *strategy.Pattern, first int) Alignment {
	a := make(Alignment, pat.Len())
	for i := range a {
		a[i] = Pair{Search: i, File: first + i, Relation: Relate(pat.Line(i), doc.Line(first+i)), Similarity: 1}
	}
	return a
}

// Score is the part of the pattern that the alignment accounts for, 0 to 1: similarities weighed by
// line, with lines of the file that SEARCH does not have counted against it.
func (a Alignment) Score(doc *strategy.Document, pat *strategy.Pattern) float64 {
	got, all := 0.0, 0.0
	for _, p := range a {
		if p.Search < 0 {
			if w := text.Weight(doc.Line(p.File)); w > 1 && p.Relation == Extra {
				all += float64(w) / 2
			}
			continue
		}
		w := float64(text.Weight(pat.Line(p.Search)))
		if p.Relation == Missing && w == 1 {
			continue // blank lines come and go
		}
		got += w * p.Similarity
		all += w
	}
	if all == 0 {
		return 1
	}
	return got / all
}
