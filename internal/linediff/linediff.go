package linediff

import (
	"bytes"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Lines is a text as lines, counted from 0.
type Lines interface {
	Len() int
	Line(i int) []byte
}

// Slice is a text split into lines.
type Slice [][]byte

func (s Slice) Len() int          { return len(s) }
func (s Slice) Line(i int) []byte { return s[i] }

// Change is one difference between two texts: lines A0 to A1 of the first become lines B0 to B1 of
// the second, ends exclusive. One of the ranges may be empty. It is then the place at which lines
// are inserted or deleted.
type Change struct{ A0, A1, B0, B1 int }

// Diff returns a shortest list of changes from a to b, in order, with at least one common line
// between two of them. It takes O((a.Len()+b.Len())·D) for D differing lines, so callers should
// diff the regions that have changed, not whole files. For more than 20,000 lines, not counting
// common ones at the start and end, the list may not be the shortest, and takes O(n·log n); see
// divide. More than 1.1 million different lines are replaced wholesale.
func Diff(a, b Lines) []Change {
	shorter := min(a.Len(), b.Len())
	head := 0
	for head < shorter && bytes.Equal(a.Line(head), b.Line(head)) {
		head++
	}
	tail := 0
	for tail < shorter-head && bytes.Equal(a.Line(a.Len()-1-tail), b.Line(b.Len()-1-tail)) {
		tail++
	}
	all := Change{head, a.Len() - tail, head, b.Len() - tail}
	switch deleted, inserted := all.A1-all.A0, all.B1-all.B0; {
	case deleted == 0 && inserted == 0:
		return nil
	case deleted*inserted <= fewPairs && !all.share(a, b): // 0: only deleted or only inserted
		return []Change{all}
	}
	left, right, ok := all.intern(a, b)
	if !ok {
		return []Change{all}
	}
	if len(left)+len(right) > large {
		return all.divide(left, right, large)
	}
	return all.split(left, right)
}

// fewPairs is the number of comparisons that cost less than naming the lines for the differ.
const fewPairs = 16

// share reports whether the two ranges have a line in common.
func (c Change) share(a, b Lines) bool {
	for i := c.A0; i < c.A1; i++ {
		for j := c.B0; j < c.B1; j++ {
			if bytes.Equal(a.Line(i), b.Line(j)) {
				return true
			}
		}
	}
	return false
}

// split returns the shortest list of changes within c. left and right are the names of c's lines;
// see intern.
func (c Change) split(left, right []rune) []Change {
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0
	var out []Change
	at := Change{c.A0, c.A0, c.B0, c.B0} // the change that is being read
	keep := func() {
		if at.A0 < at.A1 || at.B0 < at.B1 {
			out = append(out, at)
		}
	}
	for _, d := range differ.DiffMainRunes(left, right, false) {
		n := 0
		for range d.Text {
			n++
		}
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			at.A1 += n
		case diffmatchpatch.DiffInsert:
			at.B1 += n
		default:
			keep()
			at = Change{at.A1 + n, at.A1 + n, at.B1 + n, at.B1 + n}
		}
	}
	keep()
	return out
}

const (
	surrogates    = 0xD800
	surrogatesEnd = 0xE000
	maxRune       = 0x10FFFF
)

// intern names every different line of the two ranges by a rune of its own, because the differ
// takes runes. left and right are the names of the lines on each side. It skips the surrogates,
// which don't survive in a Go string. ok is false if there are more different lines than runes.
func (c Change) intern(a, b Lines) (left, right []rune, ok bool) {
	names := make(map[string]rune, c.A1-c.A0)
	next := rune(1)
	name := func(lines Lines, from, to int) []rune {
		out := make([]rune, 0, to-from)
		for i := from; i < to; i++ {
			r, seen := names[string(lines.Line(i))]
			if !seen {
				r = next
				names[string(lines.Line(i))] = r
				if next++; next == surrogates {
					next = surrogatesEnd
				}
			}
			out = append(out, r)
		}
		return out
	}
	left, right = name(a, c.A0, c.A1), name(b, c.B0, c.B1)
	return left, right, next <= maxRune
}
