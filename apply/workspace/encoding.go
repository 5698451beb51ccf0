package workspace

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// binaryPrefix is how much of a file is searched for NUL bytes, as in git.
const binaryPrefix = 8000

var errBinary = errors.New("a binary file")

// charset is how a file's bytes mean text. Text in the engine is UTF-8 or bytes of an ASCII-compatible encoding, which
// stay as they are; UTF-16 is known by its byte order mark, and is the only one that is converted.
type charset struct {
	bom   string
	utf16 encoding.Encoding
}

func charsetOf(raw []byte) charset {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe\x00\x00")):
		return charset{} // UTF-32, little endian: NUL bytes make it binary
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return charset{"\xff\xfe", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return charset{"\xfe\xff", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}
	}
	return charset{}
}

// decode returns a file's text: without the byte order mark for UTF-16, and raw itself for anything else. Text that
// could not be written back byte for byte is an error.
func decode(raw []byte) ([]byte, error) {
	c := charsetOf(raw)
	if c.utf16 == nil {
		if bytes.IndexByte(raw[:min(len(raw), binaryPrefix)], 0) >= 0 {
			return nil, errBinary
		}
		return raw, nil
	}
	text, err := c.utf16.NewDecoder().Bytes(raw[len(c.bom):])
	if err != nil {
		return nil, err
	}
	if back, err := c.encode(text); err != nil || !bytes.Equal(back, raw) {
		return nil, errors.New("not valid UTF-16, although its byte order mark says so")
	}
	return append([]byte{}, text...), nil // not nil, which would be an absent file
}

// encode is the inverse of decode for a file of this charset.
func (c charset) encode(text []byte) ([]byte, error) {
	if c.utf16 == nil {
		return text, nil
	}
	if !utf8.Valid(text) {
		return nil, errors.New("the new text is not valid UTF-8 and cannot be written as UTF-16")
	}
	raw, err := c.utf16.NewEncoder().Bytes(text)
	return append([]byte(c.bom), raw...), err
}
