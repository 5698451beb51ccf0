package jsontext

import (
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// errLoneSurrogate says that a string has half of a surrogate pair, which is no character.
var errLoneSurrogate = errors.New("half of a surrogate pair")

// Unquote returns the bytes that a string of a scanned text encodes. Bytes that are no UTF-8 stay as they are.
func Unquote(quoted []byte) ([]byte, error) {
	in := quoted[1 : len(quoted)-1]
	out := make([]byte, 0, len(in))
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' {
			out = append(out, in[i])
			continue
		}
		i++
		switch c := in[i]; c {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r := hexRune(in[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(0)
				if len(in) >= i+7 && in[i+1] == '\\' && in[i+2] == 'u' {
					low = hexRune(in[i+3:])
				}
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					return nil, errLoneSurrogate
				}
				i += 6
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
	return out, nil
}

// hexRune reads the four digits of a \u escape.
func hexRune(digits []byte) (r rune) {
	for _, c := range digits[:4] {
		d, _ := hexDigit(c)
		r = r<<4 | rune(d)
	}
	return r
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// AppendString quotes text so that jsonUnquote gives the same bytes.
func AppendString(out, text []byte) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\r':
			out = append(out, '\\', 'r')
		case c == '\t':
			out = append(out, '\\', 't')
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
