package mdline

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// Excerpt quotes a piece of the reply for a diagnostic: one line, of bounded length.
func Excerpt(raw []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(raw), []byte("\n"))
	line = text.Chomp(line)
	if len(line) <= maxExcerpt {
		return strings.ToValidUTF8(string(line), "?")
	}
	end := maxExcerpt
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return strings.ToValidUTF8(string(line[:end]), "?") + "..."
}

// maxExcerpt bounds the quoted text of a diagnostic, in bytes.
const maxExcerpt = 120
