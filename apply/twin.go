package apply

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/strategy"
)

// Suppose an earlier run refused a block because it matched several places. If one of them now has
// the block's result, made by hand or by a more specific block, that may be the place that was
// meant, and the remaining match proves nothing. The file alone doesn't show this, because the
// result also occurs if a model makes one thing like another. Only the findings of earlier runs
// show it.

// rivalResults adds the places that have the block's result to f, which has only one place, if an
// earlier run found SEARCH at several places. Any of them may be the one that is meant, so the
// block is then ambiguous.
func (d results) rivalResults(f *findings) {
	if len(f.placements) != 1 || d.wasAmbiguous == nil {
		return
	}
	p := f.placements[0]
	v := p.reading
	if p.kind != ofLines || p.tier > tierNormalized || !v.Adds() || d.applied(p) {
		return
	}
	find := windows(strategy.ExactWindows)
	if p.tier == tierNormalized {
		find = strategy.KeyWindows
	}
	asked := false
	result := v.Result()
	for _, at := range nearestToHint(v)(find(d.doc, result.Search)) {
		if p.span().overlaps(span{at, at + v.Replace.Len()}) {
			continue // it overlaps the place
		}
		if !asked && !d.wasAmbiguous(v.Search.Text()) {
			return
		}
		asked = true
		f.placements = append(f.placements,
			resultPlacement(p.strategy, result, align.Diagonal(d.doc, result.Search, at)))
	}
}

// mayBeApplied reports whether the block's result is at one of several places; see
// [locator.rivalResults].
func (f *findings) mayBeApplied() bool {
	return len(f.placements) > 1 &&
		slices.ContainsFunc(f.placements, func(p *placement) bool { return p.kind == ofResult })
}
