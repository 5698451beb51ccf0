package verdict

import (
	"bytes"
	"maps"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
)

// Respelled maps words that SEARCH misspells, and that v also adds, to the document's spelling. a
// pairs SEARCH with the document. If SEARCH has "recieve" where the file has "receive", and REPLACE
// adds a line with "recieve", that is a typo, too. The result is nil or empty if there are no such
// words. A word that may be another name is left out; see isName.
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
			adds := func(line []byte) bool { return text.HasToken(line, word) }
			if bytes.Equal(word, f[i]) || !text.BeginsWithWord(word) || !misspelt(word, f[i]) || !v.AddsLine(adds) {
				continue
			}
			if j.words.compare(line, there, asKept) != slip {
				break // more than a typo differs
			}
			if out == nil {
				out = map[string]string{}
			}
			was, known := out[string(word)]
			if known && was != string(f[i]) || j.isName(word, f[i], q.File) {
				out[string(word)] = "" // uncertain: removed below
			} else if !known {
				out[string(word)] = string(f[i])
			}
		}
	}
	maps.DeleteFunc(out, func(_, right string) bool { return right == "" })
	return out
}

// surePart is how long a part of a name must be for a different letter in it to count as a typo. In
// shorter parts it may make another word (time and tile, get and set).
const surePart = 5

// isName reports whether word, SEARCH's spelling, may be a name of its own and not a misspelling of
// right, the file's spelling in line at. It may be one if it differs from right in its ending or in
// a letter of a short part ("get" in "getAll"), if the differing part occurs in other names, if
// another word in the document is just as similar, or if another line is a twin; see hasTwin.
func (j *Judge) isName(word, right []byte, at int) bool {
	part, other := differingPart(word, right)
	if endsOtherwise(word, right) ||
		len(part) < surePart && len(part) == len(other) && !transposed(part, other) ||
		j.words.allNames().parts[string(part)] {
		return true
	}
	names := j.words.allNames()
	for _, t := range names.words[startOf(word)] {
		if !bytes.Equal(t, right) && misspelt(word, t) {
			return true
		}
	}
	return j.hasTwin(word, right, at)
}

// hasTwin reports whether another line of the document equals line at except for having another
// word instead of right, and word may also be a misspelling of that other word.
func (j *Judge) hasTwin(word, right []byte, at int) bool {
	// Compare hashes first. Token i counts in byte i%8 of a line's hashes, so ignore the bytes of
	// tokens that equal right, in which the lines may differ.
	line := text.Tokens(j.doc.Line(at))
	form, known := formOf(line), ^uint64(0)
	for i, t := range line {
		if bytes.Equal(t, right) {
			known &^= 0xff << (i % 8 * 8)
		}
	}
	var tokens [][]byte
	for k, other := range j.words.allNames().lines {
		if other.tokens != form.tokens || (other.hashes^form.hashes)&known != 0 {
			continue
		}
		if tokens = text.AppendTokens(tokens[:0], j.doc.Line(k)); j.isTwin(tokens, line, word, right) {
			return true
		}
	}
	return false
}

// isTwin reports whether other, the tokens of a line of the document, equal those of line except
// for having another word instead of right. word, SEARCH's spelling of right, must be similar to
// that other word and have the same digits, so that it may be a misspelling of either.
func (j *Judge) isTwin(other, line [][]byte, word, right []byte) bool {
	if len(other) != len(line) {
		return false
	}
	twin := false
	for i, t := range other {
		if bytes.Equal(t, line[i]) {
			continue
		}
		_, near := editdist.Within(word, t, min(4, len(word)/2)) // more than a typo's distance
		if !near || !bytes.Equal(line[i], right) || !bytes.Equal(digits(word), digits(t)) {
			return false
		}
		twin = true
	}
	return twin
}

// differingPart returns the first part in which word and right differ, as it is in each, or the
// whole words if they have different numbers of parts.
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

// names holds the words of a document and the forms of its lines.
type names struct {
	words map[wordStart][][]byte // each word once
	parts map[string]bool        // of the words
	lines []lineForm
}

// wordStart holds the properties that a word shares with any word that it may be a misspelling of.
type wordStart struct {
	first  byte
	digits string
}

// startOf returns the first letter and the digits of word, which a typo doesn't change.
func startOf(word []byte) wordStart { return wordStart{word[0], string(digits(word))} }

// lineForm holds the number of tokens in a line and eight one-byte hashes, each over every eighth
// token.
type lineForm struct {
	tokens int
	hashes uint64
}

// formOf returns the form of the line with these tokens.
func formOf(tokens [][]byte) lineForm {
	f := lineForm{tokens: len(tokens)}
	for i, t := range tokens {
		h := uint32(2166136261) // FNV-1a
		for _, c := range t {
			h = (h ^ uint32(c)) * 16777619
		}
		f.hashes ^= uint64(h>>24) << (i % 8 * 8)
	}
	return f
}

// allNames returns the document's names, which it collects once.
func (v *vocabulary) allNames() *names {
	if v.names != nil {
		return v.names
	}
	n := &names{words: map[wordStart][][]byte{}, parts: map[string]bool{}, lines: make([]lineForm, v.doc.Len())}
	seen := map[string]bool{}
	var tokens [][]byte
	for k := range n.lines {
		tokens = text.AppendTokens(tokens[:0], v.doc.Line(k))
		n.lines[k] = formOf(tokens)
		for _, t := range tokens {
			if seen[string(t)] {
				continue
			}
			seen[string(t)] = true
			n.words[startOf(t)] = append(n.words[startOf(t)], t)
			for _, p := range parts(t) {
				n.parts[string(p)] = true
			}
		}
	}
	v.names = n
	return n
}

// endsOtherwise reports whether the first differing words of two lines have the same stem but
// different endings. In a line that names something, such words are more often different names
// (http, https and httpx) than typos. A doubled last letter doesn't count.
func endsOtherwise(search, file []byte) bool {
	s, f := text.Tokens(search), text.Tokens(file)
	for i := range min(len(s), len(f)) {
		if bytes.Equal(s[i], f[i]) {
			continue
		}
		short, long := s[i], f[i]
		if len(short) > len(long) {
			short, long = long, short
		}
		stem := len(short)
		if len(short) == len(long) {
			stem-- // only the last letters differ
		}
		return text.BeginsWithWord(short) && text.BeginsWithWord(long) && bytes.Equal(short[:stem], long[:stem]) &&
			(len(long) != len(short)+1 || long[len(long)-1] != short[len(short)-1])
	}
	return false
}
