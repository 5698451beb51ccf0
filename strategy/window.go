package strategy

import (
	"bytes"
	"iter"
)

// indexAfter is how many searches of the text cost about as much as an index of its lines.
const indexAfter = 4

// ExactWindows yields the first lines (0-based) of all windows of doc whose lines equal the pattern's byte for byte, line
// ends aside; windows may overlap. An empty pattern has none. The first searches of a document cost one pass over its
// text each, with line ends other than "\n" one over its lines; later ones look lines up in an index.
func ExactWindows(doc *Document, pat *Pattern) iter.Seq[int] {
	doc.searches++
	switch {
	case doc.searches > indexAfter:
		return exactByIndex(doc, pat)
	case doc.hasCR() || pat.hasCR():
		return exactByLines(doc, pat)
	}
	return exactByText(doc, pat)
}

// Expect says how many blocks are looked for in the document, so that its lines are indexed at once where that pays.
func (d *Document) Expect(blocks int) {
	if blocks > indexAfter {
		d.searches = indexAfter
	}
}

func (d *Document) hasCR() bool { return bytes.IndexByte(d.text, '\r') >= 0 }

// exactByIndex looks for the places of the pattern's rarest line.
func exactByIndex(doc *Document, pat *Pattern) iter.Seq[int] {
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
func equalAt(doc *Document, pat *Pattern, first int) bool {
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

// exactByText searches the pattern's text where all line ends are "\n", and keeps what begins and ends a line.
func exactByText(doc *Document, pat *Pattern) iter.Seq[int] {
	return func(yield func(int) bool) {
		if pat.Len() == 0 {
			return
		}
		text := doc.text
		needle := pat.text[:pat.End(pat.Len()-1)]
		if len(needle) == 0 {
			exactByLines(doc, pat)(yield)
			return
		}
		for at := 0; ; {
			n := bytes.Index(text[at:], needle)
			if n < 0 {
				return
			}
			start := at + n
			end := start + len(needle)
			if (start == 0 || text[start-1] == '\n') && (end == len(text) || text[end] == '\n') {
				// A pattern that ends in a blank line needs one to be there.
				if first := doc.LineAt(start); first+pat.Len() <= doc.Len() && !yield(first) {
					return
				}
			}
			// The next window begins at a later line.
			next := bytes.IndexByte(text[start:], '\n')
			if next < 0 {
				return
			}
			at = start + next + 1
		}
	}
}

func exactByLines(doc *Document, pat *Pattern) iter.Seq[int] {
	return func(yield func(int) bool) {
		for first := range KeyWindows(doc, pat) {
			if equalAt(doc, pat, first) && !yield(first) {
				return
			}
		}
	}
}

// KeyWindows yields the first lines (0-based) of all windows of doc whose lines have the pattern's keys, in order;
// windows may overlap. It is linear in both (Knuth, Morris, Pratt 1977).
func KeyWindows(doc *Document, pat *Pattern) iter.Seq[int] {
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
