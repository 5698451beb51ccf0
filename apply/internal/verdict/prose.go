package verdict

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// In a sentence a word is the same whether it begins with a capital or not. In code it is another name.

// sentenceWords is how many words a line needs to read as a sentence.
const sentenceWords = 3

// differsInCase reports whether two lines are one sentence, in a comment or in a text for readers, but for the case of first letters, and the
// document has it once.
func (v *vocabulary) differsInCase(search, file []byte) bool {
	if !bytes.EqualFold(bytes.TrimSpace(search), bytes.TrimSpace(file)) || bytes.ContainsAny(search, codeMarks) ||
		!v.readers && !(text.IsComment(search) && text.IsComment(file)) {
		return false
	}
	s, f := text.Tokens(search), text.Tokens(file)
	words := 0
	for i := range min(len(s), len(f)) {
		if text.BeginsWithWord(s[i]) {
			words++
		}
		_, n := utf8.DecodeRune(s[i])
		_, m := utf8.DecodeRune(f[i])
		if !bytes.Equal(s[i][n:], f[i][m:]) || !bytes.Equal(s[i], f[i]) && bytes.ContainsFunc(s[i][n:], unicode.IsUpper) {
			return false
		}
	}
	return words >= sentenceWords && v.hasOnceFolded(search)
}

// hasOnceFolded reports whether no more than one line of the document is line, whatever case its letters have.
func (v *vocabulary) hasOnceFolded(line []byte) bool {
	line = bytes.TrimSpace(line)
	n := 0
	for f := range v.doc.Len() {
		if bytes.EqualFold(bytes.TrimSpace(v.doc.Line(f)), line) {
			if n++; n > 1 {
				return false
			}
		}
	}
	return true
}

// codeMarks are signs that sentences rarely have: what is next to one may be code, or quote some.
const codeMarks = "(){}[]<>=;$_\\`\"'"
