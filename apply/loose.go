package apply

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/strategy"
)

// loose is the search under the policy loose for what no rule finds: the nine strategies in their order, each taking the first
// candidate whose text occurs once, and the Levenshtein fallback after them. What it finds is labelled. tried are the
// strategies that were asked before.
func (l *locator) loose(vs []*reading.Reading, tried []string) findings {
	f := findings{tried: tried}
	for _, v := range vs {
		v = v.Bare()
		for _, s := range l.opt.strategies() {
			f.ran(s.Name())
			for c := range s.Candidates(l.doc, v.Search) {
				text := l.doc.Text()[c.Start:c.End]
				if len(text) == 0 || bytes.Index(l.doc.Text(), text) != bytes.LastIndex(l.doc.Text(), text) {
					if len(f.placements) < maxListed {
						f.placements = append(f.placements, l.loosely(v, c, s.Name()))
					}
					continue
				}
				f.placements = []*placement{l.loosely(v, c, s.Name())}
				return f
			}
		}
		windows := strategy.Levenshtein{Threshold: strategy.Ratio{Num: 1, Den: 1}, Reference: true}
		if l.opt.Threshold > 0 {
			windows.Threshold = strategy.RatioOf(l.opt.Threshold)
		}
		f.ran(windows.Name())
		for c := range windows.Candidates(l.doc, v.Search) {
			f.placements = []*placement{l.loosely(v, c, windows.Name())}
			return f
		}
	}
	return f
}

// loosely is the placement of a candidate span. A span inside a line has no alignment to splice by; REPLACE goes over it.
func (l *locator) loosely(v *reading.Reading, c strategy.Candidate, name string) *placement {
	p := &placement{tier: tierSimilar, strategy: name, reading: v, notes: []string{"loose match"}}
	first, last := l.doc.LineAt(c.Start), l.doc.LineAt(max(c.Start, c.End-1))
	if c.Start != l.doc.Start(first) || c.End < l.doc.End(last) {
		p.score = 1
		p.inside = &c
		p.insert = splice.Edit{Start: c.Start, End: c.End, Text: bytes.TrimSuffix(v.Replace.Text(), []byte{'\n'})}
		p.notes = append(p.notes, "only part of a line matches")
		for f := first; f <= last; f++ {
			p.alignment = append(p.alignment, align.Pair{Search: -1, File: f, Relation: align.Extra})
		}
		return p
	}
	part := strategy.NewDocument(l.doc.Text()[l.doc.Start(first):l.doc.Start(last+1)])
	p.alignment = align.Near(part, v.Search, min(0, part.Len()-v.Search.Len()), max(0, part.Len()-v.Search.Len()))
	p.score = p.alignment.Score(part, v.Search)
	for i := range p.alignment {
		if p.alignment[i].File >= 0 {
			p.alignment[i].File += first
		}
	}
	return p
}
