package strategy

import (
	"bytes"
	"iter"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/editdist"
)

const (
	// severalAnchorSimilarity is what the middle of the best of several candidates needs. An only candidate needs 0.0:
	// its anchors are enough.
	severalAnchorSimilarity = 0.3
	// anchorLines is the least number of lines of a pattern that has anchors and a middle.
	anchorLines = 3
)

type blockAnchor struct{}

func (blockAnchor) Name() string { return "block-anchor" }

// Candidates yields at most one span: lines that begin and end like the pattern, the whitespace around lines aside. Each
// line that equals the first anchor is paired with the nearest line, at least two below it, that equals the last; among
// several pairs the one with the most similar middle is taken, the first of equals, if it is similar enough.
func (blockAnchor) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if pat.Len() < anchorLines {
			return
		}
		var middle middles
		best, count := -1.0, 0
		var first, last int
		for i, j := range anchored(doc, pat) {
			if count++; count == 1 {
				first, last = i, j
				continue
			}
			if count == 2 {
				middle = middles{doc: doc, pat: pat, known: map[linePair]float64{}}
				best = middle.similarity(first, last, best)
			}
			if s := middle.similarity(i, j, best); s > best {
				best, first, last = s, i, j
			}
		}
		if count == 0 || count > 1 && best < severalAnchorSimilarity {
			return
		}
		yield(Candidate{doc.Start(first), doc.End(last)})
	}
}

// Proposals yields all of those pairs, whatever is between them.
func (blockAnchor) Proposals(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		if pat.Len() < anchorLines {
			return
		}
		for first, last := range anchored(doc, pat) {
			if !yield(Candidate{doc.Start(first), doc.End(last)}) {
				return
			}
		}
	}
}

// anchored yields each line that equals the first line of pat together with the nearest line, two or more below it, that
// equals the last, trimmed. Both only ascend, so that one pass finds them.
func anchored(doc *Document, pat *Pattern) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		firsts, lasts := trimmedLinesOf(doc, pat.Document, 0), trimmedLinesOf(doc, pat.Document, pat.body()-1)
		for i := firsts.from(0); i >= 0; i = firsts.from(i + 1) {
			if end := lasts.from(i + 2); end < 0 || !yield(i, end) {
				return
			}
		}
	}
}

// trimmedLines goes down the lines of a document that are equal to one line of a pattern except for whitespace around them.
type trimmedLines struct {
	doc, pat *Document
	line     int        // of the pattern
	sign     uint64     // of that line
	index    *lineIndex // nil where signs do not tell
	at       int        // the line of the document to look at next, -1 after the last one
}

func trimmedLinesOf(doc, pat *Document, line int) *trimmedLines {
	t := &trimmedLines{doc: doc, pat: pat, line: line}
	if doc.Len() == 0 {
		t.at = -1
	} else if t.sign = pat.signs()[line]; t.sign != 0 && !doc.raw && !doc.isExotic() && !pat.isExotic() {
		t.index = doc.index()
		t.at = t.index.first(t.sign)
	}
	return t
}

// from is the first of the lines that is not above line i, -1 if there is none; i never descends.
func (t *trimmedLines) from(i int) int {
	for t.at >= 0 && (t.at < i || !equalTrimmed(t.doc, t.at, t.pat, t.line)) {
		if t.index != nil {
			t.at = t.index.after(t.at, t.sign)
		} else if t.at = max(i, t.at+1); t.at >= t.doc.Len() {
			t.at = -1
		}
	}
	return t.at
}

// middles measures the lines between anchors. What it has measured once it remembers by the lines' keys.
type middles struct {
	doc   *Document
	pat   *Pattern
	known map[linePair]float64
}

type linePair struct{ doc, pat uint64 }

// similarity is the mean similarity, 0 to 1, of the lines between first and last and the pattern's middle lines. They are paired
// from the top as far as both go; a pair of blank lines adds nothing, and without any pair it is 1. A result that cannot
// exceed best, or be enough, may be any number up to best.
func (c *middles) similarity(first, last int, best float64) float64 {
	pairs := min(c.pat.body(), last-first+1) - 2
	if pairs <= 0 {
		return 1
	}
	sum := 0.0
	for k := 1; k <= pairs; k++ {
		// The slack is more than what rounding may take from a sum of this many terms.
		most := (sum + float64(pairs-k+1)) / float64(pairs)
		if best >= 1 || most < max(best, severalAnchorSimilarity)-1e-6 {
			return min(most, best)
		}
		sum += c.line(first+k, k)
	}
	return sum / float64(pairs)
}

// line is the similarity of line i of the document and line j of the pattern, trimmed; 0 when both are blank.
func (c *middles) line(i, j int) float64 {
	key := linePair{c.doc.lineKeys()[i], c.pat.lineKeys()[j]}
	if key == (linePair{}) {
		return 0
	}
	if key.doc == key.pat && equalTrimmed(c.doc, i, c.pat.Document, j) {
		return 1
	}
	s, ok := c.known[key]
	if !ok {
		s = similarity(trimECMA(c.doc.Line(i)), trimECMA(c.pat.Line(j)), c.doc.raw)
		c.known[key] = s
	}
	return s
}

// largestTable is the largest edit distance table, in cells, that is computed: a fraction of a second of work, and more than
// the reference implementation, which stores it, can have.
const largestTable = 1 << 31

// similarity is 1 - edit distance / length of the longer text, in runes, or in UTF-16 units if utf16Units is set. One of
// the texts is not empty. Texts that need a larger table are taken for equal in what they begin and end with alike, and
// for different in all the rest.
func similarity(a, b []byte, utf16Units bool) float64 {
	if utf16Units {
		a, b = splitAstral(a), splitAstral(b)
	}
	longer := max(utf8.RuneCount(a), utf8.RuneCount(b))
	a, b = differing(a, b)
	distance := 0
	if int64(len(a))*int64(len(b)) <= largestTable {
		distance = editdist.Distance(a, b)
	} else {
		distance = max(utf8.RuneCount(a), utf8.RuneCount(b))
	}
	return 1 - float64(distance)/float64(longer)
}

// differing cuts off the characters that a and b begin and end with alike, which leaves their edit distance.
func differing(a, b []byte) ([]byte, []byte) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && (n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n])) {
		n--
	}
	a, b = a[n:], b[n:]
	n = 0
	for n < len(a) && n < len(b) && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return a[:len(a)-n], b[:len(b)-n]
}

// splitAstral writes each character beyond the basic plane as two, one for each of its UTF-16 units, so that counting
// runes counts units. The two come from plane 16, of which no other character is left afterwards.
func splitAstral(b []byte) []byte {
	if bytes.IndexFunc(b, func(r rune) bool { return r > 0xFFFF }) < 0 {
		return b
	}
	units := make([]byte, 0, 2*len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r > 0xFFFF {
			high, low := utf16.EncodeRune(r)
			units = utf8.AppendRune(units, 0x100000+high)
			units = utf8.AppendRune(units, 0x100000+low)
		} else {
			units = append(units, b[:size]...)
		}
		b = b[size:]
	}
	return units
}
