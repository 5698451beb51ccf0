// Package bag draws from things of which more may come: a thing that is added takes some draws, and changes no others.
package bag

import (
	"hash/fnv"
	"slices"
)

// Bag has things to draw from.
type Bag[T any] struct{ items []Item[T] }

// Item is a thing in a bag.
type Item[T any] struct {
	Thing T
	// Key is of the text by which the thing was put in; of what is drawn, it is mixed with the seed.
	Key uint64
}

// Put adds a thing, known by a text.
func (b *Bag[T]) Put(thing T, text string) {
	h := fnv.New64a()
	h.Write([]byte(text))
	b.items = append(b.items, Item[T]{thing, h.Sum64()})
}

// Items are all things, in the order in which they were put in.
func (b *Bag[T]) Items() []Item[T] { return b.items }

// Draw returns the n things whose keys, mixed with the seed, are largest, the largest first (rendezvous hashing: Thaler and
// Ravishankar, 1998).
func (b *Bag[T]) Draw(seed uint64, n int) []Item[T] {
	first := make([]Item[T], 0, n+1)
	for _, item := range b.items {
		x := item.Key ^ seed // mixed as SplitMix64 does
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
		if len(first) == n && x <= first[n-1].Key {
			continue
		}
		at := len(first)
		for at > 0 && first[at-1].Key < x {
			at--
		}
		first = slices.Insert(first, at, Item[T]{item.Thing, x})
		first = first[:min(len(first), n)]
	}
	return first
}
