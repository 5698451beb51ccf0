package strategy

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// part is some lines of a document, from the byte offset start on.
type part struct {
	*Document
	start int
}

const (
	// fewPlaces is how often a word may occur in a document and still say where a block belongs.
	fewPlaces = 32
	// fewWords is how many words are tried for that.
	fewWords = 4
)

// parts are those of the document in which the pattern may be, blanks and escapes aside: the lines around one of its words that
// occurs seldom. Where all of the longest occur often, it is the whole document. They are made once for a pattern.
func (d *Document) parts(pat *Pattern) []part {
	if pat.in == d {
		return pat.parts
	}
	pat.in, pat.parts = d, []part{{d, 0}}
	for _, word := range pat.longestWords(fewWords) {
		if at := d.few(word); at != nil {
			pat.parts = d.around(at, 2*pat.Len()+2)
			break
		}
	}
	return pat.parts
}

// longestWords are at most n words of the pattern, the longest first. What follows a backslash is none.
func (p *Pattern) longestWords(n int) [][]byte {
	var words [][]byte
	for rest := p.text; len(rest) > 0; {
		from := bytes.IndexFunc(rest, text.IsWordRune)
		if from < 0 {
			break
		}
		size := 0
		for from+size < len(rest) && text.IsWordByte(rest[from+size]) {
			size++
		}
		if size >= 3 && (from == 0 || rest[from-1] != '\\') {
			words = append(words, rest[from:from+size])
		}
		rest = rest[from+max(1, size):]
	}
	slices.SortFunc(words, func(a, b []byte) int { return cmp.Or(cmp.Compare(len(b), len(a)), bytes.Compare(a, b)) })
	words = slices.CompactFunc(words, bytes.Equal)
	return words[:min(n, len(words))]
}

// few are the places of word in the document, nil if they are many.
func (d *Document) few(word []byte) []int {
	out := []int{}
	for at := range disjoint(d.text, word) {
		if out = append(out, at); len(out) > fewPlaces {
			return nil
		}
	}
	return out
}

// around are the lines within reach of those at the offsets, which ascend.
func (d *Document) around(offsets []int, reach int) []part {
	var out []part
	for k := 0; k < len(offsets); {
		line := d.LineAt(offsets[k])
		from, to := max(0, line-reach), min(d.Len(), line+reach+1)
		for k++; k < len(offsets) && d.LineAt(offsets[k])-reach <= to; k++ {
			to = min(d.Len(), d.LineAt(offsets[k])+reach+1)
		}
		start := d.Start(from)
		out = append(out, part{NewDocument(d.text[start:d.Start(to)]), start})
	}
	return out
}
