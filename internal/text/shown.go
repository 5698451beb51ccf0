package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Shown returns a visible form of the character r, whose encoding is raw: an escape if r is
// [Hidden] or raw isn't UTF-8, otherwise raw.
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

// Clean returns s as a single line that is safe to show. Control characters, bytes that aren't
// UTF-8, line breaks of every kind, and characters that reorder or hide text become escapes such as
// \x1b or \u202e.
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
