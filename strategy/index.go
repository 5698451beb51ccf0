package strategy

import (
	"hash/maphash"
	"iter"
	"math/bits"
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
		d.noteLines()
		keys := make([]Key, d.Len())
		for i := range keys {
			if line := d.Line(i); len(line) > 0 {
				keys[i] = exactKey(line)
			}
		}
		d.byLine = newLineIndex(keys)
	}
	return d.byLine
}

// exactKey is the key of a line that is not empty, as it stands.
func exactKey(line []byte) Key { return max(1, Key(maphash.Bytes(lineSeed, line))) }

func newLineIndex(keys []Key) *lineIndex {
	size := 1 << bits.Len(uint(2*len(keys)))
	x := &lineIndex{keys: keys, heads: make([]int32, size), next: make([]int32, len(keys)), mask: Key(size - 1)}
	for i := len(keys) - 1; i >= 0; i-- { // backwards, so that chains run in document order
		if keys[i] == blankKey {
			continue // too common to say anything, and all in one chain
		}
		h := &x.heads[keys[i]&x.mask]
		x.next[i], *h = *h, int32(i+1)
	}
	return x
}

// lines yields the 0-based lines with key k in order; blank lines are not indexed.
func (x *lineIndex) lines(k Key) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := x.heads[k&x.mask]; at != 0; at = x.next[at-1] {
			if x.keys[at-1] == k && !yield(int(at-1)) {
				return
			}
		}
	}
}

// count is the number of lines with key k, counted up to limit.
func (x *lineIndex) count(k Key, limit int) int {
	n := 0
	for range x.lines(k) {
		if n++; n == limit {
			break
		}
	}
	return n
}

// CountLine is the number of lines with the same key as line, counted up to limit; blank lines are not counted.
func (d *Document) CountLine(line []byte, limit int) int {
	k := keyOf(appendTokens(nil, line))
	if k == blankKey {
		return 0
	}
	return d.index().count(k, limit)
}
