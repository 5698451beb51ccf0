package linediff

import (
	"cmp"
	"slices"
)

// large is how many lines of both sides are compared at once. That takes half a second where all of
// them differ.
const large = 20_000

// divide compares what is too large to be compared at once: lines that occur once on either side
// are common as far as they keep their order (patience diff, Cohen), and what lies between two of
// them is compared by itself. Where that has more than most lines, it is replaced wholesale. left
// and right are the lines of c by name.
func (c Change) divide(left, right []rune, most int) []Change {
	var out []Change
	at := pair{}
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

// trimmed is c without the lines that both of its sides begin and end with.
func trimmed(c Change, left, right []rune) Change {
	for c.A0 < c.A1 && c.B0 < c.B1 && left[c.A0] == right[c.B0] {
		c.A0, c.B0 = c.A0+1, c.B0+1
	}
	for c.A0 < c.A1 && c.B0 < c.B1 && left[c.A1-1] == right[c.B1-1] {
		c.A1, c.B1 = c.A1-1, c.B1-1
	}
	return c
}

// pair is a line of either side.
type pair struct{ a, b int }

// anchors returns the most lines that occur once on either side and keep their order, ascending.
func anchors(left, right []rune) []pair {
	type places struct{ left, right, at int }
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

// ascending returns a longest part of the pairs, which ascend in a, that ascends in b as well
// (Schensted 1961).
func ascending(pairs []pair) []pair {
	var ends []int                    // for each length, the pair that ends such a part with the least b
	before := make([]int, len(pairs)) // the pair before it
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
