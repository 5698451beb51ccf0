package strategy

import (
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// commonLine is how often a line may occur in a document and still say where a block belongs.
const commonLine = 64

// Region is a part of the document where lines of the pattern gather: the diagonals (document line
// minus pattern line) they lie on, and how much they weigh together.
type Region struct {
	Low, High int
	// Votes is what they weigh, each line's weight shared by all places that it has in the
	// document.
	Votes float64
	// Found is what they weigh however common they are.
	Found int
}

// Regions finds where a pattern may lie by letting each of its lines vote for the places where the
// document has the same line (same key), rare lines more than common ones. At most limit regions
// are returned, heaviest first, of equal ones those nearest to the pattern's hint, then by
// position. The cost is linear in the document and in the hits.
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
		w := (found*oneVote + n - 1) / n
		for line := range places {
			votes = append(votes, vote{line - i, w, found})
		}
	}
	slices.SortFunc(votes, func(a, b vote) int { return cmp.Compare(a.diagonal, b.diagonal) })

	// A window slides over the diagonals; each maximum of what it holds is a region.
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

// Slack returns how far an alignment may stray from its diagonals: lines forgotten or invented, a
// quarter of the block and a few.
func Slack(lines int) int { return min(3+lines/4, 64) }

// oneVote is what a weight of 1 counts. Votes are whole numbers, so that equal places have equal
// sums.
const oneVote = 1 << 20

// heavier orders regions by what they weigh, and equal ones by how near they are to the hinted
// line.
func heavier(hint int) func(a, b Region) int {
	off := func(r Region) int {
		if hint == 0 {
			return 0
		}
		return max(r.Low-(hint-1), hint-1-r.Low)
	}
	return func(a, b Region) int { return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(off(a), off(b))) }
}
