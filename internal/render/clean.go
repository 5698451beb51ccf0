package render

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// Clean returns s as one line that is safe on a terminal: control characters, bytes that are not UTF-8, line breaks of
// every kind and the characters that reorder or hide text are shown as escapes such as \x1b or \u202e.
func Clean(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		writeClean(&b, r, s[i:i+n])
		i += n
	}
	return b.String()
}

func clean(s string) bool {
	for i, r := range s {
		if text.Unsafe(r) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return false
		}
	}
	return true
}

// writeClean writes the rune r, which raw encodes.
func writeClean(b *strings.Builder, r rune, raw string) {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		fmt.Fprintf(b, `\x%02x`, raw[0])
	case !text.Unsafe(r):
		b.WriteString(raw)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < 0x80:
		fmt.Fprintf(b, `\x%02x`, r)
	case r > 0xFFFF:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// cleanLines are the lines of all, each as [Clean] shows it, but with its tabs and without its line end.
func cleanLines(all string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(all) {
			line, ended := strings.CutSuffix(line, "\n")
			if ended {
				line = strings.TrimSuffix(line, "\r")
			}
			if !yield(cleanTabbed(line)) {
				return
			}
		}
	}
}

// cleanTabbed is [Clean] except for tabs, which stay.
func cleanTabbed(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = Clean(parts[i])
	}
	return strings.Join(parts, "\t")
}
