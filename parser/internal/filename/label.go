package filename

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// cutLabel removes a label such as "File:", "path=", "**Filename**:", "Update" or "python" before a
// name. It returns false if there is none.
func cutLabel(t string) (string, bool) {
	if path, ok := strings.CutPrefix(t, "file://"); ok {
		return path, true
	}
	if head, rest, ok := strings.Cut(t, "="); ok {
		switch strings.ToLower(head) {
		case "file", "filename", "file_name", "path", "filepath", "file_path":
			return rest, true
		}
	}
	if rest, ok := cutColon(t); ok {
		return rest, true
	}
	for _, verb := range beforePath() {
		if len(t) > len(verb) && strings.EqualFold(t[:len(verb)], verb) {
			rest := strings.TrimSpace(t[len(verb):])
			if !strings.Contains(strings.TrimRight(rest, " :"), " ") && strings.ContainsAny(rest, "./\\") {
				return rest, true
			}
		}
	}
	if word, rest, ok := strings.Cut(t, " "); ok && IsLanguage(word) &&
		!strings.Contains(rest, " ") && strings.ContainsAny(rest, "./\\") {
		return rest, true
	}
	return "", false
}

// cutColon removes a label and the colon after it. ok is false if the text before the colon is not
// a label, which depends on the text after it for unusual labels.
func cutColon(t string) (rest string, ok bool) {
	head, rest, ok := strings.Cut(t, ":")
	if !ok || len(head) >= 40 || rest == "" || rest[0] == '\\' || rest[0] == '/' { // a drive or a URL
		return "", false
	}
	words := strings.Fields(strings.ToLower(strings.Trim(head, "* `_")))
	if len(words) > 1 && strings.Trim(words[len(words)-1], "#0123456789") == "" {
		words = words[:len(words)-1]
	}
	label := strings.Join(words, " ")
	rest = strings.TrimSpace(strings.TrimLeft(rest, "*"))
	switch {
	case labels()[label]:
		return rest, true
	case likelyLabels()[label] || IsForeign(head):
		if Likely(strings.Trim(rest, "`*\"'")) {
			return rest, true
		}
	}
	return rest, !strings.Contains(rest, " ") && IsLanguage(head) && strings.ContainsAny(rest, "./\\")
}

// IsForeign reports whether a label has letters but no Latin ones, such as "文件路径" and "Новый файл".
func IsForeign(label string) bool {
	label = strings.Trim(label, "* `_")
	return strings.IndexFunc(label, unicode.IsLetter) >= 0 &&
		strings.IndexFunc(label, func(r rune) bool { return r < utf8.RuneSelf && r != ' ' }) < 0
}

// labelWord returns the last word of a line that labels the text below it: "For Oslo:", "**And in
// `util`:**", "### Bergen". The word may be a file name without its directory and extension.
// labelWord returns "" if the line is not a label, or says more than which part is meant.
func labelWord(line []byte) string {
	const decoration = " \t\r\n*_`\"'"
	said := bytes.Trim(line, decoration)
	bare := bytes.TrimRight(said, ":")
	emphasised := bytes.HasPrefix(said, []byte("#")) || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte("**"))
	words := bytes.Fields(bare)
	if len(words) == 0 || len(bare) == len(said) && !emphasised { // no colon and no emphasis
		return ""
	}
	if slices.ContainsFunc(words[:len(words)-1], func(w []byte) bool { return !leadsToLabel(w) }) {
		return ""
	}
	word := bytes.Trim(words[len(words)-1], decoration)
	if !text.HasWord(word) || bytes.ContainsAny(word, `/\.`) {
		return "" // no word, or a full name
	}
	return string(word)
}

// leadsToLabel reports whether a word may come before a label's last word.
func leadsToLabel(word []byte) bool {
	word = bytes.Trim(word, "#*_,")
	return len(bytes.Trim(word, "0123456789.)-")) == 0 || beforeLabel()[strings.ToLower(string(word))]
}
