package strategy

import (
	"iter"
	"math"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
)

// similarLine is the similarity from which a line that isn't equal counts as evidence for a place.
const similarLine = 0.7

// SimilarRegions returns the regions where a pattern may belong, based on its most distinctive line
// that the document does not have. It returns at most limit (which must be at least 1) places of
// similar lines, the most similar first. Equal ones are ordered by their distance to the pattern's
// hint. It is for blocks that have too few equal lines to form a cluster. The cost is within the
// budget, and linear in the size of the document, because most lines are ruled out quickly.
func SimilarRegions(doc *Document, pat *Pattern, limit int, budget *Budget) []Region {
	line := -1
	for i, k := range pat.Keys() {
		if k == BlankKey || count(doc.withKey(pat.marks()[i], k), 1) > 0 {
			continue
		}
		if line < 0 || text.Weight(pat.Line(i)) > text.Weight(pat.Line(line)) {
			line = i
		}
	}
	if line < 0 {
		return nil
	}
	return similarTo(doc, pat, line, limit, budget)
}

// likenessCost is the base cost of checking whether a line may be similar. Every four bytes of the
// line add one unit.
const likenessCost = 8

// similarTo returns the regions of lines that are similar to the given line of the pattern, with
// the similarity as their Votes. It returns nil if the budget runs out before all lines are
// checked.
func similarTo(doc *Document, pat *Pattern, line, limit int, budget *Budget) []Region {
	tokens := text.AppendReduced(nil, pat.Line(line))
	p, like := editdist.Prepare(editdist.AppendSymbols(nil, tokens)), newLikeness(tokens)
	var codes []editdist.Code
	var regions []Region
	order := heavier(pat.Hint)
	for i := range doc.shorter(like.longest(similarLine)) {
		least := similarLine
		if len(regions) == limit { // less than the last one's similarity is useless
			least = max(least, regions[limit-1].Votes)
		}
		have := doc.Line(i)
		if !budget.Spend(likenessCost + int64(len(have))/4) {
			return nil
		}
		if !like.mayReach(have, least) {
			continue
		}
		tokens = text.AppendReduced(tokens[:0], have)
		n := utf8.RuneCount(tokens)
		longer := max(p.Len(), n)
		// The greatest distance that both similarLine and least allow. An equal similarity to the
		// last region must not be lost to rounding, because the hint may decide.
		k := min(int(float64(longer)*(1-similarLine)), int(math.Ceil(float64(longer)*(1-least))))
		if n == 0 || longer-min(p.Len(), n) > k { // each missing symbol is an edit
			continue
		}
		codes = p.AppendCodes(codes[:0], tokens)
		if d, ok := budget.Within(p, codes, k); ok {
			r := Region{Low: i - line, High: i - line, Votes: 1 - float64(d)/float64(longer)}
			regions = withRegion(regions, r, limit, order)
		}
	}
	return regions
}

// shorter yields, in order, the lines that have at most the given number of nonblank symbols. To
// skip many longer lines at once, it notes the least number in each group of lines.
func (d *Document) shorter(most int) iter.Seq[int] {
	const step = 64
	return func(yield func(int) bool) {
		all := d.nonblanks // computed with the marks of the index
		for k := 0; k*step < len(all); k++ {
			lines := all[k*step : min(k*step+step, len(all))]
			if k == len(d.fewest) {
				d.fewest = append(d.fewest, slices.Min(lines))
			}
			if int(d.fewest[k]) > most {
				continue
			}
			for i, n := range lines {
				if int(n) <= most && !yield(k*step+i) {
					return
				}
			}
		}
	}
}

// withRegion inserts r in order, after equal regions, and drops regions beyond the limit.
func withRegion(regions []Region, r Region, limit int, order func(a, b Region) int) []Region {
	at := sort.Search(len(regions), func(i int) bool { return order(regions[i], r) > 0 })
	if at == limit {
		return regions
	}
	return slices.Insert(regions[:min(len(regions), limit-1)], at, r)
}
