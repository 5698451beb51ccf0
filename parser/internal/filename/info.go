package filename

import (
	"bytes"
	"strings"
)

// infoName finds the file name in a fence's info string: "src/a.py", "python:src/a.py", "python
// src/a.py", "12:20:src/a.py", `js title="src/a.js"`. A language is never a name.
func infoName(info []byte) string {
	if !bytes.ContainsAny(info, "./\\=") { // only a well-known name, such as Makefile, counts
		if len(info) == 0 || !IsKnown(string(info[bytes.LastIndexAny(info, " :")+1:])) {
			return ""
		}
	}
	t := strings.TrimSpace(string(info))
	if t == "" || len(t) > MaxLine {
		return ""
	}
	if head, attributes, ok := strings.Cut(t, "{"); ok && strings.HasSuffix(t, "}") &&
		(head == "" || head[len(head)-1] == ' ') {
		attributes = strings.TrimSpace(strings.TrimSuffix(attributes, "}"))
		t = head + strings.TrimLeft(attributes, ".") // Pandoc writes the language ".python"
	}
	if name := attributeName(t); name != "" {
		return name
	}
	below := false // a language precedes the word
	for word := range strings.FieldsSeq(t) {
		for {
			head, rest, ok := strings.Cut(word, ":")
			if IsLanguage(word) && !(below && IsKnown(word)) { // "dockerfile Dockerfile" has a name
				below = true
				break
			}
			// A language, a line number or a label may precede the name: "12:20:src/a.py". A single
			// letter may be a drive.
			number := strings.Trim(head, "0123456789") == ""
			label := len(head) > 1 && !strings.ContainsAny(head, "./\\")
			if ok && len(rest) > 0 && (IsLanguage(head) || number || label) {
				word, below = rest, below || IsLanguage(head)
				continue
			}
			if name, how := OfWord(strings.Trim(word, "`\"'*")); how >= Plain && !mediaType(name) {
				return name
			}
			break
		}
	}
	return ""
}

// attributeName returns the file named by an attribute of an info string, or "" if there is none.
func attributeName(t string) string {
	for _, attr := range [...]string{"title", "filename", "file", "path", "name"} {
		_, value, ok := strings.Cut(" "+t, " "+attr+"=")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if len(value) > 1 && (value[0] == '"' || value[0] == '\'') {
			value, _, _ = strings.Cut(value[1:], value[:1])
		} else {
			value, _, _ = strings.Cut(value, " ")
		}
		if name, how := judge(value, true /* set */); how >= Weak {
			return name
		}
	}
	return ""
}

// mediaType reports whether a word in an info string is a media type used as a language:
// "text/x-python".
func mediaType(word string) bool {
	kind, _, _ := strings.Cut(word, "/")
	return (kind == "text" || kind == "application") && !strings.Contains(word, ".") && !IsKnown(word[len(kind)+1:])
}
