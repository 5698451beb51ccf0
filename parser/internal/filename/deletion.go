package filename

import (
	"bytes"
	"slices"
	"strings"
)

// SaysDelete reports whether a line says that a file is deleted, and names it: "Delete `src/a.py`:". Text that is deleted from a
// file does not count.
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
