package text

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Shown is how the character r, which raw encodes, is shown: as an escape if it is [Hidden] or a byte that is not UTF-8, else as it is.
func Shown(r rune, raw string) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case !Hidden(r):
		return raw
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xFFFF:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Clean returns s as one line that is safe to show: control characters, bytes that are not UTF-8, line breaks of every kind and the
// characters that reorder or hide text are shown as escapes such as \x1b or \u202e.
func Clean(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		b.WriteString(Shown(r, s[i:i+n]))
		i += n
	}
	return b.String()
}

func clean(s string) bool {
	for i, r := range s {
		if Hidden(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// WithShown is text in which every character that is lost, see [FirstLost], is written as it is shown.
func WithShown(text []byte) []byte {
	var out []byte
	for {
		i := FirstLost(text)
		if i < 0 {
			return append(out, text...)
		}
		r, n := utf8.DecodeRune(text[i:])
		out = append(append(out, text[:i]...), Shown(r, string(text[i:i+n]))...)
		text = text[i+n:]
	}
}

// WithoutShown is a line in which every character that is lost is itself instead of the escape as which it is shown. A carriage return is not among them:
// its escape is common in code.
func WithoutShown(line []byte) []byte {
	if bytes.IndexByte(line, '\\') < 0 {
		return line
	}
	var out []byte
	for len(line) > 0 {
		raw, n := lostAt(line)
		if n == 0 {
			raw, n = line[:1], 1
		}
		out, line = append(out, raw...), line[n:]
	}
	return out
}

// lostAt is the lost character whose escape a text begins with, and how long that is; 0 for none.
func lostAt(text []byte) (raw []byte, n int) {
	if len(text) < 2 || text[0] != '\\' {
		return nil, 0
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[1]]
	if digits == 0 || len(text) < 2+digits {
		return nil, 0
	}
	code, err := strconv.ParseUint(string(text[2:2+digits]), 16, 32)
	switch {
	case err != nil:
		return nil, 0
	case digits == 2 && code >= 0x80:
		raw = []byte{byte(code)}
	default:
		raw = utf8.AppendRune(nil, rune(code))
	}
	if code == '\r' || code == '\n' || FirstLost(raw) < 0 {
		return nil, 0
	}
	return raw, 2 + digits
}
