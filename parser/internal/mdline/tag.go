package mdline

import (
	"bytes"
	"strings"
)

// Element is the text inside an HTML element that emphasises text.
func Element(t string) (string, bool) {
	if t == "" || t[0] != '<' {
		return "", false
	}
	tag, inner, ok := strings.Cut(t[1:], ">")
	if !ok || inner == "" {
		return "", false
	}
	tag, _, _ = strings.Cut(tag, " ")
	switch strings.ToLower(tag) {
	case "details":
		return inner, true
	case "summary", "b", "strong", "i", "em", "u", "a", "p", "li", "dt", "code", "kbd", "samp", "tt", "span",
		"h1", "h2", "h3", "h4", "h5", "h6":
		return strings.CutSuffix(inner, "</"+tag+">")
	}
	return "", false
}

// TagName reads <file path="x">, <path>x</path> and the like.
func TagName(t string) (string, bool) {
	if !strings.HasPrefix(t, "<") || !strings.HasSuffix(t, ">") {
		return "", false
	}
	for _, tag := range [...]string{"path", "file", "filename", "file_path", "filepath"} {
		if rest, ok := strings.CutPrefix(t, "<"+tag+">"); ok {
			rest, _, _ = strings.Cut(rest, "<")
			return strings.TrimSpace(rest), rest != ""
		}
	}
	for _, attr := range [...]string{" path=", " name=", " file=", " filename=", " file_path="} {
		if _, value, ok := strings.Cut(t, attr); ok {
			value = strings.Trim(value, "</> ")
			if len(value) > 1 && (value[0] == '"' || value[0] == '\'') {
				value, _, ok = strings.Cut(value[1:], value[:1])
				return value, ok
			}
		}
	}
	return "", false
}

// TagWord is the name of the opening tag that a text begins with, in lower case.
func TagWord(text []byte) string {
	if len(text) < 2 || text[0] != '<' || !IsLetter(text[1]) {
		return ""
	}
	end := bytes.IndexAny(text[:min(len(text), maxTagWord)], "> \n")
	if end < 0 {
		return ""
	}
	return strings.ToLower(string(text[1:end]))
}

func IsLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

// maxTagWord is how much of a line is searched for the end of a tag's name, in bytes.
const maxTagWord = 120
