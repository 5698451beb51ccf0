package apply

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/strategy"
)

// change is one place where REPLACE differs from SEARCH: the SEARCH lines s0 to s1 become the REPLACE lines r0 to r1.
type change struct{ s0, s1, r0, r1 int }

// shrinks reports whether the change drops more lines than it adds.
func (c change) shrinks() bool { return c.s1-c.s0 > c.r1-c.r0 }

// near is the SEARCH line that REPLACE line r replaces, or the nearest one: if the change adds as many lines as it drops, each
// replaces its own.
func (c change) near(r int) int {
	if c.s1-c.s0 == c.r1-c.r0 {
		return c.s0 + r - c.r0
	}
	return c.s0
}

// changes compares SEARCH with REPLACE by line.
func changes(search, replace *strategy.Document) []change {
	diff := linediff.Diff(search, replace)
	out := make([]change, len(diff))
	for k, c := range diff {
		out[k] = change{c.A0, c.A1, c.B0, c.B1}
	}
	// A deletion that could be seen a line further is seen there: blocks of code end, not begin, with their bracket.
	for k, c := range out {
		limit := search.Len()
		if k+1 < len(out) {
			limit = out[k+1].s0
		}
		for c.r0 == c.r1 && c.s1 < limit && bytes.Equal(search.Line(c.s0), search.Line(c.s1)) {
			c = change{c.s0 + 1, c.s1 + 1, c.r0 + 1, c.r1 + 1}
		}
		out[k] = c
	}
	return out
}
