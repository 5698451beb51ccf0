package main

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
)

// loneSurrogate returns the offset of the first \u escape in line that is half of a surrogate pair without its other
// half, or -1. encoding/json would turn it into U+FFFD, which is not what the sender has.
func loneSurrogate(line []byte) int {
	for i := unicodeEscape(line, 0); i >= 0; i = unicodeEscape(line, i) {
		switch unit := codeUnit(line[i:]); {
		case unit < 0xD800 || unit > 0xDFFF || isEscaped(line, i):
			i += 2
		case unit < 0xDC00 && lowSurrogate(codeUnit(line[i+6:])):
			i += 12
		default:
			return i
		}
	}
	return -1
}

// isEscaped reports whether the backslash at i is the second one of an escape.
func isEscaped(line []byte, i int) bool {
	before := line[:i]
	return (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 1
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

// unicodeEscape is where `\u` occurs next in line, at offset i or later, or -1. Most lines have none, but a line break in every thirty bytes,
// at each of which a search for the backslash would stop; so eight bytes and their eight successors are compared at once.
func unicodeEscape(line []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+9 <= len(line); i += 8 {
		// A byte of z is zero where line has `\` and then `u`. The lowest one that looks so is.
		z := (binary.LittleEndian.Uint64(line[i:]) ^ '\\'*ones) | (binary.LittleEndian.Uint64(line[i+1:]) ^ 'u'*ones)
		if found := (z - ones) &^ z & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	if n := bytes.Index(line[min(i, len(line)):], []byte(`\u`)); n >= 0 {
		return i + n
	}
	return -1
}
