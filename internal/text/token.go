package text

import (
	"unicode"
	"unicode/utf8"
)

// Tokens splits line into words and single marks; blanks are dropped.
func Tokens(line []byte) [][]byte {
	var out [][]byte
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		switch {
		case unicode.IsSpace(r):
			line = line[n:]
			continue
		case IsWordRune(r):
			for n < len(line) {
				r, k := utf8.DecodeRune(line[n:])
				if !IsWordRune(r) {
					break
				}
				n += k
			}
		}
		out = append(out, line[:n])
		line = line[n:]
	}
	return out
}

// IsWordRune reports whether r is part of a word: a letter, a digit or an underscore.
func IsWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// BeginsWithWord reports whether text begins with a word. A token that does is one.
func BeginsWithWord(text []byte) bool { r, _ := utf8.DecodeRune(text); return IsWordRune(r) }

// EndsWithWord reports whether text ends in a word.
func EndsWithWord(text []byte) bool { r, _ := utf8.DecodeLastRune(text); return IsWordRune(r) }

// IsWordByte is IsWordRune for loops that look at each byte of a file. It decodes nothing: all that is not ASCII is a word to it.
func IsWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= utf8.RuneSelf
}

// IsOperatorByte reports whether c is a mark of which several next to each other make another operator.
func IsOperatorByte(c byte) bool {
	switch c {
	case '+', '-', '*', '/', '%', '<', '>', '=', '!', '&', '|', '^', '~', '?', ':', '.':
		return true
	}
	return false
}
