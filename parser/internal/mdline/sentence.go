package mdline

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSentence reports whether a line begins with a capital letter, has at least three words, ends like
// a sentence that introduces or explains an edit, and has none of the signs that are usual in code but
// rare in prose.
func IsSentence(raw []byte) bool {
	text := bytes.TrimSpace(raw)
	if first, _ := utf8.DecodeRune(text); !unicode.IsUpper(first) || bytes.Count(text, []byte(" ")) < 2 {
		return false
	}
	if end := text[len(text)-1]; end != '.' && end != ':' && end != '!' {
		return false
	}
	for _, c := range string(text) {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune(" ,.:!'’`-/_()\"", c) {
			return false
		}
	}
	return true
}

// WithoutCode removes the code between backticks from a line, so that the code's signs are not
// taken for punctuation.
func WithoutCode(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for {
		head, tail, ok := bytes.Cut(line, []byte("`"))
		code, rest, closed := bytes.Cut(tail, []byte("`"))
		if !ok || !closed || len(code) == 0 {
			return append(out, line...)
		}
		out = append(append(out, head...), '`')
		line = rest
	}
}

// InBrackets reports whether the whole line is in brackets.
func InBrackets(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) > 2 && text[0] == '(' && text[len(text)-1] == ')' && bytes.IndexByte(text[1:], '(') < 0
}
