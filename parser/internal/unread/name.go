package unread

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// maxName is how long the name of a file may be, in bytes.
const maxName = 400

// nameOf is the file that a line names: as all that it says, or in a sentence that goes on below
// it.
func nameOf(raw []byte) (string, traces) {
	if len(raw) > maxLabelLine || bytes.IndexByte(raw, '.') < 0 && bytes.IndexByte(raw, '/') < 0 {
		return "", 0
	}
	line := raw
	for range maxPeels {
		if name := nameAlone(line); name != "" {
			return name, nameTrace
		}
		if name := filename.SaysWhole(line); name != "" {
			return name, nameTrace
		}
		rest := peel(line)
		if len(rest) == len(line) {
			break
		}
		line = rest
	}
	if line = bytes.TrimSpace(line); ends(line, ":") && !ends(line, "):") {
		if name := nameIn(string(line)); name != "" {
			return name, saidTrace
		}
	}
	return "", 0
}

// nameAlone is the file whose name a line begins with, if it says little else; "" for other lines.
func nameAlone(line []byte) string {
	line = withoutMargin(line)
	name, strength := filename.OfLine(line)
	if strength >= filename.Plain && filename.Likely(name) {
		return name
	}
	word, rest, _ := bytes.Cut(bytes.TrimSpace(line), []byte("`"))
	name = string(bytes.TrimSpace(word))
	if mdline.IsFence(append([]byte("`"), rest...)) && filename.Likely(name) {
		return name
	}
	return ""
}

// nameIn is the first file that a text names; "" if it names none.
func nameIn(text string) string {
	for name := range filename.InProse([]byte(text)) {
		if filename.Likely(name) {
			return name
		}
	}
	return ""
}

// isFile reports whether a text begins with what is likely the name of a file, up to one of the
// characters of end.
func isFile(text []byte, end string) bool {
	name := text[:min(len(text), maxName)]
	if i := bytes.IndexAny(name, end); i >= 0 {
		name = name[:i]
	}
	word := string(bytes.TrimRight(bytes.TrimSpace(name), `\`))
	_, strength := filename.OfWord(word)
	return filename.Likely(word) || strength >= filename.Weak && bytes.IndexByte(name, ' ') > 0
}

// beginsWithName reports whether the first string in a text is the name of a file.
func beginsWithName(text []byte) bool {
	i := bytes.IndexAny(text[:min(len(text), maxName)], "\"'`")
	return i >= 0 && isFile(text[i+1:], "\"'`")
}

// withoutMargin removes what precedes each line of a quoted text: the sign of a comment or a
// quotation, or the line's number.
func withoutMargin(raw []byte) []byte {
	line := bytes.TrimRight(bytes.TrimLeft(raw, " \t"), "\r\n")
	for _, sign := range [...]string{"# ", "// ", "> ", "; "} {
		if rest, ok := bytes.CutPrefix(line, []byte(sign)); ok {
			return rest
		}
	}
	return line[numberLen(line):]
}

// maxPeels is how many marks may be one before the other on a line.
const maxPeels = 4

// peel removes one mark before a text: of a quotation, a list, a heading, a comment, bold text, a
// number, what cannot be seen.
func peel(line []byte) []byte {
	line = bytes.TrimLeft(line, " \t\u200b\ufeff\u00a0")
	if n := numberLen(line); n > 0 {
		return line[n:]
	}
	for _, mark := range [...]string{"> ", ">", "# ", "## ", "### ", "#### ", "// ", "-- ", "; ",
		"% ", "- ", "* ", "+ ", "| ", "<!-- ", "<!--", "/* ", "**", "__", `\`} {
		if rest, ok := bytes.CutPrefix(line, []byte(mark)); ok {
			return rest
		}
	}
	return line
}

// numberLen is how long the number of a line at its beginning is: "12 | ", "12: ", "1. ", or with a
// tab after it.
func numberLen(text []byte) int {
	digits := 0
	for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
		digits++
	}
	sign := digits
	for sign < len(text) && text[sign] == ' ' {
		sign++
	}
	switch {
	case digits == 0:
	case digits < len(text) && text[digits] == '\t':
		return digits + 1
	case sign+1 < len(text) && strings.IndexByte("|:.)", text[sign]) >= 0 &&
		(text[sign+1] == ' ' || text[sign+1] == '\t'):
		return sign + 2
	}
	return 0
}
