package verdict

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// vocabulary finds out which words a document has. It searches for each word only once.
type vocabulary struct {
	doc   *strategy.Document
	known map[string]bool
	chars bool // see [text.QuotesChar]
	// readers is set if the document is prose; see [text.IsMarkup].
	readers bool

	search, file [][]byte // tokens of the last comparison; reused by the next one

	names *names // nil until needed
}

// has reports whether the document has the word.
func (v *vocabulary) has(word []byte) bool {
	known, asked := v.known[string(word)]
	if !asked {
		known = v.find(word)
		if v.known == nil {
			v.known = map[string]bool{}
		}
		v.known[string(word)] = known
	}
	return known
}

// find reports whether the document has word as a whole word.
func (v *vocabulary) find(word []byte) bool {
	file := v.doc.Text()
	for at := 0; ; {
		n := bytes.Index(file[at:], word)
		if n < 0 {
			return false
		}
		start, end := at+n, at+n+len(word)
		if !text.EndsWithWord(file[:start]) && !text.BeginsWithWord(file[end:]) {
			return true
		}
		at = start + 1
	}
}
