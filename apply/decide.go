package apply

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// decideExact takes all places where SEARCH occurs exactly, and returns true if there are any,
// which ends the search. If the block has a line hint and its result is there, it takes that place
// instead. It also adds places with the result if an earlier run found SEARCH at several places.
func (s *search) decideExact(found []*placement) bool {
	if !s.decideReading(distinct(found)) {
		return false
	}
	if p := s.results().appliedAtHint(s.findings); p != nil {
		s.placements = []*placement{p}
	}
	s.results().rivalResults(s.findings)
	return true
}

// decideResult takes the first place that has the block's result, and returns true, which ends the
// search. It returns false if there is none, or if the block still has something to change
// elsewhere.
func (s *search) decideResult(found []*placement) bool {
	return len(found) > 0 && !s.results().isOpenElsewhere(s.readings, found[0]) && s.decideFirst(found)
}

// decideLines takes the places whose lines are shifted least, and returns true if there are any,
// which ends the search. It rejects a single place where the block only seems to fit; see
// doubtShifted. It adds places with the block's result if an earlier run found SEARCH at several
// places.
func (s *search) decideLines(found []*placement) bool {
	if !s.decideReading(s.leastShifted(distinct(found))) {
		return false
	}
	s.doubtShifted()
	s.results().rivalResults(s.findings)
	return true
}

// decideFirst takes the first place, and returns true if there is one, which ends the search.
func (s *search) decideFirst(found []*placement) bool {
	s.placements = found[:min(1, len(found))]
	return len(found) > 0
}

// decideUnlessNear takes the first place, which has the block's result, unless s.near is another
// place that has SEARCH except for typos and punctuation. In that case it takes none, because the
// block may still have to be applied at s.near. It returns true, which ends the search, if any
// place was found, even if none is taken.
func (s *search) decideUnlessNear(found []*placement) bool {
	if s.decideFirst(found) && s.near != nil && !s.near.overlaps(found[0]) &&
		s.judge.HasWords(s.near.reading, s.near.alignment) {
		s.placements = nil
	}
	return len(found) > 0
}

// decideReading takes all places, and returns true if there are any, which ends the search. If
// several readings match at one place, the one with the longest SEARCH wins, because the others
// mistake part of that SEARCH for lines to add. If places are left whose readings have different
// dividers, nothing shows which divider is right, and s.dividers lists them.
func (s *search) decideReading(all []*placement) bool {
	s.placements = all
	if len(all) < 2 || !slices.ContainsFunc(all, func(p *placement) bool { return p.reading != all[0].reading }) {
		return len(all) > 0
	}
	s.placements = slices.DeleteFunc(slices.Clone(all), func(p *placement) bool {
		return slices.ContainsFunc(all, func(q *placement) bool {
			return q.reading.Search.Len() > p.reading.Search.Len() && q.span().first == p.span().first
		})
	})
	var vs []*reading.Reading
	for _, p := range s.placements {
		vs = append(vs, p.reading)
	}
	if d := dividers(vs); len(d) > 1 {
		s.dividers = d
	}
	return true
}

