package main

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// loneSurrogate returns the offset of the first \u escape in line that is half of a surrogate pair without its other
// half, or -1. encoding/json would turn it into U+FFFD, which is not what the sender has.
func loneSurrogate(line []byte) int {
	if !hasUnicodeEscape(line) {
		return -1
	}
	for i := 0; ; {
		n := bytes.IndexByte(line[i:], '\\')
		if n < 0 || i+n+1 >= len(line) {
			return -1
		}
		i += n
		if line[i+1] != 'u' {
			i += 2
			continue
		}
		switch unit := codeUnit(line[i:]); {
		case unit < 0xD800 || unit > 0xDFFF:
			i += 2
		case unit < 0xDC00 && lowSurrogate(codeUnit(line[i+6:])):
			i += 12
		default:
			return i
		}
	}
}

func lowSurrogate(unit int) bool { return unit >= 0xDC00 && unit <= 0xDFFF }

// codeUnit is the value of the escape \uXXXX that s begins with, or -1.
func codeUnit(s []byte) int {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	unit := 0
	for _, c := range s[2:6] {
		n := strings.IndexByte("0123456789abcdef", c|0x20)
		if n < 0 {
			return -1
		}
		unit = unit<<4 | n
	}
	return unit
}

// hasUnicodeEscape reports whether `\u` occurs in line. Most lines have none, but a line break in every thirty bytes,
// at each of which a search for the backslash would stop; so eight bytes and their eight successors are compared at once.
func hasUnicodeEscape(line []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+9 <= len(line); i += 8 {
		// A byte of z is zero where line has `\` and then `u`.
		z := (binary.LittleEndian.Uint64(line[i:]) ^ '\\'*ones) | (binary.LittleEndian.Uint64(line[i+1:]) ^ 'u'*ones)
		if (z-ones)&^z&highs != 0 {
			return true
		}
	}
	return bytes.Contains(line[i:], []byte(`\u`))
}
