package apply

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Position is a place in a text as the Language Server Protocol has it, both counted from 0: a
// line, and how many UTF-16 code units of the line are before the place.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// TextEdit is an [Edit] as the Language Server Protocol has it. All positions are those of the text
// before.
type TextEdit struct {
	// Edit is the same in bytes.
	Edit    `json:"-"`
	Range   TextRange `json:"range"`
	NewText string    `json:"newText"`
}

// TextRange is a part of a text; its end is exclusive.
type TextRange struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// positions are the positions of byte offsets in a text, in the order of the offsets. Lines end at
// \n, \r\n or \r. Before a byte order mark and after it is the same position, for editors do not
// show one. A byte that is no UTF-8 counts as a character.
func positions(text []byte, offsets ...int) []Position {
	starts := lineStarts(text)
	out := make([]Position, len(offsets))
	for i, offset := range offsets {
		line := sort.SearchInts(starts, offset+1) - 1
		from := starts[line]
		if line == 0 && bytes.HasPrefix(text, bom) {
			from = min(offset, len(bom))
		}
		out[i] = Position{Line: line, Character: units(text[from:offset])}
	}
	return out
}

// lineStarts are the offsets at which lines begin.
func lineStarts(text []byte) []int {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+2)
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// units is how many UTF-16 code units the text takes.
func units(text []byte) (n int) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}
