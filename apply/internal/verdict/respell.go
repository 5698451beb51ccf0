package verdict

import (
	"bytes"
	"maps"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
)

// Respelled are the words that SEARCH misspells where a pairs it with the document and that v adds to it, and how the document spells
// them. The document has no such word anywhere, so that in what comes in it is the same slip. It is nil where there is none.
//
// A word is left out if it may stand for another one as well: see isName.
func (j *Judge) Respelled(v *reading.Reading, a align.Alignment) map[string]string {
	var out map[string]string
	search := v.Search
	var s, f [][]byte
	for _, q := range a {
		if q.Relation != align.Similar {
			continue
		}
		line, there := search.Line(q.Search), j.doc.Line(q.File)
		if s, f = text.AppendTokens(s[:0], line), text.AppendTokens(f[:0], there); len(s) != len(f) {
			continue
		}
		for i, word := range s {
			if bytes.Equal(word, f[i]) || !text.BeginsWithWord(word) || !misspelt(word, f[i]) || !addsToken(v, word) {
				continue
			}
			if j.words.compare(line, there, true) != slip {
				break
			}
			if out == nil {
				out = map[string]string{}
			}
			was, known := out[string(word)]
			if known && was != string(f[i]) || j.isName(word, f[i], q.File) {
				out[string(word)] = ""
			} else if !known {
				out[string(word)] = string(f[i])
			}
		}
	}
	maps.DeleteFunc(out, func(_, right string) bool { return right == "" })
	return out
}

// addsToken reports whether a line that v adds has the token.
func addsToken(v *reading.Reading, token []byte) bool {
	for _, c := range v.Hunks() {
		for r := c.R0; r < c.R1; r++ {
			if text.HasToken(v.Replace.Line(r), token) {
				return true
			}
		}
	}
	return false
}

// surePart is how long a part of a name must be for another letter in it to be a typing error, rather than another word (time and
// tile, get and set).
const surePart = 5

// isName reports whether a word that looks like right misspelt, which line at of the document has, may be another name: it is right
// with another ending or with another letter in a short part, the part is one of other names, the document has another word that is
// as near, or a line like this one with a word that is nearly so.
func (j *Judge) isName(word, right []byte, at int) bool {
	part, other := differingPart(word, right)
	if endsOtherwise(word, right) || len(part) < surePart && len(part) == len(other) && !transposed(part, other) || j.words.hasPart(part) {
		return true
	}
	for t := range text.EachToken(j.doc.Text()) {
		if t[0] == word[0] && !bytes.Equal(t, right) && misspelt(word, t) {
			return true
		}
	}
	line := text.Tokens(j.doc.Line(at))
	var tokens [][]byte
	for k := range j.doc.Len() {
		if tokens = text.AppendTokens(tokens[:0], j.doc.Line(k)); j.isTwin(tokens, line, word, right) {
			return true
		}
	}
	return false
}

// isTwin reports whether other is line with another word in the place of right, of which word may be a misspelling, too.
func (j *Judge) isTwin(other, line [][]byte, word, right []byte) bool {
	if len(other) != len(line) {
		return false
	}
	twin := false
	for i, t := range other {
		if bytes.Equal(t, line[i]) {
			continue
		}
		_, near := editdist.Within(word, t, min(4, len(word)/2))
		if !near || !bytes.Equal(line[i], right) || !bytes.Equal(digits(word), digits(t)) {
			return false
		}
		twin = true
	}
	return twin
}

// differingPart is the first part of word that right has otherwise, and how it has it; the whole words if they have other parts.
func differingPart(word, right []byte) (part, other []byte) {
	ws, rs := parts(word), parts(right)
	if len(ws) != len(rs) {
		return word, right
	}
	for i := range ws {
		if !bytes.Equal(ws[i], rs[i]) {
			return ws[i], rs[i]
		}
	}
	return word, right
}

// hasPart reports whether part is a part of one of the document's names.
func (v *vocabulary) hasPart(part []byte) bool {
	for t := range text.EachToken(v.doc.Text()) {
		if len(t) >= len(part) && bytes.Contains(t, part) && slices.ContainsFunc(parts(t), func(p []byte) bool { return bytes.Equal(p, part) }) {
			return true
		}
	}
	return false
}
