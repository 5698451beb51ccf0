package strategy

import (
	"iter"
	"math/bits"

	"github.com/srpatch/srpatch/internal/text"
)

// lineIndex finds the lines of a document by a mark that they have: a hash table of chains over the line numbers, without pointers.
// Lines without a mark are not in it.
type lineIndex struct {
	marks []uint64
	heads []int32 // 1 + first line of each bucket
	next  []int32 // 1 + next line in the same bucket
	mask  uint64
}

// index finds the lines by their signs.
func (d *Document) index() *lineIndex {
	if d.bySign == nil {
		d.bySign = newLineIndex(d.signs())
	}
	return d.bySign
}

func newLineIndex(marks []uint64) *lineIndex {
	size := 1 << bits.Len(uint(len(marks)))
	x := &lineIndex{marks: marks, heads: make([]int32, size), next: make([]int32, len(marks)), mask: uint64(size - 1)}
	for i := len(marks) - 1; i >= 0; i-- { // backwards, so that chains run in document order
		if marks[i] == 0 {
			continue // blank lines are too common to say anything, and all in one chain
		}
		h := &x.heads[marks[i]&x.mask]
		x.next[i], *h = *h, int32(i+1)
	}
	return x
}

// first is the first 0-based line with mark m, and after is the next one after a line that has it; -1 for none.
func (x *lineIndex) first(m uint64) int           { return x.along(x.heads[m&x.mask], m) }
func (x *lineIndex) after(line int, m uint64) int { return x.along(x.next[line], m) }

// along goes down a chain to a line with mark m.
func (x *lineIndex) along(at int32, m uint64) int {
	for at != 0 && x.marks[at-1] != m {
		at = x.next[at-1]
	}
	return int(at) - 1
}

// count is the number of lines with mark m, counted up to limit.
func (x *lineIndex) count(m uint64, limit int) int {
	n := 0
	for at := x.first(m); at >= 0 && n < limit; at = x.after(at, m) {
		n++
	}
	return n
}

// mostStrays is how many lines, for each line of the document, may be looked at that have the sign of one that is looked for and
// not its key. Then the keys of all lines are indexed as well, so that lines made to have equal signs cost no more than others.
const mostStrays = 2

// withKey yields, in order, the lines that have key k, which is not BlankKey, and so have sign s.
func (d *Document) withKey(s uint64, k Key) iter.Seq[int] {
	return func(yield func(int) bool) {
		if d.byKey == nil && d.strays > mostStrays*d.Len() {
			marks := make([]uint64, d.Len())
			for i, k := range d.Keys() {
				if k != BlankKey {
					marks[i] = uint64(k)
				}
			}
			d.byKey = newLineIndex(marks)
		}
		x, mark := d.index(), s
		if d.byKey != nil {
			x, mark = d.byKey, uint64(k)
		}
		for at := x.first(mark); at >= 0; at = x.after(at, mark) {
			if d.Key(at) != k {
				d.strays++
			} else if !yield(at) {
				return
			}
		}
	}
}

// countKey is the number of lines with key k, and so sign s, counted up to limit; blank lines are not counted.
func (d *Document) countKey(s uint64, k Key, limit int) int {
	n := 0
	if k == BlankKey {
		return 0
	}
	for range d.withKey(s, k) {
		if n++; n == limit {
			break
		}
	}
	return n
}

// scanCost is how many lines can be passed over that are not a certain one, in the time that it takes to index one.
const scanCost = 4

// CountLine is the number of lines with the same key as line, counted up to limit; blank lines are not counted.
func (d *Document) CountLine(line []byte, limit int) int {
	tokens := text.AppendReduced(nil, line)
	k := keyOf(tokens)
	if k == BlankKey || d.isIndexed() {
		return d.countKey(signOf(tokens), k, limit)
	}
	d.probed += d.Len() / scanCost
	n := 0
	for i, have := range d.Lines() {
		if MayRead(have, line) && d.Key(i) == k {
			if n++; n == limit {
				break
			}
		}
	}
	return n
}

// HasLine reports whether some line of the document has the same key as line, or line is blank.
func (d *Document) HasLine(line []byte) bool {
	return d.CountLine(line, 1) > 0 || len(text.AppendReduced(nil, line)) == 0
}
