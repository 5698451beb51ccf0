package render

import (
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
		b.WriteString(shown(r, s[i:i+n]))
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

// shown is how a character is shown, which raw encodes.
func shown(r rune, raw string) string { return text.Shown(r, raw) }

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
