package apply

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// choice decides which place each block of a file gets if several fit.
type choice struct{ *file }

func (f *file) choice() choice { return choice{f} }

// choose decides which placement each item takes: its only one, the one that its hints or the
// neighbouring blocks leave, or any one if the file ends up the same. Blocks that are repeated are
// assigned in order. An item stays without a placement if nothing decides.
func (f choice) choose() {
	f.leaveMoved() // deletions of lines that an earlier run has moved already
	for _, it := range f.items {
		if len(it.found.dividers) > 1 {
			continue // it's unknown where SEARCH ends
		}
		if !it.settled && len(it.found.placements) == 1 {
			f.placeOnly(it, it.found.placements[0])
		}
	}
	f.bindCopies()
	for i, it := range f.items {
		if it.settled || it.placed != nil || len(it.found.placements) < 2 || len(it.found.dividers) > 1 {
			continue
		}
		if p, why := f.byOwnHint(it, f.snapshot.doc); p != nil {
			it.place(p, why)
			continue
		}
		if it.found.truncated || f.correctionTakes(it) {
			continue // more places may fit, or a later block decides, which repeats the change at one of them
		}
		if p := f.byOrder(i); p != nil {
			it.place(p, warning.Chosen.Say("several places fit; the neighbouring blocks leave only this one"))
		} else if f.snapshot.isSameAnywhere(it.found.placements) {
			it.place(it.found.placements[0], warning.Chosen.Say("%s places fit; "+
				"the file is the same whichever is meant", it.found.count()))
		}
	}
}

// bindCopies assigns blocks with the same SEARCH to equal places, in order: if a reply has a block
// twice and SEARCH occurs twice, the first block gets the first place. There must be at least as
// many blocks in one reply as places. Identical blocks beyond that are already applied, or are for
// a place with another indentation. If the blocks have different REPLACEs, there must be exactly as
// many as places.
func (f choice) bindCopies() {
	for i, it := range f.items {
		ps := f.inScope(it)
		if it.settled || it.placed != nil || len(ps) < 2 || it.found.truncated || it.hint > 0 ||
			ps[0].tier == tierSimilar {
			continue // similar places don't count as equal
		}
		seen := func(other *item) bool { // the group was tried, and got no places
			return !other.settled && other.placed == nil && other.isAlike(it)
		}
		if slices.ContainsFunc(f.items[:i], seen) {
			continue
		}
		same := []*item{it} // all blocks with this SEARCH
		own := 1            // how many of them are in it's reply
		equal := true       // all have the same REPLACE
		for _, other := range f.items[i+1:] {
			if other.settled || other.placed != nil || other.hint > 0 || !other.isAlike(it) {
				continue
			}
			equal = equal && bytes.Equal(other.block.Replace, it.block.Replace)
			if same = append(same, other); it.isWith(other) {
				own++
			}
		}
		if own < len(ps) || !equal && len(same) != len(ps) {
			continue
		}
		for k, s := range same {
			ordered := slices.SortedFunc(slices.Values(f.inScope(s)), func(a, b *placement) int {
				return cmp.Compare(a.span().first, b.span().first)
			})
			switch {
			case k < len(ordered):
				s.place(ordered[k], warning.Chosen.Say("blocks with one SEARCH assigned to identical places in order"))
			case len(s.block.Scope) > 0 || !s.hasPlaces(k+1):
				s.already()
				s.warn(warning.SameChange.Say("earlier blocks make the same change in all places that fit"))
			default:
				s.repeats = true // it may be for a place with another indentation
			}
		}
	}
}

// isSameAnywhere reports whether it doesn't matter which of several places is meant. Either all of
// them have the block's result, or the block only deletes lines and the file ends up the same
// whichever place is chosen, for example if two equal runs of lines are adjacent. Blocks that add
// lines don't qualify, because they would add them again each time they are applied.
func (l *locator) isSameAnywhere(ps []*placement) bool {
	open := func(p *placement) bool { // the block may change lines there
		return p.kind == ofLines && len(p.reading.Hunks()) > 0 && p.objection == nil
	}
	isDone := func(p *placement) bool {
		return p.objection == nil && (p.kind == ofResult || p.tier == tierSimilar && open(p) && l.changesNothing(p))
	}
	switch {
	case len(ps) > maxListed:
		return false
	case isDone(ps[0]):
		return !slices.ContainsFunc(ps[1:], func(p *placement) bool { return !isDone(p) })
	}
	var edits [][]splice.Edit        // for each place
	from, to := len(l.doc.Text()), 0 // the bytes that any of them changes
	for _, p := range ps {
		if !open(p) || p.reading.Adds() || !text.HasWord(p.reading.Search.Text()) {
			return false
		}
		es, _ := l.edits(p)
		if len(es) == 0 {
			return false
		}
		edits, from, to = append(edits, es), min(from, es[0].Start), max(to, es[len(es)-1].End)
	}
	first := written(l.doc.Text(), from, to, edits[0])
	return !slices.ContainsFunc(edits[1:], func(es []splice.Edit) bool {
		return !bytes.Equal(written(l.doc.Text(), from, to, es), first)
	})
}

