package mdline

import "bytes"

// IsItem reports whether a line is a list item or a table row.
func IsItem(line []byte) bool {
	text := bytes.TrimLeft(line, " \t")
	if rest := bytes.TrimLeft(text, "0123456789"); len(rest) < len(text) {
		return len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
	}
	return len(text) > 1 && (text[0] == '|' || bytes.IndexByte([]byte("-*+"), text[0]) >= 0 && text[1] == ' ')
}

// Ended reports whether the line has a line end. The last line of a reply that was cut off has
// none.
func Ended(raw []byte) bool { return bytes.HasSuffix(raw, []byte("\n")) }