// dividers returns the lines that the readings treat as the divider, in order and without
// duplicates.
func dividers(vs []*reading.Reading) (out []int) {
	for _, v := range vs {
		out = append(out, v.Divider)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// doubtShifted rejects the only place, by moving it from s.placements to s.near, if three
// conditions hold: it has SEARCH at another depth, the block keeps no line, and the block's exact
// result is elsewhere in the file. In that case the block was probably applied there, and the
// rejected place only looks similar.
func (s *search) doubtShifted() {
	p := s.placements[0]
	if len(s.placements) > 1 || p.alignment.Relation() != align.Indented || p.reading.Keeps() {
		return
	}
	for _, v := range s.readings {
		if s.results().already(v, strategy.ExactWindows, onlyDistinctive) != nil {
			p.objection = &verdict.Objection{Code: verdict.PartlyThere}
			s.near, s.placements = p, nil
			return
		}
	}
}

// leastShifted drops the places whose lines are shifted more than those of another place. A place
// where more than blanks at line ends differs is dropped only if another place isn't shifted. If the
// list may be incomplete, nothing is dropped.
func (l *locator) leastShifted(ps []*placement) (out []*placement) {
	if len(ps) < 2 || len(ps) > maxCandidates(ps[0].reading) {
		return ps
	}
	shifts := make([]shift, len(ps))
	for i, p := range ps {
		shifts[i] = l.shiftOf(p)
	}
	least := slices.Min(shifts)
	for i, p := range ps {
		if shifts[i] == least || shifts[i] == differs && least > unshifted {
			out = append(out, p)
		}
	}
	return out
}

// shift says how the lines of SEARCH differ from those at a place, the least first.
type shift uint8

const (
	unshifted shift = iota // at most in blanks at line ends
	evenly                 // all have the same number of blanks more or less before them
	unevenly               // in indentation
	differs                // in more, or SEARCH fits only without a habit
)

// shiftOf returns how SEARCH is shifted at p.
func (l *locator) shiftOf(p *placement) shift {
	search, worst := p.reading.Search, p.alignment.Relation()
	switch {
	case len(p.reading.Habits) > 0 || worst > align.Indented:
		return differs
	case worst <= align.Trailing:
		return unshifted
	}
	by := map[int]bool{} // how much deeper lines are in the file
	for _, q := range p.alignment {
		if line := search.Line(q.Search); !text.Blank(line) {
			s, f := text.Margin(line), text.Margin(l.doc.Line(q.File))
			if by[len(f)-len(s)] = true; len(by) > 1 || !bytes.HasSuffix(f, s) && !bytes.HasSuffix(s, f) {
				return unevenly
			}
		}
	}
	return evenly
}

// distinct returns the first placement of each span.
func distinct(ps []*placement) (out []*placement) {
	if len(ps) < 2 {
		return ps
	}
	seen := map[span]bool{}
	for _, p := range ps {
		if at := p.span(); !seen[at] {
			seen[at] = true
			out = append(out, p)
		}
	}
	return out
}

// decideSimilar takes the place with the highest score that has no objection, and all other places
// that fit about as well, which makes the block ambiguous. It returns true if it takes any, which
// ends the search. Otherwise it stores the best place with an objection in s.near.
func (s *search) decideSimilar(found []*placement) bool {
	slices.SortStableFunc(found, func(a, b *placement) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.span().first, b.span().first))
	})
	for i, p := range found {
		if s.examine(p); p.objection != nil {
			if s.near == nil || p.score > s.near.score {
				s.near = p
			}
			continue
		}
		s.placements = []*placement{p}
		for j, q := range found {
			if j != i && !p.overlaps(q) && !s.judge.Dominates(p.fit(), q.fit()) {
				// A place that lacks changed lines isn't a rival, unless it shows more of SEARCH.
				if s.examine(q); !lacksChanged(q.objection) || q.fit().ShowsMore(p.fit()) {
					s.placements = append(s.placements, q)
				}
			}
		}
		s.truncated = s.more && len(s.placements) > 1
		if len(s.placements) > 1 {
			for _, q := range s.placements {
				if q.objection == nil && q.kind != ofResult {
					// If the line with the name is missing, a hint may not choose this place.
					q.objection = s.judge.Nameless(q.reading.Search, q.alignment)
				}
			}
		}
		// If exactly one of several equally good places shows that the block was already applied,
		// that place is meant.
		applied := slices.DeleteFunc(slices.Clone(s.placements), func(q *placement) bool {
			return q.objection != nil || q.kind != ofResult
		})
		if len(applied) == 1 {
			s.placements = applied
		}
		s.placements = s.unlessBefore(s.placements, found)
		return true
	}
	return false
}

// lacksChanged reports whether the objection says that the place lacks a line that the block
// changes. Such a place is unlikely to be the one that is meant.
func lacksChanged(o *verdict.Objection) bool { return o != nil && o.Code == verdict.LineMissing }

// unlessBefore drops the places where the block has nothing to change, if one of the places found
// has SEARCH except for typos and punctuation, and no objection. The block must still be applied at
// that one, and the apparent result is just a similar line. It returns the remaining places and all
// those that have SEARCH.
func (l *locator) unlessBefore(places, found []*placement) []*placement {
	if !slices.ContainsFunc(places, l.changesNothing) {
		return places
	}
	rest := slices.DeleteFunc(slices.Clone(places), l.changesNothing)
	before := false // a place has SEARCH, so the block isn't applied there
	for _, q := range found {
		if !l.judge.HasWords(q.reading, q.alignment) {
			continue
		}
		if l.examine(q); q.objection != nil || l.changesNothing(q) {
			continue
		}
		before = true
		if !slices.ContainsFunc(rest, func(p *placement) bool { return p.overlaps(q) }) {
			rest = append(rest, q)
		}
	}
	if !before {
		return places
	}
	return rest
}

// changesNothing reports whether p has no objection and the file already has the block's result
// there.
func (l *locator) changesNothing(p *placement) bool {
	if p.objection != nil {
		return false
	}
	if p.kind == ofResult {
		return true
	}
	edits, _ := l.edits(p)
	return !slices.ContainsFunc(edits, func(e splice.Edit) bool {
		return !bytes.Equal(e.Text, l.doc.Text()[e.Start:e.End])
	})
}

// examine sets p.objection, and marks p as a result if the block was already applied there.
func (l *locator) examine(p *placement) {
	l.settleIndent(p)
	if p.objection = l.judge.Remote(p.score); p.objection != nil {
		return
	}
	s := l.splicer(p)
	if s.IsDone() && s.DoneAdds > 0 {
		p.kind, p.tier = ofResult, tierNormalized
	}
	p.objection = l.judge.Objection(s, p.score)
}

// fit returns how p's block fits there.
func (p *placement) fit() verdict.Fit {
	return verdict.Fit{Search: p.reading.Search, Alignment: p.alignment, Score: p.score}
}

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
