package reading

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/strategy"
)

// Hunk is one place where REPLACE differs from SEARCH: the SEARCH lines S0 to S1 become the REPLACE lines R0 to R1, 0-based,
// ends exclusive.
type Hunk struct{ S0, S1, R0, R1 int }

// Shrinks reports whether the hunk drops more lines than it adds.
func (c Hunk) Shrinks() bool { return c.S1-c.S0 > c.R1-c.R0 }

// Near is the SEARCH line that REPLACE line r replaces, or the nearest one: if the hunk adds as many lines as it drops, each
// replaces its own.
func (c Hunk) Near(r int) int {
	if c.S1-c.S0 == c.R1-c.R0 {
		return c.S0 + r - c.R0
	}
	return c.S0
}

// Moved is the hunk n lines further down on both sides.
func (c Hunk) Moved(n int) Hunk { return Hunk{c.S0 + n, c.S1 + n, c.R0 + n, c.R1 + n} }

// hunksOf compares SEARCH with REPLACE by line.
func hunksOf(search, replace *strategy.Document) []Hunk {
	diff := linediff.Diff(search, replace)
	out := make([]Hunk, len(diff))
	for k, c := range diff {
		out[k] = Hunk{c.A0, c.A1, c.B0, c.B1}
	}
	// A deletion that could be seen a line further is seen there: blocks of code end, not begin, with their bracket.
	for k, c := range out {
		limit := search.Len()
		if k+1 < len(out) {
			limit = out[k+1].S0
		}
		for c.R0 == c.R1 && c.S1 < limit && bytes.Equal(search.Line(c.S0), search.Line(c.S1)) {
			c = c.Moved(1)
		}
		out[k] = c
	}
	return out
}