// lineHint returns the line number that the block gives as a hint, or that was copied with its
// text, or 0.
func (it *item) lineHint() int {
	if it.hint > 0 || len(it.found.placements) == 0 || it.found.placements[0].reading == nil {
		return it.hint
	}
	return it.found.placements[0].reading.Search.Hint
}

// byOwnHint chooses one of the item's places in doc by the block's own hints: a line number, the
// end of the file, or anchors above the place. It also returns the warning that says why. If no
// hint decides, it returns nil.
func (f choice) byOwnHint(it *item, doc *strategy.Document) (*placement, string) {
	ps, b := it.found.placements, it.block
	fit := it.found.count() + " places fit"
	if p := byHint(ps, it.lineHint()); p != nil {
		return p, warning.Chosen.Say("%s; chose the one at the line hint", fit)
	}
	if b.AtEOF {
		for _, p := range ps {
			if p.span().end == doc.Len() && p.objection == nil {
				return p, warning.Chosen.Say("%s; chose the one at the end of the file", fit)
			}
		}
	}
	if line, _ := scopeOf(doc, b.Scope); line >= 0 && !it.found.truncated {
		var below *placement // the first place below the anchor
		for _, p := range ps {
			if p.span().first >= line && (below == nil || p.span().first < below.span().first) {
				below = p
			}
		}
		if below != nil && below.objection == nil {
			return below, warning.Chosen.Say("%s; chose the one below the anchor %q", fit, b.Scope[len(b.Scope)-1])
		}
	}
	return nil, ""
}

// byHint returns the one of several places that is closest to the hint, a 1-based line, if it's at
// most half as far away as any other. A hint about halfway between two places, or far from all of
// them, decides nothing: byHint returns nil. It also does if there is no hint (0), or if the closest
// place has an objection.
func byHint(ps []*placement, hint int) *placement {
	if hint <= 0 {
		return nil
	}
	ps = slices.SortedStableFunc(slices.Values(ps), func(a, b *placement) int { return a.off(hint) - b.off(hint) })
	best, second := ps[0].off(hint), ps[1].off(hint)
	if ps[0].objection != nil || 2*best > second || best == second { // both may be 0
		return nil
	}
	return ps[0]
}

// count returns the number of places, as text.
func (f *findings) count() string {
	if f.truncated {
		return fmt.Sprintf("more than %d", len(f.placements))
	}
	return fmt.Sprint(len(f.placements))
}

// off returns the distance, in lines, between the place and the hinted line.
func (p *placement) off(hint int) int {
	d := p.span().first - (hint - 1)
	return max(d, -d)
}

// isWith reports whether two items are from the same reply. The order of separate replies says
// nothing about the order of places.
func (it *item) isWith(other *item) bool { return it.block.Turn == other.block.Turn }

// byOrder returns the only placement of item i that is below the places of earlier blocks of its
// reply and above those of later ones. It returns nil if there isn't exactly one, if no such block
// has a place, or if the reply's blocks aren't in the order of the file.
func (f choice) byOrder(i int) *placement {
	free := span{0, f.snapshot.doc.Len()} // the file lines that item i may take
	bounded := false
	last := -1 // the first line of the previous block's place
	for j, it := range f.items {
		if it.placed == nil || it.placed.kind == ofEdits || !it.isWith(f.items[i]) {
			continue
		}
		at := it.placed.span()
		if at.first < last {
			return nil // the blocks are not in the order of the file
		}
		last = at.first
		if j < i {
			free.first, bounded = max(free.first, at.end), true
		} else if j > i {
			free.end, bounded = min(free.end, at.first), true
		}
	}
	if !bounded {
		return nil
	}
	var only *placement
	for _, p := range f.items[i].found.placements {
		if !p.span().within(free) {
			continue
		}
		if only != nil || p.objection != nil {
			return nil
		}
		only = p
	}
	return only
}
