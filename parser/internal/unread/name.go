package unread

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/filename"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// maxName is the maximum length of a file name, in bytes.
const maxName = 400

// nameOf returns the file that a line names, with nameTrace if the line consists of the name, or
// saidTrace if it is a sentence or heading that introduces the text below. Otherwise it returns ""
// and 0.
func nameOf(raw []byte) (string, traces) {
	if len(raw) > maxLabelLine || bytes.IndexByte(raw, '.') < 0 && bytes.IndexByte(raw, '/') < 0 {
		return "", 0
	}
	line := raw
	for range maxMarks {
		if name := nameAlone(line); name != "" {
			return name, nameTrace
		}
		if name := filename.SaysWhole(line); name != "" {
			return name, nameTrace
		}
		rest := trimMark(line)
		if len(rest) == len(line) {
			break
		}
		line = rest
	}
	if line = bytes.TrimSpace(line); ends(line, ":") && !ends(line, "):") || begins(raw, "##") {
		if name := nameIn(string(line)); name != "" {
			return name, saidTrace
		}
	}
	return "", 0
}

// nameAlone returns the file name that a line begins with, if the line says little else, or a fence
// follows ("a.py```python"); otherwise it returns "".
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

// nameIn returns the first file named in a text, or "" if there is none.
func nameIn(text string) string {
	for name := range filename.InProse([]byte(text)) {
		if filename.Likely(name) {
			return name
		}
	}
	return ""
}

// isFile reports whether a text begins with a likely file name, followed by one of the characters
// in end.
func isFile(text []byte, end string) bool {
	name := text[:min(len(text), maxName)]
	if i := bytes.IndexAny(name, end); i >= 0 {
		name = name[:i]
	}
	word := string(bytes.TrimRight(bytes.TrimSpace(name), `\`))
	_, strength := filename.OfWord(word)
	return filename.Likely(word) || strength >= filename.Weak && bytes.IndexByte(name, ' ') > 0
}

// beginsWithName reports whether the first string in a text is a file name.
func beginsWithName(text []byte) bool {
	i := bytes.IndexAny(text[:min(len(text), maxName)], "\"'`")
	return i >= 0 && isFile(text[i+1:], "\"'`")
}

// withoutMargin removes the prefix of a line in a quoted text: a comment or quote sign, or a line
// number.
func withoutMargin(raw []byte) []byte {
	line := bytes.TrimRight(bytes.TrimLeft(raw, " \t"), "\r\n")
	for _, sign := range [...]string{"# ", "// ", "> ", "; "} {
		if rest, ok := bytes.CutPrefix(line, []byte(sign)); ok {
			return rest
		}
	}
	return line[numberLen(line):]
}

// maxMarks is the maximum number of consecutive marks at the start of a line.
const maxMarks = 4

// trimMark removes one mark before a text: the sign of a quote, a list, a heading, a comment or
// bold text, a number, or invisible characters.
func trimMark(line []byte) []byte {
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

// numberLen returns the length of the line number at the start of a line: "12 | ", "12: ", "1. ",
// or a number and a tab.
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
