package parser

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
)

// labelWord is the word by which a line labels what is below it: "For Oslo:", "**And in `util`:**", "### Bergen". The word may be a
// file's name without its directory and its extension. It is "" if the line says more than for what or in what, or labels nothing: a
// sentence speaks of many things.
func labelWord(line []byte) string {
	const decoration = " \t\r\n*_`\"'"
	said := bytes.Trim(line, decoration)
	bare := bytes.TrimRight(said, ":")
	emphasised := bytes.HasPrefix(said, []byte("#")) || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("**"))
	words := bytes.Fields(bare)
	if len(words) == 0 || len(bare) == len(said) && !emphasised || slices.ContainsFunc(words[:len(words)-1], func(word []byte) bool { return !leadsToLabel(word) }) {
		return ""
	}
	word := bytes.Trim(words[len(words)-1], decoration)
	if !text.HasWord(word) || bytes.ContainsAny(word, `/\.`) {
		return "" // says nothing, or is a name by itself
	}
	return string(word)
}

// leadsToLabel reports whether a word may come before the one that a label is about.
func leadsToLabel(word []byte) bool {
	word = bytes.Trim(word, "#*_,")
	if len(bytes.Trim(word, "0123456789.)-")) == 0 {
		return true
	}
	switch strings.ToLower(string(word)) {
	case "and", "then", "now", "also", "next", "finally", "likewise", "similarly", "same", "the", "for", "in", "to", "on",
		"und", "für", "im", "et", "pour", "dans", "y", "para", "en", "e", "per", "em":
		return true
	}
	return false
}
