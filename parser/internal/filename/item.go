package filename

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// addList adds the files in the list whose last item is line i as near candidates, because the
// block may be for any of them. It reports whether the list names several files; if not, it adds
// none.
func (w *walk) addList(i int) bool {
	var names []string
	for _, line := range w.lines[i:] {
		if text.Blank(line) {
			continue // a blank line between items
		}
		name := itemName(line)
		if name == "" {
			break
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		return false
	}
	for _, name := range names {
		w.Add(Name{Text: name, Near: true})
	}
	w.Prose++
	return true
}

// itemName returns the file that a list item or table row begins with, or "" if there is none.
func itemName(line []byte) string {
	if !mdline.IsItem(line) {
		return ""
	}
	text := bytes.TrimSpace(line)
	if text[0] == '|' {
		text, _, _ = bytes.Cut(text[1:], []byte("|"))
		name, strength := OfLine(text)
		if strength < Plain || !tellsFile(name) {
			return ""
		}
		return name
	}
	if name, strength := OfLine(text); strength >= Plain {
		return name
	}
	d := decorated{text: string(text)}
	d.strip()
	name, _ := d.leading()
	return name
}

// directory returns the name of a directory if line consists of one ("src/util/"), and whether it
// does. No block can be for a directory; the name is returned so that the block is refused.
func directory(line []byte) (name string, ok bool) {
	if len(line) > MaxLine || bytes.IndexByte(line, '/') < 0 {
		return "", false
	}
	d := decorated{text: strings.TrimSpace(string(line))}
	d.strip()
	return d.text, !d.listed && strings.HasSuffix(d.text, "/") && len(d.text) > 1 &&
		isPlainPath(strings.TrimPrefix(d.text, "./"))
}

// isPlainPath reports whether a text begins with a letter and contains only characters that are
// common in paths. Such a text has no decoration.
func isPlainPath[T string | []byte](text T) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case i > 0 && ('0' <= c && c <= '9' || c == '/' || c == '.' || c == '_' || c == '-'):
		default:
			return false
		}
	}
	return true
}
