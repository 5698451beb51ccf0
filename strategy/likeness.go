package strategy

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// likeness tells soon, and without its tokens, that a line is not as similar to another one as is
// asked for: it has other characters, or too many or too few of them. Blanks are left out on both
// sides, which never takes two texts further apart.
type likeness struct {
	symbols  int                   // in the tokens of the line that others are compared with
	nonblank int                   // of them
	wanted   [utf8.RuneSelf]uint16 // how often each ASCII character occurs there, except for blanks
}

func newLikeness(tokens []byte) *likeness {
	l := &likeness{symbols: utf8.RuneCount(tokens)}
	l.nonblank = l.symbols
	for _, c := range tokens {
		switch {
		case c == ' ':
			l.nonblank--
		case c < utf8.RuneSelf:
			l.wanted[c]++
		}
	}
	return l
}

// mayReach reports whether the similarity of line may be at least so much. A line that is not ASCII
// always may, and so may any if there is more to count than counters hold.
func (l *likeness) mayReach(line []byte, similarity float64) bool {
	if l.symbols > math.MaxUint16 {
		return true
	}
	differ := func(longer int) int { return int(math.Ceil(float64(longer) * (1 - similarity))) }
	if len(line) < l.symbols-differ(l.symbols) {
		return false // it has no more symbols than bytes
	}
	most := differ(max(len(line), l.symbols))
	seen := l.wanted
	common, surplus := 0, 0
	for _, c := range line {
		switch {
		case c >= utf8.RuneSelf:
			return true
		case seen[c] > 0:
			seen[c]--
			common++
		case !text.IsASCIISpace(c):
			if surplus++; surplus > most {
				return false
			}
		}
	}
	return l.nonblank-common <= most
}

// longest is how many symbols that are no blanks a line may have whose similarity is at least so
// much.
func (l *likeness) longest(similarity float64) int {
	return int(math.Ceil(float64(l.symbols+1) / similarity))
}

// nonblank is how many symbols of each line are no blanks, or less. It is counted once.
func (d *Document) nonblank() []int32 {
	if d.nonblanks == nil {
		d.nonblanks = make([]int32, d.Len())
		for i, line := range d.Lines() {
			d.nonblanks[i] = fewestNonblank(line)
		}
	}
	return d.nonblanks
}

// fewestNonblank is how many symbols of line are no blanks, or less.
func fewestNonblank(line []byte) int32 {
	const highs = 0x8080808080808080
	n := 0
	for ; len(line) >= 8; line = line[8:] {
		w := binary.LittleEndian.Uint64(line)
		// A byte of at most 0x20 leaves its high bit clear, and so does one that is not ASCII.
		n += bits.OnesCount64((w&^highs + 0x5f5f5f5f5f5f5f5f) &^ w & highs)
	}
	return int32(n)
}
