package apply

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// Position is a position in a text as defined by the Language Server Protocol: a line, and the
// number of UTF-16 code units before the position in that line. Both are 0-based.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// TextEdit is an [Edit] in the form of the Language Server Protocol. All positions refer to the
// text before the edits.
type TextEdit struct {
	// Edit is the same edit with byte offsets.
	Edit    `json:"-"`
	Range   TextRange `json:"range"`
	NewText string    `json:"newText"`
}

// TextRange is a part of a text; its end is exclusive.
type TextRange struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// positions returns the positions of the given byte offsets in a text, in the same order. Lines end
// at \n, \r\n or \r. A byte order mark doesn't count, because editors don't show it. An invalid
// UTF-8 byte counts as a character.
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

// lineStarts returns the offsets at which lines begin.
func lineStarts(text []byte) []int {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+2)
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// units returns the number of UTF-16 code units of the text.
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
