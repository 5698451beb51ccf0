package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// loose searches for a block that no rule finds, under the policy loose. It tries the nine
// strategies in order for each reading, and then the Levenshtein fallback. It takes the first
// candidate whose text occurs once in the file, and returns its placement alone. If there is none,
// the result has other candidates, for the report. tried names the strategies that were already
// tried. If the budget is spent, the result has no placement and is marked as exhausted.
func (l *locator) loose(vs []*reading.Reading, tried []string) findings {
	f := findings{tried: tried}
	paid := strategy.NewBudget(l.work.places)
	if f.exhausted = !paid.Spend(l.scan()); f.exhausted {
		return f
	}
	defer func() { l.work.places = paid.Left() }()
	// Unless an option gives a threshold, the fallback takes only windows that are equal, ignoring
	// typography and the number of blanks.
	windows := strategy.Levenshtein{Threshold: strategy.Ratio{Num: 1, Den: 1}, Reference: true, Budget: paid}
	if l.opt.Threshold > 0 {
		windows.Threshold = strategy.RatioOf(l.opt.Threshold)
	}
	for _, v := range vs {
		v = v.Bare()
		all := append(slices.Clip(l.opt.strategies()), windows)
		for k, s := range all {
			f.ran(s.Name())
			for c := range s.Candidates(l.doc, v.Search) {
				if c.Start < 0 || c.End <= c.Start || c.End > len(l.doc.Text()) {
					continue // only a caller's own strategy proposes such a span
				}
				text := l.doc.Text()[c.Start:c.End]
				// A window of the fallback may also be at the line hint.
				hinted := k == len(all)-1 && v.Search.Hint == l.doc.LineAt(c.Start)+1
				taken := hinted || bytes.Index(l.doc.Text(), text) == bytes.LastIndex(l.doc.Text(), text)
				if !taken && len(f.placements) == maxListed {
					continue
				}
				p := l.loosely(v, c, s.Name())
				switch {
				case p == nil || paid.Exhausted():
					f.placements, f.exhausted = nil, true
					return f
				case taken:
					f.placements = []*placement{p}
					return f
				}
				f.placements = append(f.placements, p)
			}
		}
	}
	if f.exhausted = paid.Exhausted(); f.exhausted {
		f.placements = nil
	}
	return f
}

// loosely returns the placement of v at a candidate that the strategy called name found. If the
// candidate is part of a line, REPLACE overwrites it. Otherwise the lines are aligned and merged.
// loosely returns nil if the budget is too small to align them.
func (l *locator) loosely(v *reading.Reading, c strategy.Candidate, name string) *placement {
	p := &placement{tier: tierSimilar, strategy: name, reading: v, notes: []string{warning.Loose.Say("loose match")}}
	first, last := l.doc.LineAt(c.Start), l.doc.LineAt(c.End-1)
	if c.Start != l.doc.Start(first) || c.End < l.doc.End(last) {
		p.score = 1
		p.kind, p.inside = ofText, &c
		p.insert = splice.Edit{Start: c.Start, End: c.End, Text: bytes.TrimSuffix(v.Replace.Text(), []byte{'\n'})}
		p.notes = append(p.notes, warning.Loose.Say("only part of a line matches"))
		p.alignment = l.linesOf(c)
		return p
	}
	if p.alignment = align.Over(l.doc, v.Search, first, last+1, strategy.NewBudget(l.opt.Budget)); p.alignment == nil {
		return nil
	}
	p.score = p.alignment.Score(l.doc, v.Search)
	return p
}
