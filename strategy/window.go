package strategy

import (
	"bytes"
	"iter"
)

// ExactWindows yields the first lines (0-based) of all windows of doc whose lines equal the pattern's byte for byte, line
// ends aside; windows may overlap. An empty pattern has none.
func ExactWindows(doc *Document, pat *Pattern) iter.Seq[int] { return equalWindows(doc, pat.Document) }

func equalWindows(doc, pat *Document) iter.Seq[int] {
	if pat.Len() == 1 && pat.signs()[0] != 0 && !doc.isIndexed() {
		return oneLine(doc, pat.Line(0))
	}
	return windows(doc, pat, func(d *Document, i, j int) bool { return bytes.Equal(d.Line(i), pat.Line(j)) })
}

// lineSearches is how often a line is looked for in the text before its lines are indexed.
const lineSearches = 16

// oneLine yields the lines of doc that equal one which is not blank.
func oneLine(doc *Document, line []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		doc.probed += doc.Len() / probeCost / lineSearches
		for at := range disjoint(doc.text, line) {
			end := at + len(line)
			if at > 0 && doc.text[at-1] != '\n' || end < len(doc.text) && doc.text[end] != '\n' && doc.text[end] != '\r' {
				continue
			}
			if i := doc.LineAt(at); bytes.Equal(doc.Line(i), line) && !yield(i) {
				return
			}
		}
	}
}

// KeyWindows yields the first lines (0-based) of all windows of doc whose lines have the pattern's keys, in order;
// windows may overlap.
func KeyWindows(doc *Document, pat *Pattern) iter.Seq[int] {
	return windows(doc, pat.Document, func(d *Document, i, j int) bool { return d.Key(i) == pat.Key(j) })
}

// relation reports whether line i of d, which is the document or the pattern itself, is the same as line j of the pattern. It is an
// equivalence, and lines that are the same have equal signs.
type relation func(d *Document, i, j int) bool

// windows yields the first lines of all windows of doc whose lines are the same as the pattern's, in order.
//
// It looks at a few lines of the document, see byProbes, until it has looked at so many that to index them all is no more work; then it
// looks for the pattern's rarest line in the index. Where neither says where the pattern may be, it compares line by line.
func windows(doc, pat *Document, same relation) iter.Seq[int] {
	return func(yield func(int) bool) {
		switch {
		case pat.Len() == 0 || pat.Len() > doc.Len():
		case doc.isIndexed():
			byIndex(doc, pat, same, yield)
		default:
			byProbes(doc, pat, same, yield)
		}
	}
}

const (
	// probeCost is how many lines can be indexed in the time that it takes to look at one by itself.
	probeCost = 2
	// indexFrom is from how many blocks on the lines of a document are indexed at once.
	indexFrom = 5
)

// isIndexed reports whether the lines of the document are indexed, or as much work was done without that as to index them takes.
func (d *Document) isIndexed() bool { return d.bySign != nil || d.probed > d.Len()/probeCost }

// Expect says how many blocks are looked for in the document, so that its lines are indexed at once where that pays.
func (d *Document) Expect(blocks int) {
	if blocks >= indexFrom {
		d.probed = d.Len()
	}
}

// sameAt reports whether the pattern's lines are the same as those of doc from line first on, and how many were compared.
func sameAt(doc, pat *Document, first int, same relation) (compared int, ok bool) {
	if first < 0 || first+pat.Len() > doc.Len() {
		return 0, false
	}
	for j := range pat.Len() {
		if !same(doc, first+j, j) {
			return j + 1, false
		}
	}
	return pat.Len(), true
}

// byIndex looks at the places of the pattern's rarest line.
func byIndex(doc, pat *Document, same relation, yield func(int) bool) {
	x := doc.index()
	rarest, least := -1, commonLine
	for j, sign := range pat.signs() {
		if sign == 0 {
			continue
		}
		if n := x.count(sign, least); n < least {
			rarest, least = j, n
		}
		if least <= 1 {
			break
		}
	}
	if rarest < 0 {
		everyWindow(doc, pat, same)(yield)
		return
	}
	sign := pat.signs()[rarest]
	for at := x.first(sign); at >= 0; at = x.after(at, sign) {
		if _, ok := sameAt(doc, pat, at-rarest, same); ok && !yield(at-rarest) {
			return
		}
	}
}

// byProbes looks at one line of the document for each pattern's length of text. A place of the pattern that begins after some byte has
// a line of the pattern that is not blank, and begins no further on than the last such line of the pattern does at least. Where the
// line at a probe has the sign of one of the pattern's, the patterns's lines are compared there. So the fewer lines are looked at the
// longer the pattern is, and no text makes the search slow: where many comparisons fail, it goes on line by line.
func byProbes(doc, pat *Document, same relation, yield func(int) bool) {
	reach, ok := pat.reach()
	if !ok {
		everyWindow(doc, pat, same)(yield)
		return
	}
	x := pat.index()
	left := doc.Len()
	var found []int
	// All places that begin at before or above it are known.
	for before := -1; ; {
		at, sign := doc.nonblankFrom(before + 1 + reach)
		if sign == 0 {
			return
		}
		found = found[:0]
		for j := x.first(sign); j >= 0; j = x.after(j, sign) {
			if left < 0 {
				everyBelow(doc, pat, before, same, yield)
				return
			}
			first := doc.LineAt(at) - j
			compared, ok := sameAt(doc, pat, first, same)
			if left -= compared; ok && doc.Start(first) > before {
				found = append(found, first)
			}
		}
		for k := len(found) - 1; k >= 0; k-- {
			if !yield(found[k]) {
				return
			}
		}
		before = at
	}
}

// reach is how many bytes the last line that is not blank begins below the first line, in any text that has lines of the same keys; ok is
// false if all are blank. It is counted once.
func (d *Document) reach() (n int, ok bool) {
	if d.reached == 0 {
		d.reached = -1
		sum := 0
		for i, sign := range d.signs() {
			if sign != 0 {
				d.reached = sum + 1
			}
			sum += d.least(i) + 1
		}
	}
	return d.reached - 1, d.reached > 0
}

// nonblankFrom is the offset of the first line that begins at offset at or later and is not blank, and its sign, which is 0 if there is
// none.
func (d *Document) nonblankFrom(at int) (start int, sign uint64) {
	if at > 0 && at < len(d.text) && d.text[at-1] != '\n' {
		at = lineEnd(d.text, at)
	}
	for at < len(d.text) {
		end := lineEnd(d.text, at)
		d.probed++
		if sign := d.signOfLine(d.text[at:end]); sign != 0 {
			return at, sign
		}
		at = end
	}
	return at, 0
}

// everyWindow compares line by line.
func everyWindow(doc, pat *Document, same relation) iter.Seq[int] {
	have, want := doc.signs(), pat.signs()
	return sequence(len(have), len(want),
		func(i, j int) bool { return have[i] == want[j] && same(doc, i, j) },
		func(i, j int) bool { return want[i] == want[j] && same(pat, i, j) })
}

// everyBelow yields the windows that begin after an offset, line by line.
func everyBelow(doc, pat *Document, before int, same relation, yield func(int) bool) {
	for first := range everyWindow(doc, pat, same) {
		if doc.Start(first) > before && !yield(first) {
			return
		}
	}
}
