package align

import (
	"bytes"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Whole is the alignment of the pattern with the document's lines from first to end-1, which has
// all of its lines, see [IsWhole].
func Whole(doc *strategy.Document, pat *strategy.Pattern, first, end int) Alignment {
	if end-first == pat.Len() {
		return Diagonal(doc, pat, first)
	}
	from, to := pat.Core()
	return withEnds(doc, pat, Diagonal(doc, pat.Slice(from, to), first), from)
}

// IsWhole reports whether the document's lines from first to end-1 have the keys of the pattern's,
// or of those that are left without the blank lines at its ends, if these tell enough.
func IsWhole(doc *strategy.Document, pat *strategy.Pattern, first, end int) bool {
	from, to := 0, pat.Len()
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

// withEnds extends the alignment of the pattern's lines from on by its blank ends: paired as far as
// the document has blank lines next to it, missing beyond.
func withEnds(doc *strategy.Document, pat *strategy.Pattern, core Alignment, from int) Alignment {
	for i := range core {
		core[i].Search += from
	}
	first, end := core.Span()
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

// tellingWeight is what a pattern must weigh to be known without a part of it: two lines of code,
// or a long one.
const tellingWeight = 12

func weight(p *strategy.Pattern) int {
	sum := 0
	for i := range p.Len() {
		sum += text.Weight(p.Line(i))
	}
	return sum
}

// cutMin is how many bytes of a line must be left for it to be taken as the cut end of a longer
// one.
const cutMin = 3

// WithCutLine yields the alignments of a pattern whose first line is the end of the document's
// line, as when the text was copied from the middle of a line on; all other lines have equal keys,
// and there is at least one that is not blank.
func WithCutLine(doc *strategy.Document, pat *strategy.Pattern) iter.Seq[Alignment] {
	return func(yield func(Alignment) bool) {
		if pat.Len() < 2 {
			return
		}
		head := bytes.TrimSpace(pat.Line(0))
		if len(head) < cutMin {
			return
		}
		rest := pat.Slice(1, pat.Len())
		if weight(rest) < tellingWeight {
			return
		}
		for first := range strategy.KeyWindows(doc, rest) {
			if first == 0 {
				continue
			}
			file := bytes.TrimSpace(doc.Line(first - 1))
			if len(file) <= len(head) || !bytes.HasSuffix(file, head) {
				continue
			}
			a := append(make(Alignment, 0, pat.Len()), Pair{Search: 0, File: first - 1, Relation: Partial, Similarity: 1})
			for _, p := range Diagonal(doc, rest, first) {
				p.Search++
				a = append(a, p)
			}
			if !yield(a) {
				return
			}
		}
	}
}
