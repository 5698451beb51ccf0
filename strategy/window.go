package strategy

import (
	"bytes"
	"iter"
)

// ExactWindows yields the first lines (0-based) of all windows of doc whose lines equal the pattern's byte for byte, line
// ends aside; windows may overlap. An empty pattern has none. The cost is that of searching the text once.
func ExactWindows(doc *Document, pat *Pattern) iter.Seq[int] {
	if doc.hasCR() || pat.hasCR() {
		return exactByLines(doc, pat)
	}
	return exactByText(doc, pat)
}

func (d *Document) hasCR() bool { return bytes.IndexByte(d.text, '\r') >= 0 }

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
				if !yield(doc.LineAt(start)) {
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
	windows:
		for first := range KeyWindows(doc, pat) {
			for i := range pat.Len() {
				if !bytes.Equal(pat.Line(i), doc.Line(first+i)) {
					continue windows
				}
			}
			if !yield(first) {
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
