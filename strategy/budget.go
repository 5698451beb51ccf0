package strategy

import (
	"math"

	"github.com/srpatch/srpatch/internal/editdist"
)

// Budget bounds the work of a search. The units depend only on the texts: cells of an alignment,
// and columns of 64 cells of an edit distance. A nil Budget is unlimited.
type Budget struct {
	left int64
	out  bool
}

// NewBudget returns a budget of the given number of units.
func NewBudget(units int64) *Budget { return &Budget{left: units} }

// Left returns the number of units left.
func (b *Budget) Left() int64 {
	if b == nil {
		return math.MaxInt64
	}
	return max(0, b.left)
}

// Exhausted reports whether work was left undone because the budget ran out.
func (b *Budget) Exhausted() bool { return b != nil && b.out }

// Spend takes units from the budget. It returns false if too few are left.
func (b *Budget) Spend(units int64) bool {
	if b == nil {
		return true
	}
	if b.left -= units; b.left < 0 {
		b.out = true
	}
	return !b.out
}

// Within returns the distance between the pattern and codes if it is at most k, and charges the
// cost to the budget. ok is false if the distance is greater or the budget runs out.
func (b *Budget) Within(p *editdist.Pattern, codes []editdist.Code, k int) (d int, ok bool) {
	if b == nil {
		return p.Within(codes, k)
	}
	if !b.Spend(1 + int64(len(codes))/64) {
		return 0, false
	}
	before := p.Steps()
	p.Limit(before + b.left)
	d, ok = p.Within(codes, k)
	if spent := p.Steps() - before; !b.Spend(spent) {
		return 0, false
	}
	return d, ok
}
