package parser

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
)

// labelWord is the last word of a line that labels what is below it: "For Oslo:", "**And in `util`:**", "### Bergen". The word may be
// a file's name without its directory and its extension. It is "" if the line is longer, or labels nothing.
func labelWord(line []byte) string {
	const decoration = " \t\r\n*_`\"'"
	said := bytes.Trim(line, decoration)
	bare := bytes.TrimRight(said, ":")
	emphasised := bytes.HasPrefix(said, []byte("#")) || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("**"))
	words := bytes.Fields(bare)
	if len(words) == 0 || len(words) > maxNearWords || len(bare) == len(said) && !emphasised {
		return ""
	}
	word := bytes.Trim(words[len(words)-1], decoration)
	if !text.HasWord(word) || bytes.ContainsAny(word, `/\.`) {
		return "" // says nothing, or is a name by itself
	}
	return string(word)
}
