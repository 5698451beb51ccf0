package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// Unsafe reports whether a terminal would act on r instead of showing it: C0 and C1 controls, DEL,
// line and paragraph separators, and format characters (bidirectional overrides, zero widths,
// tags). The joiners that emoji and many scripts need are harmless.
func Unsafe(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0:
		return true
	case r < 0x300:
		return r == 0xAD
	case r == '\u200C', r == '\u200D':
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Hidden reports whether r may be invisible to a reader: it is [Unsafe], or a font may show nothing
// for it (Unicode's property Default_Ignorable_Code_Point).
func Hidden(r rune) bool {
	return Unsafe(r) || r == '\u200C' || r == '\u200D' ||
		r >= 0x300 && unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// FirstLost returns the offset of the first character in text that would be lost if a terminal
// showed it or a model repeated it, or -1 if there is none. Such a character is a byte that isn't
// UTF-8, or is [Unsafe] and neither a tab nor part of a line end.
func FirstLost(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		switch {
		case r == '\n', r == '\t', r == '\r' && bytes.HasPrefix(text[i+1:], []byte{'\n'}):
		case r == utf8.RuneError && n == 1, Unsafe(r):
			return i
		}
		i += n
	}
	return -1
}
