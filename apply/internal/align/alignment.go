package align

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/typography"
	"github.com/srpatch/srpatch/strategy"
)

// Relation says how a line of SEARCH and the file line paired with it are related. The values are
// ordered from equal to unrelated, so the relation of an alignment is the greatest relation of its
// pairs.
type Relation uint8

const (
	// Same: equal byte for byte, except for the line end.
	Same Relation = iota
	// Trailing: only trailing blanks differ.
	Trailing
	// Indented: only blanks at the ends of the line differ.
	Indented
	// Spaced: blanks between tokens differ, too.
	Spaced
	// Folded: typographic variants of characters differ, too.
	Folded
	// Partial: SEARCH begins or ends in the middle of the file line.
	Partial
	// Reflowed: a statement is on one line on one side and on several lines on the other. The first
	// lines of both are paired, and the other lines have no partner.
	Reflowed
	// Similar: the lines differ by a few edits.
	Similar
	// Moved: the line occurs in the other text, but at another place. Both lines are listed, in
	// separate pairs.
	Moved
	// Missing: the file lacks the SEARCH line.
	Missing
	// Extra: SEARCH lacks the file line.
	Extra
)

// String returns the relation's name.
func (r Relation) String() string {
	return [...]string{"same", "trailing", "indented", "spaced", "folded", "partial", "reflowed",
		"similar", "moved", "missing", "extra"}[r]
}

// Pair is one step of an alignment. Lines are 0-based; -1 means that there is no line.
type Pair struct {
	Search, File int
	Relation     Relation
	// Similarity is 1 for equal lines, less for similar ones, and 0 if one of the lines is missing.
	Similarity float64
}

// Alignment pairs the lines of a pattern with lines of the document, in order. It includes every
// line of the pattern once, and every line of the document from the first paired line to the last.
type Alignment []Pair

// Span returns the document lines that the alignment covers: 0-based, end exclusive.
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

// Relation returns the weakest relation among the pairs.
func (a Alignment) Relation() Relation {
	worst := Same
	for _, p := range a {
		worst = max(worst, p.Relation)
	}
	return worst
}

// BySearch returns the index of the pair of each SEARCH line.
func (a Alignment) BySearch() []int {
	at := make([]int, 0, len(a))
	for i, p := range a {
		if p.Search >= 0 {
			at = append(at, i)
		}
	}
	return at
}

// renumbered adds n to the numbers of SEARCH's lines, in place, and returns the alignment.
func (a Alignment) renumbered(n int) Alignment {
	for i := range a {
		if a[i].Search >= 0 {
			a[i].Search += n
		}
	}
	return a
}

// Relate returns the relation of two lines that have the same key: one from Same to Folded.
func Relate(search, file []byte) Relation {
	const blanks = " \t\r\v\f"
	switch s, f := bytes.TrimRight(search, blanks), bytes.TrimRight(file, blanks); {
	case bytes.Equal(search, file):
		return Same
	case bytes.Equal(s, f):
		return Trailing
	case bytes.Equal(bytes.TrimLeft(s, blanks), bytes.TrimLeft(f, blanks)):
		return Indented
	case typography.Has(s) != typography.Has(f):
		return Folded // such as curly quotes for straight ones
	case typography.Has(s) && !bytes.Equal(stripBlanks(s), stripBlanks(f)):
		return Folded // both have typographic characters, but different ones
	}
	return Spaced
}

// stripBlanks returns the line without spaces and tabs.
func stripBlanks(line []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, line)
}

// Exact returns the alignment of a pattern of n lines with n equal lines of the document, starting
// at line first.
func Exact(n, first int) Alignment {
	a := make(Alignment, n)
	for i := range a {
		a[i] = Pair{Search: i, File: first + i, Relation: Same, Similarity: 1}
	}
	return a
}

// Diagonal returns the alignment of the whole pattern with the same number of document lines, which
// start at line first and have equal keys.
func Diagonal(doc *strategy.Document, pat *strategy.Pattern, first int) Alignment {
	a := make(Alignment, pat.Len())
	for i := range a {
		a[i] = Pair{Search: i, File: first + i, Relation: Relate(pat.Line(i), doc.Line(first+i)), Similarity: 1}
	}
	return a
}

// Score returns how much of the pattern the alignment accounts for, 0 to 1: the mean similarity of
// the pattern's lines, weighted by [text.Weight]. Extra lines of the file lower the score: each
// counts half of its weight, as not accounted for.
func (a Alignment) Score(doc *strategy.Document, pat *strategy.Pattern) float64 {
	got, all := 0.0, 0.0
	for _, p := range a {
		if p.Search < 0 {
			if w := text.Weight(doc.Line(p.File)); w > 1 && p.Relation == Extra { // 1: blank
				all += float64(w) / 2
			}
			continue
		}
		w := float64(text.Weight(pat.Line(p.Search)))
		if p.Relation == Missing && w == 1 {
			continue // blank lines are often added or removed
		}
		got += w * p.Similarity
		all += w
	}
	if all == 0 {
		return 1
	}
	return got / all
}
