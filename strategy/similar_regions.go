package strategy

import (
	"iter"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
)

// similarLine is the similarity from which a line of the document speaks for a place although it is not SEARCH's line.
const similarLine = 0.7

// SimilarRegions finds where a pattern may lie by its most telling line that the document does not have: the places whose
// line is similar to it, most similar first, of equal ones those nearest to the pattern's hint, at most limit (at least 1). It
// serves blocks too short for their equal lines to gather. The cost is linear in the document, as lines that cannot be similar are known
// soon, and within the budget.
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
	asked := similarAsked{string(pat.Line(line)), line, pat.Hint, limit}
	known := &doc.similar
	if known.similarAsked == asked {
		if !budget.Spend(known.work) {
			return nil
		}
		return slices.Clone(known.regions)
	}
	left := budget.Left()
	regions := similarRegions(doc, asked, budget)
	if !budget.Exhausted() {
		*known = similarFound{asked, slices.Clone(regions), left - budget.Left()}
	}
	return regions
}

// similarAsked is a line, which one of its pattern it is, and what is asked for besides.
type similarAsked struct {
	text              string
	line, hint, limit int
}

// similarFound is what was found for a line, and the work that it took, which counts each time. The latest is kept: a block and its
// result often have the same most telling line.
type similarFound struct {
	similarAsked
	regions []Region
	work    int64
}

// likenessCost is what it takes to see whether a line may be similar, and a unit more for each four bytes of it.
const likenessCost = 8

// similarRegions are those of the lines that are similar to one, as far as the budget goes.
func similarRegions(doc *Document, asked similarAsked, budget *Budget) []Region {
	line, limit := asked.line, asked.limit
	tokens := text.AppendReduced(nil, []byte(asked.text))
	p, like := editdist.Prepare(editdist.AppendSymbols(nil, tokens)), newLikeness(tokens)
	var codes []editdist.Code
	var regions []Region
	order := heavier(asked.hint)
	for i := range doc.shorter(like.longest(similarLine)) {
		least := similarLine
		if len(regions) == limit { // no use for less than the last one has
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
		k := int(float64(longer) * (1 - similarLine))
		if n == 0 || longer-min(p.Len(), n) > k {
			continue
		}
		if len(regions) == limit {
			k = min(k, int(math.Ceil(float64(longer)*(1-regions[limit-1].Votes))))
		}
		codes = p.AppendCodes(codes[:0], tokens)
		if d, ok := budget.Within(p, codes, k); ok {
			regions = withRegion(regions, Region{Low: i - line, High: i - line, Votes: 1 - float64(d)/float64(longer)}, limit, order)
		}
	}
	return regions
}

// nonblankStep is how many lines are passed over at once if all have too many symbols that are no blanks.
const nonblankStep = 64

// shorter yields, in order, the lines that may have at most so many symbols that are no blanks.
func (d *Document) shorter(most int) iter.Seq[int] {
	return func(yield func(int) bool) {
		all := d.nonblank()
		if d.fewest == nil {
			for part := range slices.Chunk(all, nonblankStep) {
				d.fewest = append(d.fewest, slices.Min(part))
			}
		}
		for k, n := range d.fewest {
			if int(n) > most {
				continue
			}
			from := k * nonblankStep
			for i, n := range all[from:min(from+nonblankStep, len(all))] {
				if int(n) <= most && !yield(from+i) {
					return
				}
			}
		}
	}
}

// withRegion puts r after the regions that come before it in the order, or are equal to it, and drops what exceeds the limit.
func withRegion(regions []Region, r Region, limit int, order func(a, b Region) int) []Region {
	at, _ := slices.BinarySearchFunc(regions, r, func(have, r Region) int {
		if order(have, r) <= 0 {
			return -1
		}
		return 1
	})
	if at == limit {
		return regions
	}
	return slices.Insert(regions[:min(len(regions), limit-1)], at, r)
}
