package linediff

import (
	"cmp"
	"slices"
)

// large is the number of lines of both sides that are compared at once. That takes half a second if
// all of them differ.
const large = 20_000

// divide returns the changes within c, which is too large to be compared at once. It first finds
// anchors: lines that occur once on each side, in the same order (patience diff, Cohen). The lines
// between two anchors are compared separately, or replaced wholesale if there are more than most.
// left and right are the names of c's lines; see intern.
func (c Change) divide(left, right []rune, most int) []Change {
	var out []Change
	at := pair{} // the first lines after the last anchor
	for _, common := range append(anchors(left, right), pair{len(left), len(right)}) {
		part := trimmed(Change{at.a, common.a, at.b, common.b}, left, right)
		whole := Change{c.A0 + part.A0, c.A0 + part.A1, c.B0 + part.B0, c.B0 + part.B1}
		switch n := part.A1 - part.A0 + part.B1 - part.B0; {
		case n > most:
			out = append(out, whole)
		case n > 0:
			out = append(out, whole.split(left[part.A0:part.A1], right[part.B0:part.B1])...)
		}
		at = pair{common.a + 1, common.b + 1}
	}
	return out
}

// trimmed returns c without the common lines at its start and end.
func trimmed(c Change, left, right []rune) Change {
	for c.A0 < c.A1 && c.B0 < c.B1 && left[c.A0] == right[c.B0] {
		c.A0, c.B0 = c.A0+1, c.B0+1
	}
	for c.A0 < c.A1 && c.B0 < c.B1 && left[c.A1-1] == right[c.B1-1] {
		c.A1, c.B1 = c.A1-1, c.B1-1
	}
	return c
}

// pair is a line of each side.
type pair struct{ a, b int }

// anchors returns lines that occur once on each side, in the order of both sides: as many as
// possible. Of "a b c d" and "b a c x" these are b and c, or a and c.
func anchors(left, right []rune) []pair {
	type places struct{ left, right, at int } // the counts of a line, and its last index in right
	seen := make(map[rune]places, len(left))
	for _, name := range left {
		p := seen[name]
		p.left++
		seen[name] = p
	}
	for j, name := range right {
		p := seen[name]
		p.right, p.at = p.right+1, j
		seen[name] = p
	}
	var once []pair
	for i, name := range left {
		if p := seen[name]; p.left == 1 && p.right == 1 {
			once = append(once, pair{i, p.at})
		}
	}
	return ascending(once)
}

// ascending returns a longest subsequence of pairs whose b ascends (Schensted 1961). The a of pairs
// ascends already.
func ascending(pairs []pair) []pair {
	// Of all ascending subsequences of length n+1, one with the least last b ends at
	// pairs[ends[n]].
	var ends []int
	before := make([]int, len(pairs)) // for each pair, the one before it in its subsequence, or -1
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p.b, func(end, b int) int { return cmp.Compare(pairs[end].b, b) })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	var out []pair
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			out = append(out, pairs[i])
		}
	}
	slices.Reverse(out)
	return out
}
