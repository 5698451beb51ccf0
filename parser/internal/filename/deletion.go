package filename

import (
	"bytes"
	"slices"
	"strings"
)

// SaysDelete reports whether a line says that a file is deleted and names that file: "Delete
// `src/a.py`:". A line about deleting text from a file doesn't count.
func SaysDelete(line []byte) bool {
	text := strings.ToLower(string(bytes.TrimLeft(bytes.TrimSpace(line), "#*-0123456789. ")))
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" *:", r) })
	if len(words) < 2 || len(words) > maxNearWords || slices.Contains(words, "from") || slices.Contains(words, "in") {
		return false
	}
	switch words[0] {
	case "delete", "remove", "deleted", "removed", "deleting", "removing":
		names := slices.Compact(slices.Collect(InProse(line)))
		return len(names) == 1 && tellsFile(names[0])
	}
	return false
}

// SaysWhole returns the file whose complete text follows, according to a line such as "Here is the
// complete `a.py`:". It returns "" for other lines.
func SaysWhole(line []byte) string {
	text := bytes.ToLower(bytes.TrimSpace(line))
	isIn := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	if !bytes.HasSuffix(text, []byte(":")) || !slices.ContainsFunc(wholes[:], isIn) {
		return ""
	}
	names := slices.Compact(slices.Collect(InProse(line)))
	if len(names) != 1 || !Likely(names[0]) {
		return ""
	}
	return names[0]
}

// wholes are the words by which a sentence says that a text is a complete file.
var wholes = [...]string{"full ", "complete ", "entire ", "whole ", "content"}
