package report

import (
	"iter"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
)

// Clean is [text.Clean].
func Clean(s string) string { return text.Clean(s) }

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
