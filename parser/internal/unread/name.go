package unread

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/parser/internal/filename"
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

// nameAlone returns the file name that a line consists of, apart from decoration; otherwise "".
func nameAlone(line []byte) string {
	if name, strength := filename.OfLine(line); strength >= filename.Plain && filename.Likely(name) {
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
	return filename.Likely(string(bytes.TrimRight(bytes.TrimSpace(name), `\`)))
}

// beginsWithName reports whether the first string in a text is a file name.
func beginsWithName(text []byte) bool {
	i := bytes.IndexAny(text[:min(len(text), maxName)], "\"'`")
	return i >= 0 && isFile(text[i+1:], "\"'`")
}

// maxMarks is the maximum number of consecutive marks at the start of a line.
const maxMarks = 4

// mark matches the sign of a quote, a heading, a comment or bold text, or a line number.
var mark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:> ?|#{1,4} |// |-- |<!-- ?|/\* |\*\*|__|\\|\d+(?:\t| *[|:.)][ \t]))`)
})

// trimMark removes one mark before a text, and invisible characters.
func trimMark(line []byte) []byte {
	line = bytes.TrimLeft(line, " \t\u200b\ufeff\u00a0")
	switch {
	case len(line) == 0:
		return line
	case len(line) > 1 && line[1] == ' ' && strings.IndexByte("-;%*+|", line[0]) >= 0:
		return line[2:]
	case strings.IndexByte(`>#/-<*_\0123456789`, line[0]) < 0:
		return line
	}
	return line[len(mark().Find(line)):]
}
