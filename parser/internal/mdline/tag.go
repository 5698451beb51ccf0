package mdline

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// Element returns the text inside an HTML element for text formatting if t consists of it:
// "<b>a.py</b>". The element details may have no end tag.
func Element(t string) (inner string, ok bool) {
	if t == "" || t[0] != '<' {
		return "", false
	}
	tag, inner, ok := strings.Cut(t[1:], ">") // tag includes attributes
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

// TagName returns the file named by t if it is a tag such as <file path="x"> or an element such as
// <path>x</path>. The name is not checked.
func TagName(t string) (name string, ok bool) {
	if !strings.HasPrefix(t, "<") || !strings.HasSuffix(t, ">") {
		return "", false
	}
	for _, tag := range [...]string{"path", "file", "filename", "file_path", "filepath"} {
		if rest, ok := strings.CutPrefix(t, "<"+tag+">"); ok {
			rest, _, _ = strings.Cut(rest, "<")
			return strings.TrimSpace(rest), rest != ""
		}
	}
	name = FileAttribute(t)
	return name, name != ""
}

// attribute matches an attribute of a tag and its value in quotes.
var attribute = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[ \t]([A-Za-z_:-]+)=(?:"([^"]*)"|'([^']*)')`)
})

// FileAttribute returns the value of the attribute of an opening tag that names a file, or "" if
// there is none. Of several, "path" and similar names come before "name". The value is not checked.
func FileAttribute(tag string) string {
	if strings.IndexByte(tag, '=') < 0 {
		return ""
	}
	values := map[string]string{}
	for _, m := range attribute().FindAllStringSubmatch(tag, -1) {
		values[m[1]] = m[2] + m[3]
	}
	for _, name := range [...]string{"path", "filePath", "file_path", "filepath", "filename",
		"fileName", "file", "name"} {
		if value := values[name]; value != "" {
			return value
		}
	}
	return ""
}

// isVoid reports whether the HTML element called name has no content and no end tag.
func isVoid(name []byte) bool {
	return strings.Contains(" area base br col embed hr img input link meta source track wbr ",
		" "+strings.ToLower(string(name))+" ")
}

// OpeningTag splits a line that begins with an opening tag into the element's name, the tag, and
// the text after it. It returns nil for any other line, and if the tag doesn't end on the line or
// its element is empty.
func OpeningTag(line []byte) (name, tag, rest []byte) {
	if len(line) < 2 || line[0] != '<' || !IsLetter(line[1]) {
		return nil, nil, nil
	}
	end, quote := 0, byte(0)
	for i, c := range line {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '>':
			end = i + 1
		}
		if end > 0 {
			break
		}
	}
	name, _, _ = bytes.Cut(line[1:max(end-1, 1)], []byte(" "))
	// An element that ends in "/>" or is void is empty. Without attributes, a void element's name
	// may be a model's own tag: <source>.
	if end == 0 || line[end-2] == '/' || isVoid(name) && end > len(name)+2 {
		return nil, nil, nil
	}
	return name, line[:end], line[end:]
}

// IsLetter reports whether a byte, other than a digit, may be part of the name of a key or a tag.
func IsLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
