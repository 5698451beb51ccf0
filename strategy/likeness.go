package strategy

import (
	"math"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// likeness quickly rules out that a line is similar enough to another one, without splitting it
// into tokens, if the characters of the two or their numbers differ too much. Blanks are ignored on
// both sides, which never increases a distance.
type likeness struct {
	symbols  int                   // in the tokens of the wanted line
	nonblank int                   // how many of them are nonblank
	wanted   [utf8.RuneSelf]uint16 // how often each nonblank ASCII character occurs in it
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

// mayReach reports whether the similarity of line may be at least the given one. It returns true
// for every line that isn't ASCII, or if the counts are too large for the counters.
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

// longest returns the greatest number of nonblank symbols in a line that may have at least the
// given similarity.
func (l *likeness) longest(similarity float64) int {
	return int(math.Ceil(float64(l.symbols+1) / similarity))
}
