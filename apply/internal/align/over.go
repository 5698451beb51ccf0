package align

import (
	"slices"

	"github.com/srpatch/srpatch/strategy"
)

// Over pairs the whole pattern with the document's lines from first to end-1, which are known to be
// where it belongs. If the first or the last lines of both are equal, they are paired, however many
// lines are in between. It returns nil if the budget is exhausted.
func Over(doc *strategy.Document, pat *strategy.Pattern, first, end int, budget *strategy.Budget) Alignment {
	part := strategy.NewDocument(doc.Text()[doc.Start(first):doc.Start(end)])
	n, m := part.Len(), pat.Len()
	head, tail := 0, 0 // how many lines are paired at each end
	same := func(search, file int) bool {
		k := pat.Key(search)
		return k != strategy.BlankKey && k == part.Key(file)
	}
	if m > 0 && n > 0 && same(0, 0) {
		head = 1
	}
	if m > head && n > head && same(m-1, n-1) {
		tail = 1
	}
	inner := pat.Slice(head, m-tail)
	off := n - m // the last lines' diagonal, if the first lines' is 0
	// The diagonals are those between 0 and off, plus head because inner begins at line head.
	a := New(part, inner, budget).Within(min(0, off)+head, max(0, off)+head, head, n-tail)
	if budget.Exhausted() {
		return nil
	}
	a = slices.Clone(a).renumbered(head)
	if head > 0 {
		a = slices.Insert(a, 0, Pair{0, 0, Relate(pat.Line(0), part.Line(0)), 1})
	}
	if tail > 0 {
		a = append(a, Pair{m - 1, n - 1, Relate(pat.Line(m-1), part.Line(n-1)), 1})
	}
	return a.filled(first)
}

// filled adds the unpaired document lines between paired ones, and adds off to all document line
// numbers.
func (a Alignment) filled(off int) Alignment {
	var out Alignment
	next := -1 // the line after the latest one in a pair, or -1 if there is none yet
	for _, p := range a {
		if p.File >= 0 {
			for f := next; f >= 0 && f < p.File; f++ {
				out = append(out, Pair{Search: -1, File: f + off, Relation: Extra})
			}
			next = p.File + 1
			p.File += off
		}
		out = append(out, p)
	}
	return out
}
