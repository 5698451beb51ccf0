package apply

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/strategy"
)

// A block that fitted several places was refused. If its result is at one of them now, by hand or
// by a block that said more, then that may be what it was for, and the last place that fits is not
// evidence. The file alone does not show this: where a model makes one thing like another the
// result occurs as well. Only what earlier runs met does.

// rivalResults adds to the only place of a block those where its result is, if an earlier run found
// several places: each may be the block's.
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
	from, to := p.span()
	asked := false
	result := v.Result()
	for _, at := range nearestToHint(v)(find(d.doc, result.Search)) {
		if at < to && from < at+v.Replace.Len() {
			continue
		}
		if !asked && !d.wasAmbiguous(v.Search.Text()) {
			return
		}
		asked = true
		f.placements = append(f.placements, &placement{
			kind: ofResult, tier: tierNormalized, strategy: p.strategy, score: 1, reading: result,
			alignment: align.Diagonal(d.doc, result.Search, at),
		})
	}
}

// mayBeApplied reports whether the block's result is at one of several places, see
// [locator.rivalResults].
func (f *findings) mayBeApplied() bool {
	return len(f.placements) > 1 &&
		slices.ContainsFunc(f.placements, func(p *placement) bool { return p.kind == ofResult })
}
