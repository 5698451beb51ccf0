package strategy

import (
	"hash/maphash"
	"math/bits"

	"github.com/srpatch/srpatch/internal/text"
)

// lineIndex finds the lines of a document by key: a hash table of chains over the line numbers, without pointers.
type lineIndex struct {
	keys  []Key
	heads []int32 // 1 + first line of each bucket
	next  []int32 // 1 + next line in the same bucket
	mask  Key
}

func (d *Document) index() *lineIndex {
	if d.byKey == nil {
		d.byKey = newLineIndex(d.Keys())
	}
	return d.byKey
}

// exactIndex finds lines byte for byte, line ends aside.
func (d *Document) exactIndex() *lineIndex {
	if d.byLine == nil {
		keys := make([]Key, d.Len())
		for i, line := range d.all() {
			if len(line) > 0 {
				keys[i] = exactKey(line)
			}
		}
		d.byLine = newLineIndex(keys)
	}
	return d.byLine
}

// exactKey is the key of a line that is not empty, byte for byte.
func exactKey(line []byte) Key { return max(1, Key(maphash.Bytes(lineSeed, line))) }

func newLineIndex(keys []Key) *lineIndex {
	size := 1 << bits.Len(uint(len(keys)))
	x := &lineIndex{keys: keys, heads: make([]int32, size), next: make([]int32, len(keys)), mask: Key(size - 1)}
	for i := len(keys) - 1; i >= 0; i-- { // backwards, so that chains run in document order
		if keys[i] == BlankKey {
			continue // too common to say anything, and all in one chain
		}
		h := &x.heads[keys[i]&x.mask]
		x.next[i], *h = *h, int32(i+1)
	}
	return x
}

// first is the first 0-based line with key k, and after is the next one after a line that has it; -1 for none. Blank lines are
// not indexed.
func (x *lineIndex) first(k Key) int           { return x.along(x.heads[k&x.mask], k) }
func (x *lineIndex) after(line int, k Key) int { return x.along(x.next[line], k) }

// along goes down a chain to a line with key k.
func (x *lineIndex) along(at int32, k Key) int {
	for at != 0 && x.keys[at-1] != k {
		at = x.next[at-1]
	}
	return int(at) - 1
}

// count is the number of lines with key k, counted up to limit.
func (x *lineIndex) count(k Key, limit int) int {
	n := 0
	for at := x.first(k); at >= 0 && n < limit; at = x.after(at, k) {
		n++
	}
	return n
}

// CountLine is the number of lines with the same key as line, counted up to limit; blank lines are not counted.
func (d *Document) CountLine(line []byte, limit int) int {
	k := keyOf(text.AppendReduced(nil, line))
	if k == BlankKey {
		return 0
	}
	return d.index().count(k, limit)
}
