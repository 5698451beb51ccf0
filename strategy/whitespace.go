package strategy

import (
	"bytes"
	"hash/maphash"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// isSpaceECMA reports the characters that count as whitespace to the strategies. They are those of ECMAScript's WhiteSpace and
// LineTerminator, which the reference cascade trims with: other than to text.Blank, U+FEFF is among them, and U+0085 is not. All of them lie in the basic plane, so that a count of them is the same in runes and in UTF-16 units.
func isSpaceECMA(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return 0x2000 <= r && r <= 0x200A
}

func trimLeftECMA(b []byte) []byte {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return bytes.TrimLeftFunc(b[i:], isSpaceECMA)
		}
		if !text.IsASCIISpace(c) {
			return b[i:]
		}
	}
	return b[len(b):]
}

func trimRightECMA(b []byte) []byte {
	for i := len(b); i > 0; i-- {
		if b[i-1] >= utf8.RuneSelf {
			return bytes.TrimRightFunc(b[:i], isSpaceECMA)
		}
		if !text.IsASCIISpace(b[i-1]) {
			return b[:i]
		}
	}
	return b[:0]
}

func trimECMA(b []byte) []byte { return trimRightECMA(trimLeftECMA(b)) }

// indentOf is the whitespace before the first other character.
func indentECMA(line []byte) []byte { return line[:len(line)-len(trimLeftECMA(line))] }

var keySeed = maphash.MakeSeed()

// lineKeys has a hash of each trimmed line: lines equal except for the whitespace around them have equal keys, and the key
// of a blank line, and of no other, is 0. Equal keys are a reason to compare texts, never a proof.
func (d *Document) lineKeys() []uint64 {
	if d.trimmedKeys == nil {
		d.hashLines()
	}
	return d.trimmedKeys
}

func (d *Document) hashLines() {
	d.noteLines()
	d.trimmedKeys = make([]uint64, d.Len())
	for i := range d.trimmedKeys {
		if line := trimECMA(d.Line(i)); len(line) > 0 {
			d.trimmedKeys[i] = maphash.Bytes(keySeed, line) | 1
		}
	}
}

// blank reports whether line i is empty or ECMAScript's whitespace.
func (d *Document) blank(i int) bool {
	if d.raw {
		return d.lineKeys()[i] == 0
	}
	return len(trimECMA(d.Line(i))) == 0
}

// equalTrimmed reports whether line i of d and line j of e are equal except for the whitespace around them.
func equalTrimmed(d *Document, i int, e *Document, j int) bool {
	return (!d.raw || d.lineKeys()[i] == e.lineKeys()[j]) && bytes.Equal(trimECMA(d.Line(i)), trimECMA(e.Line(j)))
}

// equalLines reports whether line i of d and line j of e are equal, line ends aside.
func equalLines(d *Document, i int, e *Document, j int) bool {
	return bytes.Equal(d.Line(i), e.Line(j))
}

// exotic says whether a document has characters that are whitespace to some and not to others: then lines that are equal except for
// whitespace may differ in their signs.
type exotic uint8

const (
	exoticUnknown exotic = iota
	exoticNo
	exoticYes
)

// isExotic looks for such characters once.
func (d *Document) isExotic() bool {
	if d.exotic == exoticUnknown {
		d.exotic = exoticNo
		for _, blank := range []string{"\u0085", "\u2028", "\u2029", "\ufeff"} {
			if bytes.Contains(d.text, []byte(blank)) {
				d.exotic = exoticYes
			}
		}
	}
	return d.exotic == exoticYes
}
