package apply

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/apply/internal/reading"
)

// leaveMoved removes the places of blocks that only delete lines if the places are in text that
// another block of the reply added in an earlier run. Such a pair of blocks moves lines, and the
// lines are already where they belong. A block without any other place is refused.
func (f choice) leaveMoved() {
	results := sync.OnceValue(f.appliedBefore)
	for _, it := range f.items {
		if it.settled || !it.deletes() {
			continue
		}
		moved := func(p *placement) bool {
			return slices.ContainsFunc(results(), func(r result) bool {
				return r.of.isWith(it) && p.span().within(r.span)
			})
		}
		if left := slices.DeleteFunc(slices.Clone(it.found.placements), moved); len(left) > 0 {
			it.found.placements = left
		} else {
			it.fail(NotFound, "SEARCH occurs only in lines that another block of the reply adds, "+
				"and that block is already applied")
		}
	}
}

// refuseTakingBack refuses an item that only deletes lines, if its SEARCH occurs nowhere in the
// original file but in the lines that a later block adds. In that case a reply that moves lines was
// partly applied before, and the deletion would take the moved lines back. It reports whether it
// refused the item.
func (f *file) refuseTakingBack(it *item) bool {
	b := it.block
	if len(it.found.placements) > 0 || len(b.Search) == 0 || reading.New(b.Search, b.Replace, 0).Adds() {
		return false
	}
	for _, later := range f.below(it) {
		if later.report.Status == BlockApplied && bytes.Contains(later.block.Replace, b.Search) &&
			!bytes.Contains(later.block.Search, b.Search) {
			it.fail(NotFound, fmt.Sprintf("SEARCH occurs only in lines that block %d adds", later.block.ID))
			return true
		}
	}
	return false
}

// deletes reports whether the item has places and only deletes lines at them.
func (it *item) deletes() bool {
	return len(it.found.placements) > 0 && !slices.ContainsFunc(it.found.placements, func(p *placement) bool {
		return p.kind != ofLines || p.reading.Adds()
	})
}

// result is the place of a block that was already applied.
type result struct {
	span
	of *item
}

// appliedBefore returns the places of the blocks that were already applied, as far as they consist
// of whole lines. Blocks with several places don't count.
func (f choice) appliedBefore() (out []result) {
	for _, it := range f.items {
		if it.settled || len(it.found.placements) != 1 {
			continue
		}
		p := it.found.placements[0]
		if p.kind == ofResult && p.inside == nil {
			out = append(out, result{p.span(), it})
		} else if p.kind == ofLines {
			if at := f.snapshot.results().result(p); at != nil {
				out = append(out, result{*at, it})
			}
		}
	}
	return out
}
