package editdist

import "unicode/utf8"

// Symbol is a rune, or invalidBase+b for a byte b that is not part of valid UTF-8.
type Symbol int32

const invalidBase = utf8.MaxRune + 1

// Decode returns the symbol at the start of text and its length in bytes, or (0, 0) for an empty
// text.
func Decode(text []byte) (Symbol, int) {
	r, n := utf8.DecodeRune(text)
	if r == utf8.RuneError && n < 2 {
		if n == 0 {
			return 0, 0
		}
		return invalidBase + Symbol(text[0]), 1
	}
	return Symbol(r), n
}

// AppendSymbols appends the symbols of text to dst.
func AppendSymbols(dst []Symbol, text []byte) []Symbol {
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf {
			dst = append(dst, Symbol(b))
			i++
			continue
		}
		s, n := Decode(text[i:])
		dst = append(dst, s)
		i += n
	}
	return dst
}
