package apply

import (
	"math"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// An elision says neither how many lines it stands for nor which, so the piece after it may occur several times below the piece
// before it. Depth may say which is meant: what is left out is no shallower than the elision itself, and the two pieces are as deep in
// the file, one against the other, as they are in SEARCH. Where that leaves more than one end, the block is ambiguous.

// maxEnds is how many ends of an elision are looked at from one beginning; two are too many already, unless the next rules drop them.
const maxEnds = 8

// whole are those of chains, which ascend, that leave most of the block's structure whole. Of those that differ only where the
// block changes nothing it is the shortest.
func (e *elisions) whole(chains [][]int) [][]int {
	if len(e.pieces) < 2 || len(chains) < 2 {
		return chains
	}
	changed := e.changedPieces()
	between := make([]shallowest, len(e.pieces))
	var kinds [4][][]int // see wholeness
	for _, chain := range chains {
		kind := 0
		for k := 1; k < len(e.pieces); k++ {
			kind = max(kind, e.wholeness(e.pieces[k-1], e.pieces[k], chain[k-1], chain[k], &between[k]))
		}
		kinds[kind] = appendEnd(kinds[kind], chain, changed)
	}
	for _, some := range kinds {
		if len(some) > 0 {
			return some
		}
	}
	return nil
}

// changedPieces are those in which the block changes a line, or next to one.
func (e *elisions) changedPieces() []int {
	var out []int
	for k, p := range e.pieces {
		if slices.ContainsFunc(e.v.Hunks(), func(c reading.Hunk) bool { return c.S0-1 < p.to && p.from <= c.S1 }) {
			out = append(out, k)
		}
	}
	return out
}

// appendEnd appends chain, unless there is one with the same places of the pieces changed, or there are enough that begin like it.
func appendEnd(chains [][]int, chain, changed []int) [][]int {
	n := len(chains)
	if n >= maxEnds && chains[n-maxEnds][0] == chain[0] {
		return chains
	}
	for i := n - 1; i >= 0 && chains[i][0] == chain[0]; i-- {
		if !slices.ContainsFunc(changed, func(k int) bool { return chains[i][k] != chain[k] }) {
			return chains
		}
	}
	return append(chains, chain)
}

// wholeness says whether the lines of the file between two pieces, the first of which is at line a and the second at b, may be what is
// left out: 0 by the depth of the elision and by that of the lines around it, 1 by one of them, 2 by neither, 3 not even by that
// of the pieces, one against the other.
func (e *elisions) wholeness(above, below piece, a, b int, between *shallowest) int {
	last, next := above.to-1, below.from // the nearest lines of SEARCH that are not blank
	for last > above.from && text.Blank(e.v.Search.Line(last)) {
		last--
	}
	for next < below.to-1 && text.Blank(e.v.Search.Line(next)) {
		next++
	}
	depth := func(line []byte) int { return len(text.Margin(line)) }
	from, to := depth(e.v.Search.Line(last)), depth(e.v.Search.Line(next))
	fromThere, toThere := depth(e.doc.Line(a+last-above.from)), depth(e.doc.Line(b+next-below.from))
	least := between.upTo(e.locator, a+above.to-above.from, b)
	if toThere-fromThere != to-from {
		return 3
	}
	around := min(fromThere, toThere)
	if !text.HasWord(e.v.Search.Line(next)) {
		around = toThere + 1 // a bracket closes what is deeper
	}
	switch mark := depth(e.v.Search.Line(below.from-1)) - from + fromThere; {
	case least >= mark && least >= around:
		return 0
	case least >= mark || least >= around:
		return 1
	}
	return 2
}

// shallowest is how deep the shallowest of some lines of the file is that are not blank.
type shallowest struct{ from, to, depth int }

// upTo is that of the lines from to to-1. It is asked for ascending lines.
func (s *shallowest) upTo(l *locator, from, to int) int {
	if s.from != from || s.to > to {
		*s = shallowest{from, from, math.MaxInt}
	}
	for ; s.to < to; s.to++ {
		if line := l.doc.Line(s.to); !text.Blank(line) {
			s.depth = min(s.depth, len(text.Margin(line)))
		}
	}
	return s.depth
}
