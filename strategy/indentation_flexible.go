package strategy

import (
	"bytes"
	"unicode/utf8"
)

// indentationFlexible yields every run of lines that equals the pattern once the indentation shared
// by all lines of a side is removed from that side. Blank lines have no indentation and must be
// equal as written.
func indentationFlexible(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	n, p := pat.Len(), newIndented(pat.Document)
	odd, seen := -1, 0 // the last line before seen whose indentation is not made of p.unit
	for i := range windows(doc, pat.Document, p.matches) {
		for seen = max(seen, i); seen < i+n; seen++ {
			if !p.isUniform(indentECMA(doc.Line(seen))) {
				odd = seen
			}
		}
		// The indentations have the right lengths. If the window's consist of p.unit alone, they have
		// the right text, too. Otherwise compare it, because a tab isn't a space.
		if uniform := odd < i; (uniform || p.indentTextMatches(doc, i)) && !yield(doc.lines(i, n)) {
			return
		}
	}
}

// indented is a pattern viewed as lines with relative indentation.
type indented struct {
	*Document
	previous []int    // the nearest line above that is not blank, or -1
	indents  []int    // in characters
	beyond   [][]byte // each line's indentation beyond the common one
	unit     []byte   // the character that beyond consists of in all lines, if any
	mixed    bool     // beyond has several characters
}

// newIndented measures the indentation of the pattern's lines.
func newIndented(pat *Document) *indented {
	n := pat.Len()
	p := &indented{Document: pat, previous: make([]int, n), indents: make([]int, n), beyond: make([][]byte, n)}
	before, common := -1, -1
	for j := range n {
		p.previous[j] = before
		if !pat.blank(j) {
			p.indents[j] = utf8.RuneCount(indentECMA(pat.Line(j)))
			if common < 0 || p.indents[j] < common {
				common = p.indents[j]
			}
			before = j
		}
	}
	for j := range n {
		if !pat.blank(j) {
			p.beyond[j] = dropRunes(indentECMA(pat.Line(j)), common)
			if len(p.beyond[j]) > 0 && len(p.unit) == 0 { // the first character
				p.unit = p.beyond[j][:len(p.beyond[j])-len(dropRunes(p.beyond[j], 1))]
			}
			p.mixed = p.mixed || !p.isUniform(p.beyond[j])
		}
	}
	return p
}

// isUniform reports whether an indentation consists only of p.unit. It's true for any indentation
// if no line of the pattern is deeper than another, and false for all but "" if p is mixed.
func (p *indented) isUniform(indent []byte) bool {
	if len(p.unit) == 0 {
		return true
	}
	for len(indent) > 0 {
		if p.mixed || !bytes.HasPrefix(indent, p.unit) {
			return false
		}
		indent = indent[len(p.unit):]
	}
	return true
}

// matches reports whether line i of doc equals line j of the pattern after the indentation, and has
// the same indentation relative to the line above as line j does. The lines above must match.
func (p *indented) matches(doc *Document, i, j int) bool {
	if p.blank(j) {
		return bytes.Equal(doc.Line(i), p.Line(j))
	}
	if !bytes.Equal(trimLeftECMA(doc.Line(i)), trimLeftECMA(p.Line(j))) {
		return false
	}
	above := p.previous[j]
	return above < 0 || depth(doc, i)-depth(doc, i-j+above) == p.indents[j]-p.indents[above]
}

// indentTextMatches reports whether each line of the run at i, which matches, has the same indentation beyond
// the common one as the pattern's line, character for character.
func (p *indented) indentTextMatches(doc *Document, i int) bool {
	for j, beyond := range p.beyond {
		if !bytes.HasSuffix(indentECMA(doc.Line(i+j)), beyond) {
			return false
		}
	}
	return true
}

func depth(d *Document, i int) int { return utf8.RuneCount(indentECMA(d.Line(i))) }

func dropRunes(b []byte, n int) []byte {
	for range n {
		_, size := utf8.DecodeRune(b)
		b = b[size:]
	}
	return b
}
