package strategy

import (
	"bytes"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// isSpaceECMA reports whether the strategies treat a character as whitespace. Whitespace is
// ECMAScript's WhiteSpace and LineTerminator, which the reference cascade trims. Unlike in
// text.Blank, it includes U+FEFF but not U+0085. Each of these characters is one UTF-16 code unit.
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

// indentECMA returns the whitespace at the start of line.
func indentECMA(line []byte) []byte { return line[:len(line)-len(trimLeftECMA(line))] }

// blank reports whether line i is empty or consists of ECMAScript whitespace.
func (d *Document) blank(i int) bool { return len(trimECMA(d.Line(i))) == 0 }

// equalTrimmed reports whether line i of d and line j of e are equal, ignoring whitespace at their
// ends.
func equalTrimmed(d *Document, i int, e *Document, j int) bool {
	return bytes.Equal(trimECMA(d.Line(i)), trimECMA(e.Line(j)))
}
