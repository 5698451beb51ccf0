package apply

import (
	"bytes"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/omission"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// tier is how strong the evidence for a placement is.
type tier uint8

const (
	tierExact tier = iota
	// tierNormalized: equal after one named normalisation.
	tierNormalized
	// tierSimilar: equal except for slips, and for context that drifted.
	tierSimilar
)

// kind is what a placement is.
type kind uint8

const (
	// ofLines: the alignment pairs the lines of SEARCH with those of the file.
	ofLines kind = iota
	// ofText: a span of text that need not be whole lines; the alignment only says which lines it
	// is in.
	ofText
	// ofResult: what the block makes of SEARCH is there already, as lines or as a part of some.
	ofResult
	// ofEdits: a rule of its own has made the item's edits, and there is no alignment.
	ofEdits
)

// placement is a place the block fits, and how it fits there.
type placement struct {
	kind     kind
	tier     tier
	strategy string // the stage that found it; of a result, how its lines match
	score    float64
	reading  *reading.Reading
	// written is the reading before its SEARCH got the file's margins, nil where it has not.
	written   *reading.Reading
	alignment align.Alignment
	notes     []string
	elided    bool // the file's lines that the alignment has besides SEARCH's are those SEARCH leaves out
	// inside is the part of the text, nil for whole lines, and insert is what replaces it.
	inside *strategy.Candidate
	insert splice.Edit
	// margins are those that REPLACE's lines get, nil for their own; rival are others that are as
	// good. Both are known once indented is set.
	margins, rival [][]byte
	indented       bool
	// objection is what speaks against the place, nil if nothing does. Such a place is never taken,
	// but it may make another one ambiguous.
	objection *verdict.Objection
}

// span is a range of file lines, 0-based, end exclusive.
type span struct{ first, end int }

// span is the file lines of the place.
func (p *placement) span() (first, end int) { return p.alignment.Span() }

// findings are what a search for one block gives: the placements of the level that decided, and for
// reports what else came near.
type findings struct {
	placements []*placement
	// near is the best place with an objection, and passed are others, where it depends on that
	// which is meant.
	near   *placement
	passed []*placement
	tried  []string
	// exhausted says that the budget ended the search.
	exhausted bool
	// truncated says that there may be more places than placements lists: those nearest to the
	// hint, or the first.
	truncated bool
	// dividers are the lines of the reply that may be the block's divider, if its readings could
	// not be distinguished.
	dividers []int

	// next is the level of the cascade to go on with; 0 where the search is over.
	next int
	// readings are the ways to read the block, and undone are those, each followed by itself
	// without habits of models.
	readings, undone []*reading.Reading
	// scans says whether the search may look at the whole document, and scanned what it took of
	// [allowance.scans] for that.
	scans   bool
	scanned int64
}

// isOpen reports whether the search waits at a slow level.
func (f *findings) isOpen() bool { return f.next > 0 }

// locator searches one document.
type locator struct {
	doc     *strategy.Document
	path    string // of the file
	judge   *verdict.Judge
	remarks *omission.File // how remarks of the file are read
	unit    func() []byte  // see [splice.Unit]
	opt     *Options
	levels  []level
	work    *allowance       // of the run
	budget  *strategy.Budget // of the block that is looked for
	// wasAmbiguous reports whether an earlier run found SEARCH at several places; nil where nothing
	// is known of any.
	wasAmbiguous func(search []byte) bool
}

func (r *run) newLocator(doc *strategy.Document, path string) *locator {
	return &locator{
		doc: doc, path: path, judge: verdict.NewJudge(doc, path, r.opt.Threshold),
		remarks: omission.NewFile(path), unit: splice.Unit(doc), opt: r.opt, levels: r.engine.levels, work: r.work,
	}
}

// What answers one question about the document has a type of its own.
func (l *locator) results() results       { return results{l} }
func (l *locator) textSearch() textSearch { return textSearch{l} }
func (l *locator) advice() advice         { return advice{l} }

// findQuick is [locator.quick] for the item's block, within what the run has left for scans.
func (l *locator) findQuick(it *item) findings { return l.paidQuick(it.readings()...) }

func (l *locator) paidQuick(readings ...*reading.Reading) findings {
	f := l.quick(readings, l.work.scans > 0)
	l.work.scans -= f.scanned
	return f
}

// findSlow is [locator.slow] for the item's block, within the block's share of the work.
func (l *locator) findSlow(it *item) findings {
	share := l.work.share(l.opt.Budget)
	l.work.searches--
	f, work := l.slow(it.found, share)
	l.work.places -= work
	return f
}

// quick asks the levels of the cascade that all blocks go through. If scans is not set, it stops
// before it looks at the whole document.
func (l *locator) quick(readings []*reading.Reading, scans bool) findings {
	f := findings{readings: l.withoutRepeats(readings), scans: scans}
	(&search{locator: l, findings: &f, pick: nearestToHint}).descend(false)
	return f
}

// slow goes on with a search that is open, as far as the block's share of the work goes. It says
// what it took of that. Under the policy loose other searches may follow where it finds nothing.
func (l *locator) slow(f findings, share int64) (found findings, work int64) {
	l.budget = strategy.NewBudget(share)
	if l.budget.Spend(scanCost * int64(l.doc.Len())) {
		(&search{locator: l, findings: &f, pick: nearestToHint}).descend(true)
	}
	f.next = 0
	if f.exhausted = l.budget.Exhausted(); f.exhausted {
		f.placements = nil // a place that was not looked at may fit as well
	}
	return f, share - l.budget.Left()
}

// scanCost is what the strategies take that look at every line, in units of the budget for each
// line.
const scanCost = 4

// scan is what it takes to read the whole document and to index it.
func (l *locator) scan() int64 { return scanCost*int64(l.doc.Len()) + int64(len(l.doc.Text()))/16 }

// withoutRepeats drops readings that would write the line after their place a second time. Such a
// reading adds lines that a longer one, which begins with the same SEARCH, takes for lines of the
// file, and the file has the first of them there, in all places of SEARCH.
func (l *locator) withoutRepeats(readings []*reading.Reading) []*reading.Reading {
	if len(readings) < 2 {
		return readings
	}
	repeats := func(short, long *strategy.Pattern) bool {
		n := short.Len()
		if n == 0 || n >= long.Len() || !text.HasWord(long.Line(n)) || !bytes.HasPrefix(long.Text(), short.Text()) {
			return false
		}
		places := slices.Collect(strategy.KeyWindows(l.doc, short))
		return len(places) > 0 && slices.Equal(places, slices.Collect(strategy.KeyWindows(l.doc, long.Slice(0, n+1))))
	}
	return slices.DeleteFunc(slices.Clone(readings), func(v *reading.Reading) bool {
		return slices.ContainsFunc(readings, func(w *reading.Reading) bool { return repeats(v.Search, w.Search) })
	})
}

// mayScan reports whether the search may look at the whole document, and reads the block without
// habits of models. Without work left for it the search ends.
func (s *search) mayScan() bool {
	if s.exhausted = !s.scans; s.exhausted {
		return false
	}
	for _, v := range s.readings {
		s.undone = append(append(s.undone, v), reading.Undone(s.doc, s.path, v)...)
	}
	return true
}

// pays notes that the levels from here on read the whole document.
func (s *search) pays() bool {
	s.scanned = s.scan() / 2
	return true
}

// mayCompare reports whether similarity can show the block's place. It does not show where SEARCH
// ends, nor up to where SEARCH leaves lines out.
func (s *search) mayCompare() bool {
	if s.dividers = dividers(s.readings); len(s.dividers) > 1 {
		return false
	}
	s.dividers = nil
	return s.near == nil || !s.near.elided
}

// exactly finds the places where SEARCH occurs byte for byte.
func (s *search) exactly(by strategy.Strategy, v *reading.Reading) (out []*placement) {
	for _, first := range s.pick(v)(s.verbatim(v.Search, by.Candidates(s.doc, v.Search))) {
		out = append(out, &placement{
			tier: tierExact, strategy: by.Name(), score: 1, reading: v, alignment: align.Exact(v.Search.Len(), first),
		})
	}
	return out
}

// verbatim are the first lines of those candidates that have the lines of search, as a strategy of
// somebody else's may be wrong.
func (l *locator) verbatim(search *strategy.Pattern, cs iter.Seq[strategy.Candidate]) iter.Seq[int] {
	text := bytes.TrimSuffix(search.Text(), []byte{'\n'})
	return func(yield func(int) bool) {
		for c := range cs {
			if c.Start < 0 || c.End < c.Start || c.End > len(l.doc.Text()) {
				continue
			}
			first := l.doc.LineAt(c.Start)
			ok := c.Start == l.doc.Start(first) && first+search.Len() <= l.doc.Len()
			if ok && !bytes.Equal(l.doc.Text()[c.Start:c.End], text) { // the line ends may differ
				for i := 0; ok && i < search.Len(); i++ {
					ok = bytes.Equal(search.Line(i), l.doc.Line(first+i))
				}
			}
			if ok && !yield(first) {
				return
			}
		}
	}
}

// wholeLines finds the places that a strategy proposes where the file has every line of SEARCH,
// except for blanks, and for blank lines at its ends.
func (s *search) wholeLines(by strategy.Strategy, v *reading.Reading) (out []*placement) {
	type fit struct {
		end     int
		reading *reading.Reading
	}
	fits := map[int]fit{} // by first line
	places := func(yield func(int) bool) {
		for c := range strategy.Proposals(by, s.doc, v.Search) {
			place, ok := s.spanOf(c)
			if !ok {
				continue
			}
			w := s.readAt(v, place)
			if w == nil && place.end < s.doc.Len() && s.doc.End(place.end) == c.End {
				place.end++ // an empty line
				w = s.readAt(v, place)
			}
			if w != nil {
				if fits[place.first] = (fit{place.end, w}); !yield(place.first) {
					return
				}
			}
		}
	}
	for _, first := range s.pick(v)(places) {
		w := fits[first].reading
		out = s.addLines(out, by.Name(), w, align.Whole(s.doc, w.Search, first, fits[first].end))
	}
	return out
}

// readAt is v, or v without a habit of models, if the file has all of its lines at the place; nil
// if not.
func (s *search) readAt(v *reading.Reading, place span) *reading.Reading {
	for at := slices.Index(s.undone, v); at < len(s.undone); at++ {
		w := s.undone[at]
		if w != v && slices.Contains(s.readings, w) {
			break
		}
		if align.IsWhole(s.doc, w.Search, place.first, place.end) {
			return w
		}
	}
	return nil
}

// spanOf is the span of the candidate; ok is false where it begins or ends inside a line, or
// outside of the document.
func (l *locator) spanOf(c strategy.Candidate) (s span, ok bool) {
	if c.Start < 0 || c.End <= c.Start || c.End > len(l.doc.Text()) {
		return span{}, false
	}
	first, last := l.doc.LineAt(c.Start), l.doc.LineAt(c.End-1)
	return span{first, last + 1}, c.Start == l.doc.Start(first) && c.End >= l.doc.End(last)
}

// cutLine finds the places where SEARCH begins or ends inside of a line.
func (s *search) cutLine(v *reading.Reading) (out []*placement) {
	cs := v.Hunks()
	for a := range align.WithCutLine(s.doc, v.Search) {
		last := a[len(a)-1]
		if len(cs) > 0 && (a[0].Relation == align.Partial && cs[0].S0 == 0 ||
			last.Relation == align.Partial && cs[len(cs)-1].S1 == v.Search.Len()) {
			continue // what is beyond a line that is cut is not known
		}
		if out = s.addLines(out, cutLine, v, a); len(out) > 4*maxCandidates(v) {
			break
		}
	}
	for _, p := range out {
		a := p.alignment
		if last := a[len(a)-1]; last.Relation == align.Partial {
			p.notes = append(p.notes, warning.Fragment.Say(
				"line %d of the file goes on where SEARCH ends, and stays whole", last.File+1))
		}
	}
	return out
}

// addLines appends the place of an alignment that has all lines of SEARCH.
func (s *search) addLines(out []*placement, name string, v *reading.Reading, a align.Alignment) []*placement {
	if a.Relation() == align.Indented && v.DeletesOneLine() {
		return out // one like it, see verdict.LineDiffers
	}
	return append(out, &placement{
		tier: tierNormalized, strategy: name, score: 1, reading: v, alignment: a, notes: repairs(v),
	})
}

// decideExact compares the places where SEARCH occurs exactly.
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

// decideResult takes the result of the block if nothing is left for the block to do.
func (s *search) decideResult(found []*placement) bool {
	return len(found) > 0 && !s.results().isOpenElsewhere(s.readings, found[0]) && s.decideFirst(found)
}

// decideLines takes the places whose lines are shifted least.
func (s *search) decideLines(found []*placement) bool {
	if !s.decideReading(s.leastShifted(unlessMissing(distinct(found)))) {
		return false
	}
	s.doubtShifted(s.findings, s.readings)
	s.results().rivalResults(s.findings)
	return true
}

// decideFirst takes the first place.
func (s *search) decideFirst(found []*placement) bool {
	s.placements = found[:min(1, len(found))]
	return len(found) > 0
}

// decideAny takes all places.
func (s *search) decideAny(found []*placement) bool {
	s.placements = found
	return len(found) > 0
}

// decideUnlessNear takes the first place, a result of the block. It counts for nothing if another
// place has SEARCH except for slips and marks: that may be the one which the block means.
func (s *search) decideUnlessNear(found []*placement) bool {
	if s.decideFirst(found) && s.near != nil && !overlapping(s.near, found[0]) &&
		s.judge.HasWords(s.near.reading, s.near.alignment) {
		s.placements = nil
	}
	return len(found) > 0
}

// decideReading takes the places. Of the readings that are found at one place, the one with the
// longest SEARCH counts, because the others take a part of it for lines to add. Readings found at
// different places cannot be distinguished.
func (s *search) decideReading(all []*placement) bool {
	s.placements = all
	if len(all) < 2 || !slices.ContainsFunc(all, func(p *placement) bool { return p.reading != all[0].reading }) {
		return len(all) > 0
	}
	s.placements = slices.DeleteFunc(slices.Clone(all), func(p *placement) bool {
		return slices.ContainsFunc(all, func(q *placement) bool {
			return q.reading.Search.Len() > p.reading.Search.Len() && first(q) == first(p)
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

// dividers are the different lines that the readings take for the divider, in order.
func dividers(vs []*reading.Reading) []int {
	var out []int
	for _, v := range vs {
		if !slices.Contains(out, v.Divider) {
			out = append(out, v.Divider)
		}
	}
	slices.Sort(out)
	return out
}

// doubtShifted gives a place up that has SEARCH at another depth, if the block keeps no line and
// its result occurs elsewhere, byte for byte: then the place is one more like that which the block
// was for.
func (l *locator) doubtShifted(f *findings, readings []*reading.Reading) {
	p := f.placements[0]
	if len(f.placements) > 1 || p.alignment.Relation() != align.Indented || p.reading.Keeps() {
		return
	}
	for _, v := range readings {
		if l.results().already(v, strategy.ExactWindows, true) != nil {
			p.objection = &verdict.Objection{Code: verdict.PartlyThere}
			f.near, f.placements = p, nil
			return
		}
	}
}

// repairs are the notes on the habits that are undone in v.
func repairs(v *reading.Reading) []string {
	var out []string
	for _, name := range v.Habits {
		out = append(out, warning.Repaired.Say("%s", name))
	}
	return out
}

// leastShifted drops the places whose lines are shifted more than those of another: trailing blanks
// alone go before a shift of all lines, and that before an uneven one. Where more than blanks
// differ, only trailing blanks say enough. Of places that may not be all, none goes.
func (l *locator) leastShifted(ps []*placement) []*placement {
	if len(ps) < 2 || len(ps) > maxCandidates(ps[0].reading) {
		return ps
	}
	shifts := make([]align.Shift, len(ps))
	for i, p := range ps {
		if shifts[i] = align.Beyond; len(p.reading.Habits) == 0 {
			shifts[i] = p.alignment.Shift(l.doc, p.reading.Search)
		}
	}
	least := slices.Min(shifts)
	var out []*placement
	for i, p := range ps {
		if shifts[i] == least || shifts[i] == align.Beyond && least > align.NoShift {
			out = append(out, p)
		}
	}
	return out
}

// unlessMissing drops the places that lack blank lines of SEARCH, if others lack none.
func unlessMissing(ps []*placement) []*placement {
	if len(ps) < 2 {
		return ps
	}
	lacks := func(p *placement) bool { return p.alignment.Relation() == align.Missing }
	if whole := slices.DeleteFunc(slices.Clone(ps), lacks); len(whole) > 0 {
		return whole
	}
	return ps
}

// distinct keeps the first placement of each span.
func distinct(ps []*placement) (out []*placement) {
	if len(ps) < 2 {
		return ps
	}
	seen := map[span]bool{}
	for _, p := range ps {
		first, end := p.span()
		if !seen[span{first, end}] {
			seen[span{first, end}] = true
			out = append(out, p)
		}
	}
	return out
}
