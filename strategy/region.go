package strategy

import (
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// commonLine is how often a line may occur in a document and still indicate where a block belongs.
const commonLine = 64

// Region is a part of the document in which lines of the pattern cluster: the diagonals (document
// line minus pattern line) on which they lie, and their weight.
type Region struct {
	Low, High int
	// Votes is the weight of the lines, with each line's weight divided among its places in the
	// document.
	Votes float64
	// Found is the full weight of the lines, however common they are.
	Found int
}

// Regions returns the regions where a pattern may belong. Each line of the pattern votes for the
// places where the document has a line with the same key, and rare lines count more. It returns at
// most limit regions, the heaviest first. Equal regions are ordered by their distance to the
// pattern's hint, then by position. The cost is linear in the size of the document and the number
// of hits.
func Regions(doc *Document, pat *Pattern, limit int) []Region {
	type vote struct{ diagonal, weight, found int }
	var votes []vote
	for i, k := range pat.Keys() {
		if k == BlankKey {
			continue
		}
		places := doc.withKey(pat.marks()[i], k)
		n := count(places, commonLine+1)
		if n == 0 || n > commonLine {
			continue
		}
		found := text.Weight(pat.Line(i))
		w := (found*oneVote + n - 1) / n // its share of the line's weight, rounded up
		for line := range places {
			votes = append(votes, vote{line - i, w, found})
		}
	}
	slices.SortFunc(votes, func(a, b vote) int { return cmp.Compare(a.diagonal, b.diagonal) })

	// A window of diagonals slides over the votes. Its content is a region if it's the heaviest of
	// those that overlap it.
	width := Slack(pat.Len())
	var regions []Region
	sum, found, from := 0, 0, 0
	for to := range votes {
		sum += votes[to].weight
		found += votes[to].found
		for votes[to].diagonal-votes[from].diagonal > width {
			sum -= votes[from].weight
			found -= votes[from].found
			from++
		}
		r := Region{votes[from].diagonal, votes[to].diagonal, float64(sum) / oneVote, found}
		if last := len(regions) - 1; last >= 0 && r.Low <= regions[last].High {
			if r.Votes > regions[last].Votes {
				regions[last] = r
			}
			continue
		}
		regions = append(regions, r)
	}
	slices.SortStableFunc(regions, heavier(pat.Hint))
	return regions[:min(limit, len(regions))]
}

// Slack returns how many diagonals an alignment may deviate because lines were omitted or invented:
// a quarter of the block's lines plus three, and at most 64.
func Slack(lines int) int { return min(3+lines/4, 64) }

// oneVote is the count for a weight of 1. Votes are integers, so that equal places have equal sums.
const oneVote = 1 << 20

// heavier orders regions by weight, and equal ones by their distance to the hinted line.
func heavier(hint int) func(a, b Region) int {
	off := func(r Region) int {
		if hint == 0 {
			return 0
		}
		return max(r.Low-(hint-1), hint-1-r.Low)
	}
	return func(a, b Region) int { return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(off(a), off(b))) }
}
