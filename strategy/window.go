package strategy

import (
	"bytes"
	"iter"
)

// indexAfter is how many searches of the text cost about as much as an index of its lines.
const indexAfter = 4

// ExactWindows yields the first lines (0-based) of all windows of doc whose lines equal the pattern's byte for byte, line
// ends aside; windows may overlap. An empty pattern has none. The first searches of a document look at some of its lines each, with
// line ends other than "\n" at all of them; later ones look lines up in an index.
func ExactWindows(doc *Document, pat *Pattern) iter.Seq[int] {
	if doc.searches++; doc.searches > indexAfter {
		doc.exactIndex()
	}
	return equalWindows(doc, pat.Document)
}

// equalWindows is ExactWindows by what is known of the document already.
func equalWindows(doc, pat *Document) iter.Seq[int] {
	switch {
	case doc.byLine != nil:
		return exactByIndex(doc, pat)
	case doc.hasCR() || pat.hasCR():
		return exactByLines(doc, pat)
	}
	return exactByProbes(doc, pat)
}

// Expect says how many blocks are looked for in the document, so that its lines are indexed at once where that pays.
func (d *Document) Expect(blocks int) {
	if blocks > indexAfter {
		d.searches = indexAfter
	}
}

func (d *Document) hasCR() bool { return bytes.IndexByte(d.text, '\r') >= 0 }

// exactByIndex looks for the places of the pattern's rarest line.
func exactByIndex(doc, pat *Document) iter.Seq[int] {
	return func(yield func(int) bool) {
		x := doc.exactIndex()
		rarest, least := -1, 0
		for i := range pat.Len() {
			line := pat.Line(i)
			if len(line) == 0 {
				continue
			}
			if n := x.count(exactKey(line), commonLine); rarest < 0 || n < least {
				rarest, least = i, n
			}
			if least <= 1 {
				break
			}
		}
		if rarest < 0 || least == commonLine {
			exactByLines(doc, pat)(yield)
			return
		}
		key := exactKey(pat.Line(rarest))
		for at := x.first(key); at >= 0; at = x.after(at, key) {
			if first := at - rarest; equalAt(doc, pat, first) && !yield(first) {
				return
			}
		}
	}
}

// equalAt reports whether the pattern's lines are those of doc from line first on.
func equalAt(doc, pat *Document, first int) bool {
	if first < 0 || first+pat.Len() > doc.Len() {
		return false
	}
	for i := range pat.Len() {
		if !bytes.Equal(pat.Line(i), doc.Line(first+i)) {
			return false
		}
	}
	return true
}

// exactByLines compares line by line.
func exactByLines(doc, pat *Document) iter.Seq[int] {
	return func(yield func(int) bool) {
		for first := range keyWindows(doc, pat) {
			if equalAt(doc, pat, first) && !yield(first) {
				return
			}
		}
	}
}

// KeyWindows yields the first lines (0-based) of all windows of doc whose lines have the pattern's keys, in order;
// windows may overlap. It is linear in both (Knuth, Morris, Pratt 1977).
func KeyWindows(doc *Document, pat *Pattern) iter.Seq[int] { return keyWindows(doc, pat.Document) }

func keyWindows(doc, pat *Document) iter.Seq[int] {
	return func(yield func(int) bool) {
		want := pat.Keys()
		if len(want) == 0 {
			return
		}
		have := doc.Keys()
		sequence(len(have), len(want),
			func(i, j int) bool { return have[i] == want[j] },
			func(i, j int) bool { return want[i] == want[j] })(yield)
	}
}
