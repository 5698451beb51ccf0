package strategy

import (
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/internal/editdist"
)

// similarLine is the similarity from which a line of the document speaks for a place although it is not SEARCH's line.
const similarLine = 0.7

// SimilarRegions finds where a pattern may lie by its most telling line that the document does not have: the places whose
// line is similar to it, most similar first, at most limit. It serves blocks too short for their equal lines to
// gather. The cost is linear in the document, as lines of a length that cannot be similar cost nothing, and within the
// budget.
func SimilarRegions(doc *Document, pat *Pattern, limit int, budget *Budget) []Region {
	line := -1
	for i, k := range pat.Keys() {
		if k == blankKey || doc.index().count(k, 1) > 0 {
			continue
		}
		if line < 0 || Weight(pat.Line(i)) > Weight(pat.Line(line)) {
			line = i
		}
	}
	if line < 0 {
		return nil
	}
	p := editdist.Prepare(editdist.AppendSymbols(nil, appendTokens(nil, pat.Line(line))))
	var tokens []byte
	var codes []editdist.Code
	var regions []Region
	for i := range doc.Len() {
		if budget.Exhausted() {
			return nil
		}
		if n := doc.End(i) - doc.Start(i); float64(n) < similarLine*float64(p.Len()) {
			continue // a symbol has at least one byte
		}
		tokens = appendTokens(tokens[:0], doc.Line(i))
		if len(tokens) == 0 {
			continue
		}
		codes = p.AppendCodes(codes[:0], tokens)
		longer := max(p.Len(), len(codes))
		k := int(float64(longer) * (1 - similarLine))
		if max(p.Len(), len(codes))-min(p.Len(), len(codes)) > k {
			continue
		}
		if d, ok := budget.within(p, codes, k); ok {
			regions = append(regions, Region{i - line, i - line, 1 - float64(d)/float64(longer)})
		}
	}
	slices.SortStableFunc(regions, func(a, b Region) int { return cmp.Compare(b.Votes, a.Votes) })
	return regions[:min(limit, len(regions))]
}
