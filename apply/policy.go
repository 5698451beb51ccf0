package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/strategy"
)

// strictly keeps the places that the policy strict accepts: those where SEARCH or the block's
// result occurs exactly. If a place isn't exact, none is kept, and that place is stored in f.near
// for the report, unless the block's exact result is in the file. With the option ExactBytes, exact
// places win over others, and even line ends must be equal.
func (l *locator) strictly(f *findings, readings []*reading.Reading) {
	f.exhausted = false // finding exact places takes no budget
	exact := func(p *placement) bool {
		if l.opt.ExactBytes {
			return l.asWritten(p)
		}
		// Text within lines is only found exactly, except for fragments of lines.
		return p.tier == tierExact || p.inside != nil && p.strategy != lineFragment ||
			p.kind == ofResult && len(p.reading.Habits) == 0 && p.alignment.Relation() == align.Same
	}
	if l.opt.ExactBytes && slices.ContainsFunc(f.placements, exact) {
		f.placements = slices.DeleteFunc(f.placements, func(p *placement) bool { return !exact(p) })
		return
	}
	i := slices.IndexFunc(f.placements, func(p *placement) bool { return !exact(p) })
	if i < 0 {
		return
	}
	if f.placements[i].kind == ofResult && !l.opt.ExactBytes {
		for _, v := range readings {
			if p := l.results().resultOf(v, strategy.ExactWindows, anyEvidence); p != nil {
				f.placements = []*placement{p}
				return
			}
		}
	}
	if f.near = f.placements[i]; f.near.objection == nil {
		f.near.objection = &verdict.Objection{Code: verdict.NotExact, Sure: true}
	}
	f.placements, f.truncated = nil, false
}

// asWritten reports whether SEARCH occurs at the place byte for byte.
func (l *locator) asWritten(p *placement) bool {
	switch {
	case p.tier != tierExact:
		return false
	case p.inside != nil:
		return true // unless line ends were changed to make it match, which ExactBytes forbids
	}
	return bytes.HasPrefix(l.doc.Text()[l.doc.Start(p.span().first):], p.reading.Search.Text())
}
