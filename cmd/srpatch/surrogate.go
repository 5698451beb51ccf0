package main

import (
	"bytes"
	"strings"
)

// loneSurrogate returns the offset of the first \u escape in line that is half of a surrogate pair without its other
// half, or -1. encoding/json would turn it into U+FFFD, which is not what the sender has.
func loneSurrogate(line []byte) int {
	if !bytes.Contains(line, []byte(`\u`)) {
		return -1 // most lines: line breaks are all the escapes they have
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
