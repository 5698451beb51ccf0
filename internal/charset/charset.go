// Package charset reads and writes text in encodings other than UTF-8 without losing a byte: bytes
// that mean nothing in an encoding are kept.
package charset

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// Charset is an encoding of text. Its methods may be used by several goroutines.
type Charset struct {
	// Name is the name that the caller used.
	Name string
	kind kind
	// encoding is nil for UTF-8.
	encoding encoding.Encoding
}

type kind int

const (
	narrow kind = iota // a byte below 0x80 at the start of a character is that character of ASCII
	wide               // UTF-16
	utf8s
)

// IsUTF8 reports whether the encoding is UTF-8.
func (c *Charset) IsUTF8() bool { return c.kind == utf8s }

// IsUTF16 reports whether the encoding is a form of UTF-16.
func (c *Charset) IsUTF16() bool { return c.kind == wide }

// Decode returns the text of raw in UTF-8. ok is false if raw is not in this encoding, because it
// is UTF-8 (for another encoding), or because it can't be UTF-16. Bytes that mean nothing in the
// encoding, or that Encode would write differently, are in the text as [escape] has them, so that
// Encode gives raw back.
func (c *Charset) Decode(raw []byte) (text []byte, ok bool) {
	switch c.kind {
	case utf8s:
		return raw, true
	case wide:
		return c.decodeWide(raw)
	}
	if utf8.Valid(raw) {
		return nil, false
	}
	decoder, encoder := c.encoding.NewDecoder(), c.encoding.NewEncoder()
	text = make([]byte, 0, len(raw)+len(raw)/2)
	for line := range bytes.Lines(raw) {
		// Most lines can be converted whole, which is faster.
		if decoded, err := decoder.Bytes(line); err == nil {
			if back, err := encoder.Bytes(decoded); err == nil && bytes.Equal(back, line) {
				text = append(text, decoded...)
				continue
			}
		}
		text = appendCharacters(text, line, decoder, encoder)
	}
	return text, true
}

// longest is the greatest length of a character in bytes, in any encoding.
const longest = 4

// appendCharacters decodes line character by character, and appends it to text. A byte that begins
// no character, or one that the encoder writes differently, is escaped.
func appendCharacters(text, line []byte, decoder *encoding.Decoder, encoder *encoding.Encoder) []byte {
	for len(line) > 0 {
		n, decoded := 1, escape(line[0])
		for k := 1; k <= min(longest, len(line)); k++ {
			one, err := decoder.Bytes(line[:k])
			if _, size := utf8.DecodeRune(one); err != nil || size != len(one) {
				continue // not one character
			}
			if back, err := encoder.Bytes(one); err == nil && bytes.Equal(back, line[:k]) {
				n, decoded = k, one
				break
			}
		}
		text, line = append(text, decoded...), line[n:]
	}
	return text
}

// escape returns how a byte that is no character is kept in a text: as the surrogate U+DC00 plus
// the byte, which is not valid in other text.
func escape(b byte) []byte { return []byte{0xED, 0xB0 + b>>6, 0x80 + b&0x3F} }

// escaped returns the byte whose escape is at the start of text, if any.
func escaped(text []byte) (b byte, ok bool) {
	if len(text) < 3 || text[0] != 0xED || text[1]&^0x03 != 0xB0 || text[2]&^0x3F != 0x80 {
		return 0, false
	}
	return text[1]<<6 | text[2]&0x3F, true
}

// HoldError says which character an encoding cannot hold.
type HoldError struct {
	Charset string
	// Rune is the character, [utf8.RuneError] for bytes that are not UTF-8.
	Rune rune
}

func (e *HoldError) Error() string {
	return fmt.Sprintf("%s cannot hold %q (%U)", e.Charset, e.Rune, e.Rune)
}

// Encode returns the bytes of text: the inverse of Decode. The error is a [*HoldError].
func (c *Charset) Encode(text []byte) ([]byte, error) {
	switch {
	case c.kind == utf8s, isASCII(text) && c.kind == narrow:
		return text, nil
	case c.kind == wide:
		return c.encodeWide(text)
	}
	encoder := c.encoding.NewEncoder()
	raw := make([]byte, 0, len(text))
	for len(text) > 0 {
		if b, ok := escaped(text); ok {
			raw, text = append(raw, b), text[3:]
			continue
		}
		n := untilEscape(text)
		part, err := encoder.Bytes(text[:n])
		if err != nil || !utf8.Valid(text[:n]) {
			return nil, &HoldError{c.Name, cannotHold(encoder, text[:n])}
		}
		raw, text = append(raw, part...), text[n:]
	}
	return raw, nil
}

// untilEscape returns the number of bytes before the first escape in text. The caller has made sure
// that text doesn't start with one.
func untilEscape(text []byte) int {
	for i := 1; i < len(text); i++ {
		if _, ok := escaped(text[i:]); ok {
			return i
		}
	}
	return len(text)
}

// cannotHold returns the first character of text that the encoding doesn't have, or
// [utf8.RuneError] if text isn't UTF-8 there, or if no single character is at fault.
func cannotHold(encoder *encoding.Encoder, text []byte) rune {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if _, err := encoder.Bytes(text[:size]); err != nil || r == utf8.RuneError && size == 1 {
			return r
		}
		text = text[size:]
	}
	return utf8.RuneError
}

// ascii returns the number of ASCII characters at the start of text.
func ascii(text []byte) int {
	if n := slices.IndexFunc(text, func(b byte) bool { return b >= utf8.RuneSelf }); n >= 0 {
		return n
	}
	return len(text)
}

func isASCII(text []byte) bool { return ascii(text) == len(text) }

// decodeWide decodes UTF-16. ok is false if raw can't be UTF-16, or if encoding the text would not
// give raw again.
func (c *Charset) decodeWide(raw []byte) (text []byte, ok bool) {
	// Valid UTF-8 without a NUL is taken for UTF-8. As UTF-16, it would have no ASCII at all.
	if len(raw)%2 > 0 || bytes.IndexByte(raw, 0) < 0 && utf8.Valid(raw) {
		return nil, false
	}
	text, err := c.encoding.NewDecoder().Bytes(raw)
	if err != nil {
		return nil, false
	}
	back, err := c.encodeWide(text)
	return text, err == nil && bytes.Equal(back, raw)
}

func (c *Charset) encodeWide(text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return nil, &HoldError{c.Name, utf8.RuneError}
	}
	return c.encoding.NewEncoder().Bytes(text)
}

// errUnknown is for names of no encoding, errStateful for those of encodings in which a byte below
// 0x80 may be anything.
var (
	errUnknown  = errors.New("no encoding is known by this name")
	errStateful = errors.New("text in this encoding cannot be edited, as its bytes below 0x80 are not those of ASCII")
)

// utf16 returns the form of UTF-16 with this byte order. A byte order mark is decoded like any
// other character, so that it stays in the text.
func utf16(order unicode.Endianness) encoding.Encoding {
	return unicode.UTF16(order, unicode.IgnoreBOM)
}
