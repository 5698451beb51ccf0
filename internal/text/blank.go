package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/typography"
)

// Margin returns the indentation of line: its leading spaces and tabs.
func Margin(line []byte) []byte {
	n := 0
	for n < len(line) && (line[n] == ' ' || line[n] == '\t') {
		n++
	}
	return line[:n:n]
}

// Trailing returns the number of spaces and tabs at the end of line.
func Trailing(line []byte) int { return len(line) - len(bytes.TrimRight(line, " \t")) }

// Blank reports whether line consists of whitespace, including its line end.
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

// IsASCIISpace reports whether c is ASCII whitespace.
func IsASCIISpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// Invisible reports whether r can't be seen at the end of a line: r is any blank, a line end, or a
// character without width. Form feeds and U+2028 count as text, although other programs may treat
// them as line ends.
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

// Chomp returns line without its line end, LF or CRLF.
func Chomp(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
