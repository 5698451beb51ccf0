package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/typography"
)

// Margin returns what line is indented with: its leading run of spaces and tabs.
func Margin(line []byte) []byte {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return line[:n:n]
}

// Trailing returns how many spaces and tabs line ends in.
func Trailing(line []byte) int { return len(line) - len(bytes.TrimRight(line, " \t")) }

// Blank reports whether line holds nothing but white space, its line end included.
func Blank(line []byte) bool {
	for i, c := range line {
		if c >= utf8.RuneSelf {
			return len(bytes.TrimSpace(line[i:])) == 0
		}
		if !IsASCIISpace(c) {
			return false
		}
	}
	return true
}

// IsASCIISpace reports whether c is white space in ASCII.
func IsASCIISpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// Invisible reports whether nobody sees r at the end of a line: a blank of any kind, a line end, or
// what has no width. What ends a line elsewhere only, as form feeds and U+2028 do, is text here.
func Invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r'
	}
	switch r {
	case '\u0085', '\u2028', '\u2029':
		return false
	}
	return unicode.IsSpace(r) || typography.ZeroWidth(r)
}

// Chomp is line without its line end, LF or CRLF.
func Chomp(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
