package strategy

import (
	"hash/maphash"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// BlankKey is the key of every line that has only blanks.
const BlankKey Key = 1

// Key identifies a line up to what models get wrong without meaning it: indentation, trailing blanks, the blanks
// between tokens, typographic quotes and dashes. Blanks inside a string literal count, and so does whether two words
// or two operators are separate. Keys are valid within one process.
type Key uint64

// lineSeed makes keys of a document and of a pattern comparable.
var lineSeed = maphash.MakeSeed()

// Key is the key of line i (0-based), made when it is first asked for.
func (d *Document) Key(i int) Key {
	if d.keys == nil || d.keys[i] == 0 {
		d.scratch = d.AppendTokens(d.scratch[:0], i)
	}
	return d.keys[i]
}

// AppendTokens appends the tokens of line i (0-based) to dst: the line without what its [Key] does not tell. For who needs both it
// makes the key as well.
func (d *Document) AppendTokens(dst []byte, i int) []byte {
	from := len(dst)
	dst = text.AppendReduced(dst, d.Line(i))
	if d.keys == nil {
		d.keys = make([]Key, d.Len())
	}
	if d.keys[i] == 0 {
		d.keys[i] = keyOf(dst[from:])
	}
	return dst
}

// Keys are the keys of all lines.
func (d *Document) Keys() []Key {
	for i := range d.Len() {
		d.Key(i)
	}
	return d.keys
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
	return max(BlankKey+1, Key(maphash.Bytes(lineSeed, tokens)))
}
