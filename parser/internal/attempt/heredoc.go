package attempt

import (
	"bytes"
	"path"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/command"
)

// HereDoc reports whether a line is a command that is given the lines after it, up to the line end. file is the one that they are written
// to; "" if they go to a program, or into a patch, which programs apply.
func HereDoc(raw []byte) (file, end string, ok bool) {
	i := bytes.Index(raw, []byte("<<"))
	if i < 0 || len(raw) > maxCallLine {
		return "", "", false
	}
	word := strings.TrimLeft(strings.TrimPrefix(string(raw[i+len("<<"):]), "-"), " \t")
	word = strings.TrimPrefix(word, `\`)
	quote := ""
	if word != "" && (word[0] == '\'' || word[0] == '"') {
		quote, word = word[:1], word[1:]
	}
	n := strings.IndexFunc(word, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if n < 0 {
		n = len(word)
	}
	if end = word[:n]; end == "" || !strings.HasPrefix(word[n:], quote) {
		return "", "", false
	}
	file, _ = command.Edit(raw)
	switch path.Ext(file) {
	case ".patch", ".diff":
		file = ""
	}
	return file, end, true
}
