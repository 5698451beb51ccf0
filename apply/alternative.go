package apply

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/parser"
	"github.com/srpatch/srpatch/strategy"
)

// A model that offers a choice writes the same SEARCH twice, with a different REPLACE each time:
// "Option 1 … Option 2 …". Merging the two gives code that nobody wrote, so the second block is
// refused, under every policy. Blocks that keep all of SEARCH and only add lines are an exception.
// For example, two blocks that each add an import below the same line don't contradict each other.

// maxAlternatives is how many blocks with the same SEARCH are looked for in the text that earlier
// blocks wrote.
const maxAlternatives = 64

// alternative returns another block with the item's SEARCH and a different REPLACE, placed there
// earlier in the reply or applied there before. It returns nil if there is none.
func (f *file) alternative(it *item, l *locator) *item {
	if len(f.items) < 2 {
		return nil
	}
	if f.alike == nil {
		f.groupBySearch()
	}
	earlier, looked := true, 0 // earlier: before it in the reply
	for _, other := range f.alike[it.sides.search] {
		switch {
		case other == it:
			earlier = false
		case other.report.Status == BlockFailed || other.sides == it.sides: // refused, or a copy
		case l == f.snapshot && earlier && other.settled && other.placed != nil:
			if it.isOver(other) {
				return other // both are placed in the original text
			}
		case looked < maxAlternatives && bytes.Equal(it.block.Search, other.block.Search):
			if looked++; l.results().hasResultAt(it.placed, other.block) {
				return other
			}
		}
	}
	return nil
}

// sides holds a block's SEARCH and REPLACE, without blanks.
type sides struct{ search, replace string }

// groupBySearch records which blocks have the same SEARCH and different REPLACEs.
func (f *file) groupBySearch() {
	f.alike = map[string][]*item{}
	for _, it := range f.items {
		if onSnapshot(it.block.Op) {
			it.sides = sides{unspaced(it.block.Search), unspaced(it.block.Replace)}
			f.alike[it.sides.search] = append(f.alike[it.sides.search], it)
		}
	}
	maps.DeleteFunc(f.alike, func(_ string, group []*item) bool {
		return !slices.ContainsFunc(group, func(it *item) bool { return it.sides != group[0].sides })
	})
}

func unspaced(text []byte) string { return string(bytes.Join(bytes.Fields(text), nil)) }

// isOver reports whether the places of two items overlap in the original file. A block that
// replaces every occurrence overlaps every block with the same SEARCH. A block whose SEARCH is the
// text that other writes, at another depth, follows other and doesn't overlap it.
func (it *item) isOver(other *item) bool {
	if it.block.ReplaceAll || other.block.ReplaceAll {
		return true
	}
	follows := !bytes.Equal(it.block.Search, other.block.Search) && bytes.Contains(other.block.Replace, it.block.Search)
	return !follows && it.placed.overlaps(other.placed)
}

// hasResultAt reports whether b adds lines, and the document has b's REPLACE at a place that
// overlaps p, ignoring blanks.
func (d results) hasResultAt(p *placement, b *parser.Block) bool {
	v := reading.New(b.Search, b.Replace, 0)
	if !v.Adds() {
		return false
	}
	for range d.windowsAt(p.span(), v.Result().Search, strategy.KeyWindows) {
		return true
	}
	return false
}

// refuseAlternative refuses an item and returns true if other, a block with the same SEARCH, isn't
// nil and can't be applied as well. Unless the policy is strict, two blocks that only add lines
// can.
func (it *item) refuseAlternative(other *item) bool {
	if other == nil || it.file.run.opt.Policy != Strict && it.onlyAdds() && other.onlyAdds() {
		return false
	}
	const message = "block %d has the same SEARCH and another REPLACE; " +
		"choose one of the two, or merge them into one block"
	it.fail(Overlap, fmt.Sprintf(message, other.block.ID))
	return true
}

// onlyAdds reports whether the block keeps every line of SEARCH.
func (it *item) onlyAdds() bool {
	v := reading.New(it.block.Search, it.block.Replace, 0)
	return !slices.ContainsFunc(v.Hunks(), func(c reading.Hunk) bool { return c.S0 < c.S1 })
}
