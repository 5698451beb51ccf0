package attempt

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/filename"
)

// ShellEdit finds the first command of a shell that changes a file as an edit would: a text that is written to it (cat > a.py <<EOF), or a
// change of its lines (sed -i). It returns the file.
func ShellEdit(commands []byte) (file string, ok bool) {
	for line := range bytes.Lines(commands) {
		if bytes.IndexByte(line, '>') < 0 && !bytes.Contains(line, []byte(" -")) && !bytes.Contains(line, []byte("tee ")) {
			continue
		}
		if file, ok := shellEdit(strings.Fields(string(line[:min(len(line), maxCallLine)]))); ok {
			return file, true
		}
	}
	return "", false
}

func shellEdit(words []string) (file string, ok bool) {
	for len(words) > 0 && (words[0] == "$" || words[0] == "sudo" || words[0] == "%") {
		words = words[1:]
	}
	if len(words) < 2 {
		return "", false
	}
	switch command, rest := words[0], words[1:]; command {
	case "cat", "echo", "printf", "tee":
		for i, word := range rest {
			name := ""
			switch {
			case (word == ">" || word == ">>") && i+1 < len(rest):
				name = rest[i+1]
			case strings.HasPrefix(word, ">"):
				name = strings.TrimLeft(word, ">")
			case command == "tee":
				name = word
			}
			if name = strings.Trim(name, `"'`); filename.Likely(name) && !strings.HasPrefix(name, "/dev/") {
				return name, true
			}
		}
	case "sed", "gsed", "perl", "ruby":
		name := strings.Trim(rest[len(rest)-1], `"'`)
		for _, word := range rest {
			if strings.HasPrefix(word, "-i") || strings.HasPrefix(word, "--in-place") || command != "sed" && strings.HasPrefix(word, "-p") && strings.Contains(word, "i") {
				if !filename.Likely(name) {
					name = ""
				}
				return name, true
			}
		}
	}
	return "", false
}
