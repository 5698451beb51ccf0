package reading

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/strategy"
)

// Hunk is one difference between SEARCH and REPLACE: the SEARCH lines S0 to S1 become the REPLACE
// lines R0 to R1. They are 0-based, with exclusive ends.
type Hunk struct{ S0, S1, R0, R1 int }

// Shrinks reports whether the hunk drops more lines than it adds.
func (c Hunk) Shrinks() bool { return c.S1-c.S0 > c.R1-c.R0 }

// Near returns the SEARCH line that REPLACE line r replaces, or the nearest one. If the hunk adds
// as many lines as it drops, each line replaces the one at the same position.
func (c Hunk) Near(r int) int {
	if c.S1-c.S0 == c.R1-c.R0 {
		return c.S0 + r - c.R0
	}
	return c.S0
}

// Moved returns the hunk n lines further down on both sides.
func (c Hunk) Moved(n int) Hunk { return Hunk{c.S0 + n, c.S1 + n, c.R0 + n, c.R1 + n} }

// hunksOf returns the differences between SEARCH and REPLACE, in order. If a difference may be at
// several positions, as in repeated lines, it chooses the one that a programmer most likely means.
func hunksOf(search, replace *strategy.Document) []Hunk {
	diff := linediff.Diff(search, replace)
	out := make([]Hunk, 0, len(diff))
	for _, d := range slices.Backward(diff) {
		c, limit := Hunk{d.A0, d.A1, d.B0, d.B1}, search.Len() // limit: where the next hunk begins
		if n := len(out); n > 0 {
			c, out[n-1] = c.joined(out[n-1], search, replace)
			limit = out[n-1].S0
		}
		// A deletion that could equally be one line further down is moved there, because a block of
		// code ends with its bracket.
		for c.R0 == c.R1 && c.S1 < limit && bytes.Equal(search.Line(c.S0), search.Line(c.S1)) {
			c = c.Moved(1)
		}
		if c.S0 < c.S1 || c.R0 < c.R1 { // joined may leave nothing of c
			out = append(out, c)
		}
	}
	slices.Reverse(out)
	return out
}

// maxPast is how many kept lines may be between two hunks that are joined.
const maxPast = 64

// joined moves the lines that c adds at its end to next, if next only adds lines and c's lines
// could equally be added directly above it, past lines that the block keeps. For example, adding
// the lines "}" and "g {" above a kept "}" is the same as adding "g {" and "}" below it. Then both
// hunks are one addition, which is in a file as a whole or not at all. joined returns both hunks,
// unchanged if nothing moves.
func (c Hunk) joined(next Hunk, search, replace *strategy.Document) (Hunk, Hunk) {
	if next.S0 < next.S1 || next.S0-c.S1 > maxPast {
		return c, next
	}
	for r := c.R0; r < c.R1; r++ {
		between := 0 // how many kept lines below c equal REPLACE's lines from r on
		for c.S1+between < next.S0 && bytes.Equal(replace.Line(r+between), search.Line(c.S1+between)) {
			between++
		}
		if c.S1+between == next.S0 {
			next.R0, c.R1 = r+between, r
			return c, next
		}
	}
	return c, next
}

// Unit splits a hunk that changes lines and adds others above or below them into the change and the
// addition (unit), if the added lines could equally be on the other side of a kept line next to the
// hunk. For example, if the line "a" becomes the lines "b", "}" and "c" above a kept "}", then "a"
// becomes "b", and "}" and "c" are added, which is the same as adding "c" and "}" below the kept
// line. ok is false if the hunk can't be split.
func (v *Reading) Unit(c Hunk) (change, unit Hunk, ok bool) {
	if c.S0 == c.S1 {
		return c, c, false
	}
	for r := c.R0 + 1; r < c.R1 && c.S1 < v.Search.Len(); r++ {
		if bytes.Equal(v.Replace.Line(r), v.Search.Line(c.S1)) {
			return Hunk{c.S0, c.S1, c.R0, r}, Hunk{c.S1, c.S1, r, c.R1}, true
		}
	}
	for r := c.R1 - 1; r > c.R0 && c.S0 > 0; r-- {
		if bytes.Equal(v.Replace.Line(r-1), v.Search.Line(c.S0-1)) {
			return Hunk{c.S0, c.S1, r, c.R1}, Hunk{c.S0, c.S0, c.R0, r}, true
		}
	}
	return c, c, false
}
