package strategy

import (
	"bytes"
	"hash/maphash"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// BlankKey is the key of every line that has only blanks.
const BlankKey Key = 0

// Key identifies a line up to what models get wrong without meaning it: indentation, trailing blanks, the blanks
// between tokens, typographic quotes and dashes. Blanks inside a string literal count, and so does whether two words
// or two operators are separate. Keys are valid within one process.
type Key uint64

// lineSeed makes keys of a document and of a pattern comparable.
var lineSeed = maphash.MakeSeed()

// Keys are the keys of all lines, made once in one pass.
func (d *Document) Keys() []Key {
	if d.tokenKeys == nil {
		d.tokenKeys = make([]Key, d.Len())
		var buf []byte
		for i, line := range d.all() {
			buf = text.AppendReduced(buf[:0], line)
			d.tokenKeys[i] = keyOf(buf)
		}
		for _, blank := range []string{"\u2028", "\u2029", "\ufeff"} {
			d.exotic = d.exotic || bytes.Contains(d.text, []byte(blank))
		}
	}
	return d.tokenKeys
}

// tokenLines are the tokens of all lines, see appendTokens: those of line i are text[ends[i-1]:ends[i]].
type tokenLines struct {
	text    []byte
	ends    []int32
	symbols []int32 // how long each line is, in symbols
}

// tokens reduces the document to its tokens, once, for searches that compare them rather than keys.
func (d *Document) tokens() *tokenLines {
	if d.reduced == nil {
		t := &tokenLines{text: make([]byte, 0, len(d.text)), ends: make([]int32, d.Len()), symbols: make([]int32, d.Len())}
		for i, line := range d.all() {
			start := len(t.text)
			t.text = text.AppendReduced(t.text, line)
			t.ends[i] = int32(len(t.text))
			t.symbols[i] = int32(utf8.RuneCount(t.text[start:]))
		}
		d.reduced = t
	}
	return d.reduced
}

func (t *tokenLines) at(i int) []byte {
	if i == 0 {
		return t.text[:t.ends[0]]
	}
	return t.text[t.ends[i-1]:t.ends[i]]
}

// MayRead reports whether two lines may have the same [Key]. It is made to say no soon: they do not if one has an ASCII
// character other than a blank where the other has another.
func MayRead(a, b []byte) bool {
	for {
		a, b = trimASCII(a), trimASCII(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b) || len(a) > 0 && a[0] >= utf8.RuneSelf || len(b) > 0 && b[0] >= utf8.RuneSelf
		}
		if a[0] != b[0] {
			return a[0] >= utf8.RuneSelf || b[0] >= utf8.RuneSelf
		}
		a, b = a[1:], b[1:]
	}
}

// trimASCII is line without leading ASCII white space.
func trimASCII(line []byte) []byte {
	for len(line) > 0 && text.IsASCIISpace(line[0]) {
		line = line[1:]
	}
	return line
}

func keyOf(tokens []byte) Key {
	if len(tokens) == 0 {
		return BlankKey
	}
	return max(1, Key(maphash.Bytes(lineSeed, tokens)))
}
