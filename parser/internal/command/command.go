package command

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/parser/internal/filename"
)

// maxLine bounds how much of a line is looked at, in bytes.
const maxLine = 64 << 10

// Edit finds the first command that changes a file as an edit would: a text that is written to it
// (cat > a.py <<EOF), a change of its lines (sed -i), its deletion or a new name for it (rm, git
// mv). It returns the file; "" if the command does not say which one.
func Edit(commands []byte) (file string, ok bool) {
	for line := range bytes.Lines(commands) {
		words := strings.Fields(string(line[:min(len(line), maxLine)]))
		for len(words) > 0 {
			n := slices.IndexFunc(words, endsCommand)
			if n < 0 {
				n = len(words) - 1
			}
			one := slices.Clone(words[:n+1])
			one[n] = strings.TrimRight(one[n], ";&|")
			if file, ok := edits(one); ok {
				return file, true
			}
			words = words[n+1:]
		}
	}
	return "", false
}

// endsCommand reports whether a word ends a command, as ";" and "&&" do.
func endsCommand(word string) bool {
	return strings.HasSuffix(word, ";") || word == "&&" || word == "||" || word == "|"
}

// edits looks at the words of one command.
func edits(words []string) (file string, ok bool) {
	for len(words) > 0 && (words[0] == "$" || words[0] == "sudo" || words[0] == "%" || words[0] == "git") {
		words = words[1:]
	}
	if len(words) < 2 {
		return "", false
	}
	switch command, rest := words[0], words[1:]; command {
	case "cat", "echo", "printf", "tee":
		return written(rest, command == "tee")
	case "sed", "gsed", "perl", "ruby":
		for _, word := range rest {
			if strings.HasPrefix(word, "-i") || strings.HasPrefix(word, "--in-place") || command != "sed" && strings.HasPrefix(word, "-p") && strings.Contains(word, "i") {
				return fileOf(rest[len(rest)-1]), true
			}
		}
	case "rm", "mv", "unlink", "Remove-Item", "Move-Item", "Rename-Item", "Set-Content", "Add-Content":
		for _, word := range rest {
			if name := fileOf(word); name != "" {
				return name, true
			}
		}
	}
	return "", false
}

// written finds the file that the output of a command goes to. With any, each of its arguments may
// be one.
func written(words []string, any bool) (file string, ok bool) {
	for i, word := range words {
		name := ""
		switch {
		case (word == ">" || word == ">>") && i+1 < len(words):
			name = words[i+1]
		case strings.HasPrefix(word, ">"):
			name = strings.TrimLeft(word, ">")
		case any:
			name = word
		}
		if name = fileOf(name); name != "" && !strings.HasPrefix(name, "/dev/") {
			return name, true
		}
	}
	return "", false
}

// fileOf is the file that an argument names; "" if it names none.
func fileOf(word string) string {
	if name := strings.Trim(word, `"'`); filename.Likely(name) {
		return name
	}
	return ""
}
