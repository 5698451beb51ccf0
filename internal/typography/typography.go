// Package typography folds the characters that word processors, web pages and models use instead of
// the plain ones in source files: quotes, dashes, spaces, full-width forms, ellipses, ligatures,
// and characters without width.
package typography

import (
	"encoding/binary"
	"unicode/utf8"
)

// Fold returns the plain character that r stands for, and whether there is one. If r stands for
// several characters or for none, use [Plain].
func Fold(r rune) (rune, bool) {
	switch r {
	case '\u00b4', '\u2018', '\u2019', '\u201a', '\u201b', '\u2032', '\u2035':
		return '\'', true
	case '\u201c', '\u201d', '\u201e', '\u201f', '\u2033', '\u2036', '\u301d', '\u301e', '\u301f':
		return '"', true
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2043', '\u2212', '\ufe58', '\ufe63':
		return '-', true
	case '\u00a0', '\u1680', '\u2000', '\u2001', '\u2002', '\u2003', '\u2004', '\u2005', '\u2006',
		'\u2007', '\u2008', '\u2009', '\u200a', '\u202f', '\u205f', '\u3000':
		return ' ', true
	}
	if '\uff01' <= r && r <= '\uff5e' {
		return r - 0xfee0, true // the full-width forms of ASCII
	}
	return r, false
}

// expand returns the characters that r stands for, and whether it stands for none or several.
func expand(r rune) (string, bool) {
	switch r {
	case '\u2026':
		return "...", true
	case '\ufb00':
		return "ff", true
	case '\ufb01':
		return "fi", true
	case '\ufb02':
		return "fl", true
	case '\ufb03':
		return "ffi", true
	case '\ufb04':
		return "ffl", true
	case '\ufb05', '\ufb06':
		return "st", true
	}
	return "", ZeroWidth(r)
}

// ZeroWidth reports whether r has no width: joiners, direction marks, soft hyphens, byte order
// marks.
func ZeroWidth(r rune) bool {
	switch r {
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2060', '\ufeff':
		return true
	}
	return false
}

// StandIn returns the plain text that r stands for, and whether it stands for any.
func StandIn(r rune) (plain string, ok bool) {
	if p, ok := Fold(r); ok {
		return string(p), true
	}
	return expand(r)
}

// Has reports whether text has a character that stands for plain text. It takes one pass, and is
// fastest on ASCII.
func Has(text []byte) bool {
	i := 0
	for ; i+8 <= len(text) && binary.NativeEndian.Uint64(text[i:])&0x8080808080808080 == 0; i += 8 {
	}
	for ; i < len(text); i++ {
		c := text[i]
		// U+00A0 and similar characters begin with 0xC2, full-width forms and ligatures with 0xEF,
		// and all others with 0xE1 to 0xE3.
		if c == 0xC2 || c == 0xEF || c >= 0xE1 && c <= 0xE3 {
			return hasFrom(text[i:])
		}
	}
	return false
}

func hasFrom(text []byte) bool {
	for _, r := range string(text) {
		if _, ok := Fold(r); ok {
			return true
		}
		if _, ok := expand(r); ok {
			return true
		}
	}
	return false
}

// Plain returns text with all such characters folded, or text itself if it has none. Invalid bytes
// are kept.
func Plain(text []byte) []byte {
	if !Has(text) {
		return text
	}
	return appendPlain(make([]byte, 0, len(text)), text)
}

func appendPlain(dst, text []byte) []byte {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if p, ok := Fold(r); ok {
			dst = append(dst, byte(p))
		} else if p, ok := expand(r); ok {
			dst = append(dst, p...)
		} else {
			dst = append(dst, text[:n]...)
		}
		text = text[n:]
	}
	return dst
}
