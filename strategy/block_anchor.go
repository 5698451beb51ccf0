package strategy

import (
	"iter"
	"slices"
	"unicode/utf16"

	"github.com/srpatch/srpatch/internal/editdist"
)

const (
	// severalAnchorSimilarity is the similarity that the middle lines need if there are several
	// candidates. The middle of a single candidate isn't compared, because its anchors are enough.
	severalAnchorSimilarity = 0.3
	// anchorLines is the length in lines of the shortest pattern that has anchors and a middle.
	anchorLines = 3
)

// blockAnchor yields at most one span, whose first and last lines equal the pattern's, ignoring
// whitespace at their ends. Each line that equals the first anchor is paired with the nearest line,
// at least two lines below it, that equals the last anchor. If there are several pairs, the one
// with the most similar middle wins (the first one in a tie), provided it is similar enough.
func blockAnchor(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	middle := middles{doc, pat, map[[2]string]float64{}}
	best, count := -1.0, 0
	var first, last int
	for i, j := range anchored(doc, pat) {
		if count++; count == 1 {
			first, last = i, j
			continue
		}
		if count == 2 { // the first pair isn't the only one, so its middle matters
			best = middle.similarity(first, last, best)
		}
		if s := middle.similarity(i, j, best); s > best {
			best, first, last = s, i, j
		}
	}
	if count == 1 || count > 1 && best >= severalAnchorSimilarity {
		yield(Candidate{doc.Start(first), doc.End(last)})
	}
}

// anchoredSpans yields the spans of all pairs of anchors, whatever is between them.
func anchoredSpans(doc *Document, pat *Pattern, yield func(Candidate) bool) {
	for first, last := range anchored(doc, pat) {
		if !yield(Candidate{doc.Start(first), doc.End(last)}) {
			return
		}
	}
}

// anchored yields each line that equals the first line of pat, together with the nearest line, at
// least two lines below it, that equals the last line, ignoring whitespace at the ends. It yields
// nothing if the pattern is too short.
func anchored(doc *Document, pat *Pattern) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if pat.Len() < anchorLines {
			return
		}
		body := pat.body()
		n := body.Len()
		lasts := slices.Collect(trimmedWindows(doc, body.part(n-1, n)))
		for first := range trimmedWindows(doc, body.part(0, 1)) {
			for len(lasts) > 0 && lasts[0] < first+2 {
				lasts = lasts[1:]
			}
			if len(lasts) == 0 || !yield(first, lasts[0]) {
				return
			}
		}
	}
}

// middles measures the lines between anchors, and remembers the results.
type middles struct {
	doc   *Document
	pat   *Pattern
	known map[[2]string]float64
}

// similarity returns the mean similarity, from 0 to 1, of the lines between first and last and the
// pattern's middle lines. The lines are paired from the top until one side ends. A pair of blank
// lines adds nothing, and the result is 1 if there are no pairs. If the similarity can't exceed
// best, or can't reach severalAnchorSimilarity, the result may be any number up to best.
func (m *middles) similarity(first, last int, best float64) float64 {
	pairs := min(m.pat.body().Len(), last-first+1) - 2
	if pairs <= 0 {
		return 1
	}
	sum := 0.0
	for k := 1; k <= pairs; k++ {
		most := (sum + float64(pairs-k+1)) / float64(pairs) // if all other pairs are equal
		// The slack is larger than the rounding error of a sum with this many terms.
		if best >= 1 || most < max(best, severalAnchorSimilarity)-1e-6 {
			return min(most, best)
		}
		sum += m.line(trimECMA(m.doc.Line(first+k)), trimECMA(m.pat.Line(k)))
	}
	return sum / float64(pairs)
}

// line returns the similarity of two lines, or 0 if both are empty.
func (m *middles) line(a, b []byte) float64 {
	s, ok := m.known[[2]string{string(a), string(b)}]
	if !ok {
		s = similarity(symbolsOf(a, m.doc.raw), symbolsOf(b, m.doc.raw))
		m.known[[2]string{string(a), string(b)}] = s
	}
	return s
}

// mostSteps bounds the work of comparing two lines. It corresponds to a fraction of a second, and
// is more than the reference implementation can do.
const mostSteps = 1 << 26

// similarity returns 1 - edit distance / length of the longer text, or 0 if both texts are empty.
// Texts that would take too much work or memory to compare count as entirely different.
func similarity(a, b []editdist.Symbol) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	p := editdist.Prepare(a)
	if len(b) == 0 || p.Words() > maxWords {
		return 0
	}
	codes := make([]editdist.Code, len(b))
	for i, s := range b {
		codes[i] = p.Code(s)
	}
	p.Limit(mostSteps)
	d, ok := p.Within(codes, len(b))
	if !ok {
		d = len(b)
	}
	return 1 - float64(d)/float64(len(b))
}

// symbolsOf returns the characters of a line, or its UTF-16 code units if units is set.
func symbolsOf(line []byte, units bool) (out []editdist.Symbol) {
	for _, s := range editdist.AppendSymbols(nil, line) {
		if r := rune(s); units && utf16.RuneLen(r) == 2 {
			high, low := utf16.EncodeRune(r)
			out = append(out, editdist.Symbol(high), editdist.Symbol(low))
		} else {
			out = append(out, s)
		}
	}
	return out
}
