package vanish

import (
	"hash/fnv"
	"slices"
)

// bag holds things to draw. A thing that is added takes over some draws and changes no others.
type bag[T any] struct{ items []item[T] }

// item is a thing in a bag. Its key is a hash of its text, mixed with the seed when drawing.
type item[T any] struct {
	thing T
	key   uint64
}

// put adds a thing, identified by a text.
func (b *bag[T]) put(thing T, text string) {
	h := fnv.New64a()
	h.Write([]byte(text))
	b.items = append(b.items, item[T]{thing, h.Sum64()})
}

// draw returns the n things whose keys, mixed with the seed, are largest, the largest first
// (rendezvous hashing: Thaler and Ravishankar, 1998).
func (b *bag[T]) draw(seed uint64, n int) []item[T] {
	first := make([]item[T], 0, n+1)
	for _, it := range b.items {
		x := it.key ^ seed // mixed as SplitMix64 does
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
		if len(first) == n && x <= first[n-1].key {
			continue
		}
		at := len(first)
		for at > 0 && first[at-1].key < x {
			at--
		}
		first = slices.Insert(first, at, item[T]{it.thing, x})
		first = first[:min(len(first), n)]
	}
	return first
}
