package apply

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// maxRegions bounds the candidates of the similarity tier that are aligned.
const maxRegions = 24

// conclusive is a part of SEARCH's weight. Where one region has that much of it, a place without any line of SEARCH cannot
// come near, so such places are not searched.
const conclusive = 0.25

// similar searches for places that are equal except for slips and drift. All candidates are ranked by one score. The best one
// with no objection is the placement, unless another one fits about as well.
func (l *locator) similar(vs []*reading.Reading, f *findings) {
	var found []*placement
	more := false
	for _, v := range vs {
		ps, cut := l.candidates(f, v)
		found, more = append(found, ps...), more || cut
	}
	slices.SortStableFunc(found, func(a, b *placement) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(first(a), first(b)))
	})
	for i, p := range found {
		if l.judge(p); p.objection != nil {
			if f.near == nil || p.score > f.near.score {
				f.near = p
			}
			continue
		}
		f.placements = []*placement{p}
		for j, q := range found {
			if j != i && !overlapping(p, q) && !l.dominates(p, q) {
				l.judge(q)
				f.placements = append(f.placements, q)
			}
		}
		f.truncated = more && len(f.placements) > 1
		if len(f.placements) > 1 {
			for _, q := range f.placements {
				l.objectToNameless(q)
			}
		}
		// If exactly one of several equally good places shows the block applied already, that one is meant.
		applied := slices.DeleteFunc(slices.Clone(f.placements), func(q *placement) bool {
			return q.objection != nil || q.tier != tierAlready
		})
		if len(applied) == 1 {
			f.placements = applied
		}
		return
	}
}

// objectToNameless objects to p if it lacks a line of SEARCH that names a record: that line would distinguish several places, so no
// hint may choose instead.
func (l *locator) objectToNameless(p *placement) {
	if p.tier == tierAlready {
		return // what the block has changed is gone
	}
	for _, q := range p.alignment {
		if q.Relation == align.Missing && heads(p.reading.Search.Document, q.Search) && p.objection == nil {
			p.objection = &Objection{Code: NoHead, Search: q.Search + 1}
		}
	}
}

// judge asks the guards whether p may be taken.
func (l *locator) judge(p *placement) {
	l.settleIndent(p)
	p.objection = l.guard(p)
	if p.objection == nil && l.opt.Threshold > p.score {
		p.objection = objection(BelowThreshold)
	}
}

func first(p *placement) int { f, _ := p.span(); return f }

func overlapping(p, q *placement) bool {
	p0, p1 := p.span()
	q0, q1 := q.span()
	return p0 < q1 && q0 < p1
}

// candidates aligns the reading with every region of the document in which its lines gather. more says that there are further
// regions as good as the best one.
func (l *locator) candidates(f *findings, v *reading.Reading) (out []*placement, more bool) {
	if v.Search.Len() == 0 {
		return nil, false
	}
	c := &collector{l: l, v: v, taken: map[span]bool{}}
	proposed := l.ask(f, v, strategy.Lines)
	for _, p := range proposed[:min(len(proposed), maxRegions)] {
		c.name = p.strategy
		c.explore(strategy.Region{Low: p.first, High: max(p.first, p.end-v.Search.Len())}, 0, l.doc.Len())
	}
	f.ran(fallback)
	c.name = fallback
	regions, more := firstRegions(strategy.Regions(l.doc, v.Search, maxRegions+1))
	if len(regions) == 0 || regions[0].Votes < conclusive*v.Weight() {
		similar, cut := firstRegions(strategy.SimilarRegions(l.doc, v.Search, maxRegions+1, l.budget))
		regions, more = append(regions, similar...), more || cut
	}
	for _, r := range regions {
		c.explore(r, 0, l.doc.Len())
	}
	return c.out, more
}

// firstRegions drops the regions beyond maxRegions, and reports whether one of those is as good as the first.
func firstRegions(regions []strategy.Region) ([]strategy.Region, bool) {
	if len(regions) <= maxRegions {
		return regions, false
	}
	return regions[:maxRegions], regions[maxRegions].Votes == regions[0].Votes
}

// collector gathers the places of one reading.
type collector struct {
	l     *locator
	v     *reading.Reading
	taken map[span]bool
	name  string // of what proposes
	out   []*placement
}

