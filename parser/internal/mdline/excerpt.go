package mdline

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// Excerpt returns the first line of a text, shortened to maxExcerpt bytes, for quoting in a
// diagnostic.
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

// maxExcerpt is the maximum length of a quoted text, in bytes.
const maxExcerpt = 120
