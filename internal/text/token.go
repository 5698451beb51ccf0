package text

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Tokens splits line into words and single signs, without blanks.
func Tokens(line []byte) [][]byte { return AppendTokens(nil, line) }

// AppendTokens appends the tokens of line to out; see [Tokens].
func AppendTokens(out [][]byte, line []byte) [][]byte {
	for token := range EachToken(line) {
		out = append(out, token)
	}
	return out
}

// EachToken yields the tokens of line without allocating; see [Tokens].
func EachToken(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
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
			if !yield(line[:n]) {
				return
			}
			line = line[n:]
		}
	}
}

// HasToken reports whether token is one of the tokens of line.
func HasToken(line, token []byte) bool {
	for t := range EachToken(line) {
		if string(t) == string(token) {
			return true
		}
	}
	return false
}

// ShareTokens reports whether two lines have two thirds of their tokens in common, in any order.
// All quotes count as the same.
func ShareTokens(a, b []byte) bool {
	key := func(token []byte) string {
		if IsQuote(token[0]) {
			return `"`
		}
		return string(token)
	}
	left := map[string]int{}
	ofA, ofB, shared := 0, 0, 0
	for t := range EachToken(a) {
		left[key(t)]++
		ofA++
	}
	for t := range EachToken(b) {
		if ofB++; left[key(t)] > 0 {
			left[key(t)]--
			shared++
		}
	}
	return 3*shared >= 2*max(ofA, ofB)
}

// IsWordRune reports whether r is part of a word: a letter, a digit or an underscore.
func IsWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// BeginsWithWord reports whether text begins with a word. A token that begins with a word is a
// word.
func BeginsWithWord(text []byte) bool { r, _ := utf8.DecodeRune(text); return IsWordRune(r) }

// EndsWithWord reports whether text ends with a word.
func EndsWithWord(text []byte) bool { r, _ := utf8.DecodeLastRune(text); return IsWordRune(r) }

// JoinWord reports whether a word would continue from the end of a into b.
func JoinWord(a, b []byte) bool { return EndsWithWord(a) && BeginsWithWord(b) }

// IsWordByte is like IsWordRune, for loops over the bytes of a file. It decodes nothing and treats
// every non-ASCII byte as part of a word.
func IsWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= utf8.RuneSelf
}

// isOperatorByte reports whether c is a sign that can form a different operator if it is repeated
// or combined.
func isOperatorByte(c byte) bool {
	switch c {
	case '+', '-', '*', '/', '%', '<', '>', '=', '!', '&', '|', '^', '~', '?', ':', '.':
		return true
	}
	return false
}
