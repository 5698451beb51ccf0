package strategy

import (
	"bytes"
	"iter"
)

// compareWork is how many bytes exactByProbes may compare for each byte of the text. Only texts that repeat themselves, and nearly
// repeat the pattern, need more.
const compareWork = 16

// exactByProbes looks at one line of the document for each pattern's length of text, where all line ends are "\n": a place of the
// pattern that begins after some byte has a line of the pattern that is not empty, and begins no further on than the last such line of
// the pattern does. Where the line at a probe is one of the pattern's, the whole pattern is compared. So the fewer lines are looked at
// the longer the pattern is, and no text makes the search slow: where more than a few comparisons fail, it goes on line by line.
func exactByProbes(doc, pat *Document) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := pat.Len() - 1
		for last >= 0 && len(pat.Line(last)) == 0 {
			last--
		}
		if last < 0 {
			exactByLines(doc, pat)(yield)
			return
		}
		needle, reach := pat.text[:pat.End(pat.Len()-1)], pat.Start(last)
		lines, lengths := pat.exactIndex(), pat.lengths()
		left := compareWork * (len(doc.text) + len(needle))
		var found []int
		// All places that begin at before or above it are known.
		for before := -1; ; {
			at, line := doc.nonblankFrom(before + 1 + reach)
			if line == nil {
				return
			}
			found = found[:0]
			if lengths>>(len(line)%64)&1 == 1 {
				key := exactKey(line)
				for i := lines.first(key); i >= 0 && at-pat.Start(i) > before; i = lines.after(i, key) {
					if left -= len(needle); left < 0 {
						exactBelow(doc, pat, before, yield)
						return
					}
					if start := at - pat.Start(i); linesAt(doc.text, start, needle) {
						found = append(found, start)
					}
				}
			}
			for k := len(found) - 1; k >= 0; k-- {
				// A pattern that ends in a blank line needs one to be there.
				if first := doc.LineAt(found[k]); first+pat.Len() <= doc.Len() && !yield(first) {
					return
				}
			}
			before = at
		}
	}
}

// exactBelow yields what exactByLines does, from the first line on that begins after an offset.
func exactBelow(doc, pat *Document, before int, yield func(int) bool) {
	for first := range exactByLines(doc, pat) {
		if doc.Start(first) > before && !yield(first) {
			return
		}
	}
}

// linesAt reports whether needle is there in text, as whole lines.
func linesAt(text []byte, start int, needle []byte) bool {
	end := start + len(needle)
	return end <= len(text) && (start == 0 || text[start-1] == '\n') && (end == len(text) || text[end] == '\n') &&
		bytes.Equal(text[start:end], needle)
}

// nonblankFrom is the first line that begins at offset at or later and is not empty, and where it begins; nil if there is none. All
// line ends are "\n".
func (d *Document) nonblankFrom(at int) (int, []byte) {
	if at > 0 && at < len(d.text) && d.text[at-1] != '\n' {
		at = lineEnd(d.text, at)
	}
	for at < len(d.text) && d.text[at] == '\n' {
		at++
	}
	if at >= len(d.text) {
		return at, nil
	}
	if n := bytes.IndexByte(d.text[at:], '\n'); n >= 0 {
		return at, d.text[at : at+n]
	}
	return at, d.text[at:]
}

// lengths has a bit for the length of each line, modulo 64.
func (d *Document) lengths() (set uint64) {
	for _, line := range d.all() {
		set |= 1 << (len(line) % 64)
	}
	return set
}
