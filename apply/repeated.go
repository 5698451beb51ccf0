package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/parser"
)

// A model that loops writes the same block thousands of times. Where it occurs, each is a block of its own, and finding it is cheap. Where
// it does not, looking for it takes longest: so it is looked for once, and the others are refused as the first one was.

// isRepeated reports whether two blocks for a file ask for the same.
func isRepeated(a, b *parser.Block) bool {
	return a.Op == parser.OpEdit && b.Op == parser.OpEdit && len(a.Readings) < 2 && len(b.Readings) < 2 &&
		bytes.Equal(a.Search, b.Search) && bytes.Equal(a.Replace, b.Replace) && a.Path == b.Path &&
		a.StartLine == b.StartLine && a.EndLine == b.EndLine && a.ReplaceAll == b.ReplaceAll && a.Expected == b.Expected &&
		a.Substring == b.Substring && a.Exact == b.Exact && a.Dialect == b.Dialect && slices.Equal(a.Scope, b.Scope)
}

// noteRepeated tells the file's items which earlier ones they repeat.
func (f *file) noteRepeated() {
	first := map[string]*item{} // by SEARCH
	for _, it := range f.items {
		if earlier := first[string(it.block.Search)]; earlier == nil {
			first[string(it.block.Search)] = it
		} else if isRepeated(earlier.block, it.block) {
			it.repeats = earlier
		}
	}
}

// absentLike reports whether the item repeats one that was looked for and not found, as far as the search went; then its own goes on from
// there.
func (it *item) absentLike() bool {
	t := it.repeats
	if t == nil || t.settled() || t.placed != nil || len(t.found.placements) > 0 {
		return false
	}
	it.search(t.found)
	return true
}

// refusedLike reports whether the item repeats one that was refused, and if so refuses it likewise.
func (it *item) refusedLike() bool {
	t := it.repeats
	if t == nil || t.report.Status != BlockFailed || len(t.found.placements)+len(it.found.placements) > 0 {
		return false
	}
	warnings := slices.Concat(it.block.Warnings, t.report.Warnings[len(t.block.Warnings):])
	id := it.report.ID
	same := t.report
	same.ID, same.Block, same.Warnings = id, it.block, warnings
	same.Corrected = slices.Clone(same.Corrected)
	it.failAs(same)
	return true
}
