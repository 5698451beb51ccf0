package linediff

import (
	"bytes"
	"slices"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Kind says what an [Op] does.
type Kind uint8

const (
	Equal  Kind = iota // lines of both sides
	Delete             // lines of the first side only
	Insert             // lines of the second side only
)

// Op is one step of an edit script: lines A0 to A1 of the first side become lines B0 to B1 of the second, ends
// exclusive. A Delete has B0 == B1 and an Insert A0 == A1, the place between the lines where it happens.
type Op struct {
	Kind           Kind
	A0, A1, B0, B1 int
}

// Diff is a shortest edit script from a to b. Its ops are in order, cover both sides completely, and no two
// neighbours are of one kind; where lines are replaced the Delete comes before the Insert. It takes O((len(a)+len(b))·D)
// for D differing lines: callers diff the regions they know to have changed, not whole files. More than 1.1 million
// different lines are replaced wholesale.
func Diff(a, b [][]byte) []Op {
	head := 0
	for head < min(len(a), len(b)) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	s := script{}
	s.add(Equal, head)
	s.middle(a[head:len(a)-tail], b[head:len(b)-tail])
	s.add(Equal, tail)
	return s.ops
}

// script collects ops.
type script struct {
	ops  []Op
	a, b int // lines covered
}

// middle adds the ops for two sides that differ in their first and last lines.
func (s *script) middle(a, b [][]byte) {
	if len(a)*len(b) <= fewPairs && !share(a, b) {
		s.add(Delete, len(a))
		s.add(Insert, len(b))
		return
	}
	left, right, ok := intern(a, b)
	if !ok {
		s.add(Delete, len(a))
		s.add(Insert, len(b))
		return
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0
	deleted, inserted := 0, 0
	flush := func() {
		s.add(Delete, deleted)
		s.add(Insert, inserted)
		deleted, inserted = 0, 0
	}
	for _, d := range differ.DiffMainRunes(left, right, false) {
		n := 0
		for range d.Text {
			n++
		}
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			deleted += n
		case diffmatchpatch.DiffInsert:
			inserted += n
		default:
			flush()
			s.add(Equal, n)
		}
	}
	flush()
}

// fewPairs is how many comparisons of lines cost less than naming the lines for the differ.
const fewPairs = 16

// share reports whether some line is in both.
func share(a, b [][]byte) bool {
	for _, line := range a {
		if slices.ContainsFunc(b, func(other []byte) bool { return bytes.Equal(line, other) }) {
			return true
		}
	}
	return false
}

func (s *script) add(kind Kind, n int) {
	if n == 0 {
		return
	}
	if last := len(s.ops) - 1; last < 0 || s.ops[last].Kind != kind {
		s.ops = append(s.ops, Op{kind, s.a, s.a, s.b, s.b})
	}
	op := &s.ops[len(s.ops)-1]
	if kind != Insert {
		s.a += n
		op.A1 = s.a
	}
	if kind != Delete {
		s.b += n
		op.B1 = s.b
	}
}

const (
	surrogates    = 0xD800
	surrogatesEnd = 0xE000
	maxRune       = 0x10FFFF
)

// intern gives every different line a rune of its own, the form in which the differ takes lines. The surrogates are
// left out: they do not survive a Go string. It fails when there are more lines than runes.
func intern(a, b [][]byte) (left, right []rune, ok bool) {
	names := make(map[string]rune, len(a))
	next := rune(1)
	name := func(lines [][]byte) []rune {
		out := make([]rune, len(lines))
		for i, line := range lines {
			r, seen := names[string(line)]
			if !seen {
				r = next
				names[string(line)] = r
				if next++; next == surrogates {
					next = surrogatesEnd
				}
			}
			out[i] = r
		}
		return out
	}
	left, right = name(a), name(b)
	return left, right, next <= maxRune
}
