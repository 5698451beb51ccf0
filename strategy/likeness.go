package strategy

import (
	"math"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// likeness quickly rules out that lines are similar to one wanted line, without splitting them into
// tokens. It counts characters: "abc" needs at least two edits to become "xyc", because it lacks an
// x and a y. Blanks are ignored on both sides, which never increases a distance.
type likeness struct {
	symbols  int                   // in the tokens of the wanted line
	nonblank int                   // how many of them are nonblank
	wanted   [utf8.RuneSelf]uint16 // how often each nonblank ASCII character occurs in it
}

// newLikeness counts the characters of the wanted line, given as its tokens: the line without
// indentation and needless blanks (see [text.AppendReduced]).
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

// mayReach returns false if the similarity of line to the wanted line is certainly less than the
// given one. It returns true for every line that isn't ASCII, or if the wanted line is too long for
// the counters.
func (l *likeness) mayReach(line []byte, similarity float64) bool {
	if l.symbols > math.MaxUint16 {
		return true
	}
	// differ returns the greatest distance that is similar enough, given the longer line's length.
	differ := func(longer int) int { return int(math.Ceil(float64(longer) * (1 - similarity))) }
	if len(line) < l.symbols-differ(l.symbols) {
		return false // it has no more symbols than bytes
	}
	most := differ(max(len(line), l.symbols))
	seen := l.wanted        // what the rest of line may still match
	common, surplus := 0, 0 // nonblank characters of line that the wanted line has, and others
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