// explore aligns the reading with region r, within the document lines from to to-1. Then it explores the rest of the region
// before and after the place it found: equal places may be so close that one region covers them.
func (c *collector) explore(r strategy.Region, from, to int) {
	a := align.Within(c.l.doc, c.v.Search, r.Low, r.High, from, to, c.l.budget)
	first, end := a.Span()
	if first < 0 {
		return
	}
	score := a.Score(c.l.doc, c.v.Search)
	if score < minScore/2 {
		return
	}
	if !c.taken[span{first, end}] {
		c.taken[span{first, end}] = true
		p := &placement{tier: tierSimilar, reading: c.v, alignment: a, score: score, strategy: c.name}
		if c.v.Habit != "" {
			p.notes = append(p.notes, "repaired: "+c.v.Habit)
		}
		c.out = append(c.out, p)
	}
	if r.Low < first {
		c.explore(strategy.Region{Low: r.Low, High: min(r.High, first-1)}, from, first)
	}
	if r.High > first {
		c.explore(strategy.Region{Low: max(r.Low, first+1), High: r.High}, end, to)
	}
}

// dominates reports whether p is clearly a better place than q. Only lines in which the two differ count: the weight of those
// where p fits better must be a multiple of the weight of those where q does.
func (l *locator) dominates(p, q *placement) bool {
	if p.reading.Search.Len() != q.reading.Search.Len() {
		return p.score > q.score
	}
	ps, qs := p.alignment.BySearch(p.reading.Search.Len()), q.alignment.BySearch(q.reading.Search.Len())
	better, worse := 0.0, 0.0
	for i := range ps {
		line := p.reading.Search.Line(i)
		if l.alike(line, p.opposite(l.doc, ps, i), q.opposite(l.doc, qs, i)) {
			continue // two other names: neither is nearer because its letters are
		}
		w := float64(text.Weight(line))
		d := p.alignment[ps[i]].Similarity - q.alignment[qs[i]].Similarity
		if d > 0 {
			better += w * d
		} else {
			worse -= w * d
		}
	}
	// Lines of the file that SEARCH does not have speak against a place.
	if d := p.foreign(l.doc) - q.foreign(l.doc); d < 0 {
		better -= d
	} else {
		worse += d
	}
	return better > marginFactor*worse && better >= marginMin
}

// alike reports whether line differs from one and from other in the same thing, or is the beginning of both.
func (l *locator) alike(line, one, other []byte) bool {
	if one == nil || other == nil {
		return false
	}
	t := bytes.TrimSpace(line)
	one, other = bytes.TrimSpace(one), bytes.TrimSpace(other)
	if bytes.Equal(t, one) || bytes.Equal(t, other) {
		return false
	}
	if bytes.HasPrefix(one, t) && bytes.HasPrefix(other, t) {
		return true
	}
	f, ok := templateOf(line, one)
	return ok && f.matches(other) && (l.words.compare(t, one, false) == slip) == (l.words.compare(t, other, false) == slip)
}

// opposite is the file line that SEARCH line i is paired with, or else the one in its place, next to the partner of the SEARCH
// line before or after it; nil if there is none, or if it is equal. at[i] is the pair of SEARCH line i.
func (p *placement) opposite(doc *strategy.Document, at []int, i int) []byte {
	switch q := p.alignment[at[i]]; {
	case q.Relation == align.Similar:
		return doc.Line(q.File)
	case q.Relation != align.Missing:
		return nil
	}
	if i > 0 {
		if f := p.alignment[at[i-1]].File; f >= 0 && f+1 < doc.Len() {
			return doc.Line(f + 1)
		}
	}
	if i+1 < len(at) {
		if f := p.alignment[at[i+1]].File; f > 0 {
			return doc.Line(f - 1)
		}
	}
	return nil
}

// foreign is the weight of the file's extra lines between those of SEARCH. Their number counts, but hardly their length, which
// says nothing about the place.
func (p *placement) foreign(doc *strategy.Document) float64 {
	sum := 0.0
	for _, q := range p.alignment {
		if q.Relation == align.Extra {
			sum += float64(min(text.Weight(doc.Line(q.File)), 4)) / 2
		}
	}
	return sum
}
