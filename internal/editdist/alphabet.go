package editdist

import "math/bits"

// ascii is the number of symbols that are single bytes in UTF-8.
const ascii = 0x80

// Code is the number of a symbol in a pattern's alphabet: 1, 2, 3 ... in order of appearance, or 0
// for a symbol that the pattern doesn't have.
type Code uint32

// alphabet maps symbols to codes: a table for ASCII, and open addressing with linear probing for
// the rest.
type alphabet struct {
	ascii [ascii]Code
	slots []slot // a power of two, at most half full
	shift uint8  // 32 - log2(len(slots))
	size  int    // codes given out
}

type slot struct {
	symbol Symbol
	code   Code // 0 for a free slot
}

// code returns the code of s, or 0 if it has none.
func (a *alphabet) code(s Symbol) Code {
	if uint32(s) < ascii {
		return a.ascii[s]
	}
	return a.rare(s)
}

// rare returns the code of s, which must not be ASCII.
func (a *alphabet) rare(s Symbol) Code {
	if len(a.slots) == 0 {
		return 0
	}
	mask := uint32(len(a.slots) - 1)
	for i := hash(s) >> a.shift; ; i++ {
		if at := &a.slots[i&mask]; at.symbol == s || at.code == 0 { // a free slot: s is not there
			return at.code
		}
	}
}

// intern returns the code of s, and assigns one if it has none yet. s must not be negative.
func (a *alphabet) intern(s Symbol) Code {
	if c := a.code(s); c != 0 {
		return c
	}
	a.size++
	c := Code(a.size)
	if uint32(s) < ascii {
		a.ascii[s] = c
		return c
	}
	if 2*a.size >= len(a.slots) {
		a.grow()
	}
	a.put(slot{s, c})
	return c
}

// grow doubles the table, and puts its symbols into the new one.
func (a *alphabet) grow() {
	old := a.slots
	a.slots = make([]slot, max(16, 2*len(old)))
	a.shift = uint8(32 - bits.TrailingZeros(uint(len(a.slots))))
	for _, s := range old {
		if s.code != 0 {
			a.put(s)
		}
	}
}

// put adds a symbol that is neither ASCII nor in the table. The table must have a free slot.
func (a *alphabet) put(s slot) {
	mask := uint32(len(a.slots) - 1)
	i := hash(s.symbol) >> a.shift
	for a.slots[i&mask].code != 0 {
		i++
	}
	a.slots[i&mask] = s
}

// hash is Fibonacci hashing: the high bits of a product with 2^32 divided by the golden ratio.
func hash(s Symbol) uint32 { return uint32(s) * 2654435769 }
