package align

import (
	"bytes"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Whole returns the alignment of the pattern with the document's lines from first to end-1, which
// must contain all of the pattern's lines; see [IsWhole].
func Whole(doc *strategy.Document, pat *strategy.Pattern, first, end int) Alignment {
	if end-first == pat.Len() {
		return Diagonal(doc, pat, first)
	}
	from, to := pat.Core()
	return withEnds(doc, pat, Diagonal(doc, pat.Slice(from, to), first), from)
}

// IsWhole reports whether the document's lines from first to end-1 have the same keys as the
// pattern's lines. The pattern's blank lines at its ends may all be missing there if its other
// lines are distinctive enough.
func IsWhole(doc *strategy.Document, pat *strategy.Pattern, first, end int) bool {
	from, to := 0, pat.Len()
	if end > doc.Len() {
		return false
	}
	if end-first != to {
		if from, to = pat.Core(); end-first != to-from || weight(pat.Slice(from, to)) < tellingWeight {
			return false
		}
	}
	for i := from; i < to; i++ {
		if doc.Key(first+i-from) != pat.Key(i) {
			return false
		}
	}
	return true
}

// withEnds returns core, which aligns the pattern's lines without the blank ones at its ends, with
// these blank lines added. They are paired with blank lines of the document as long as it has some
// there. Otherwise they are missing. In core, lines are counted from the pattern's line from;
// withEnds renumbers them in place.
func withEnds(doc *strategy.Document, pat *strategy.Pattern, core Alignment, from int) Alignment {
	first, end := core.renumbered(from).Span()
	blank := func(search, file int) Pair {
		if file < 0 || file >= doc.Len() || doc.Key(file) != strategy.BlankKey {
			return Pair{Search: search, File: -1, Relation: Missing}
		}
		return Pair{search, file, Relate(pat.Line(search), doc.Line(file)), 1}
	}
	var head Alignment
	for i := from - 1; i >= 0; i-- {
		p := blank(i, first-1)
		if head = append(head, p); p.File >= 0 {
			first--
		}
	}
	slices.Reverse(head)
	out := append(head, core...)
	for i := from + len(core); i < pat.Len(); i++ {
		p := blank(i, end)
		if out = append(out, p); p.File >= 0 {
			end++
		}
	}
	return out
}

// tellingWeight is the weight of a pattern that can be identified even if part of it is missing:
// two lines of code, or one long line.
const tellingWeight = 12

// weight returns the sum of the weights of the pattern's lines.
func weight(p *strategy.Pattern) int {
	sum := 0
	for i := range p.Len() {
		sum += text.Weight(p.Line(i))
	}
	return sum
}

// cutMin is how many bytes of a line must be left to recognize it as part of a longer line.
const cutMin = 3

// WithCutLine yields the alignments of a pattern whose first line is the end of a document line, or
// whose last line is the beginning of one, as if text had been copied from or to the middle of a
// line. All other lines have equal keys, and at least one of them isn't blank.
func WithCutLine(doc *strategy.Document, pat *strategy.Pattern) iter.Seq[Alignment] {
	return func(yield func(Alignment) bool) {
		if n := pat.Len(); n > 1 {
			_ = withCut(doc, pat, 0, pat.Slice(1, n), yield) && withCut(doc, pat, n-1, pat.Slice(0, n-1), yield)
		}
	}
}

// withCut yields the alignments in which line i of a pattern is cut; see WithCutLine. i is the
// first line, whose beginning is missing, or the last, whose end is. rest holds the pattern's other
// lines. It returns false if the caller stops the iteration.
func withCut(doc *strategy.Document, pat *strategy.Pattern, i int, rest *strategy.Pattern,
	yield func(Alignment) bool) bool {
	part := bytes.TrimSpace(pat.Line(i))
	if len(part) < cutMin || weight(pat) < tellingWeight {
		return true
	}
	for first := range strategy.KeyWindows(doc, rest) {
		f := first - 1
		if i > 0 {
			f = first + rest.Len()
		}
		if f < 0 || f >= doc.Len() {
			continue
		}
		line := bytes.TrimSpace(doc.Line(f))
		isCut := bytes.HasSuffix(line, part)
		if i > 0 { // the end is missing, but not in the middle of a word
			end, begins := bytes.CutPrefix(line, part)
			isCut = begins && !text.JoinWord(part, end)
		}
		if !isCut || len(line) <= len(part) {
			continue
		}
		pair := Pair{Search: i, File: f, Relation: Partial, Similarity: 1}
		a := Diagonal(doc, rest, first)
		if i == 0 { // rest begins at the pattern's second line
			a = append(Alignment{pair}, a.renumbered(1)...)
		} else {
			a = append(a, pair)
		}
		if !yield(a) {
			return false
		}
	}
	return true
}
