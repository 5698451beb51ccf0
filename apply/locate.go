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

// tier is how strong the evidence for a place is.
type tier uint8

const (
	tierExact tier = iota
	// tierNormalized: equal after one named normalisation.
	tierNormalized
	// tierSimilar: equal except for typos and for context that has changed.
	tierSimilar
)

// kind is what a placement consists of.
type kind uint8

const (
	// ofLines: lines of SEARCH are aligned with lines of the file.
	ofLines kind = iota
	// ofText: a span of text that needn't be whole lines. The alignment only says which lines it's
	// in.
	ofText
	// ofResult: the block's result is already there, as lines or as part of a line.
	ofResult
	// ofEdits: a special rule made the edits, and there's no alignment.
	ofEdits
)

// placement is a place for the block, and how the block fits there.
type placement struct {
	kind     kind
	tier     tier
	strategy string // the stage that found it; of a result, how its lines match
	score    float64
	reading  *reading.Reading
	// written is the reading before its SEARCH got the file's indentation; nil if it didn't.
	written   *reading.Reading
	alignment align.Alignment
	notes     []string
	elided    bool // the file's lines that the alignment has besides SEARCH's are those SEARCH leaves out
	// inside is the part of the text that is matched, nil for whole lines. insert replaces it.
	inside *strategy.Candidate
	insert splice.Edit
	// margins are the indentations of REPLACE's lines, nil to keep their own. rival are others that
	// are equally good. Both are valid once indented is set.
	margins, rival [][]byte
	indented       bool
	// objection is the reason against this place, if any. Such a place is never taken, but it can
	// make another one ambiguous.
	objection *verdict.Objection
}

// span is a range of file lines: 0-based, end exclusive.
type span struct{ first, end int }

// span returns the file lines of the place.
func (p *placement) span() (first, end int) { return p.alignment.Span() }

// findings are the result of the search for one block: the places of the level that decided, and
// near misses for the report.
type findings struct {
	placements []*placement
	// near is the best place with an objection. passed are others, kept because the report depends
	// on which of them is meant.
	near   *placement
	passed []*placement
	tried  []string
	// exhausted is set if the search ran out of budget.
	exhausted bool
	// truncated is set if there may be more places than those in placements, which are then the
	// nearest to the hint, or the first.
	truncated bool
	// dividers are the lines of the reply that could be the block's divider, if its readings
	// couldn't be told apart.
	dividers []int

	// next is the level of the cascade to continue with, or 0 if the search is over.
	next int
	// readings are the ways to read the block. undone has each of them, followed by the same
	// without habits of models.
	readings, undone []*reading.Reading
	// scans is set if the search may look at the whole document. scanned is how much of
	// [allowance.scans] that took.
	scans   bool
	scanned int64
}

// isOpen reports whether the search is waiting at a slow level.
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
	// wasAmbiguous reports whether an earlier run found SEARCH at several places. Nil if no earlier
	// runs are known.
	wasAmbiguous func(search []byte) bool
}

func (r *run) newLocator(doc *strategy.Document, path string) *locator {
	return &locator{
		doc: doc, path: path, judge: verdict.NewJudge(doc, path, r.opt.Threshold),
		remarks: omission.NewFile(path), unit: splice.Unit(doc), opt: r.opt, levels: r.engine.levels, work: r.work,
	}
}

// Each question about the document is answered by a type of its own.
func (l *locator) results() results       { return results{l} }
func (l *locator) textSearch() textSearch { return textSearch{l} }
func (l *locator) advice() advice         { return advice{l} }

// findQuick calls quick for the item's block, within the run's remaining budget for scans.
func (l *locator) findQuick(it *item) findings { return l.paidQuick(it.readings()...) }

func (l *locator) paidQuick(readings ...*reading.Reading) findings {
	f := l.quick(readings, l.work.scans > 0)
	l.work.scans -= f.scanned
	return f
}

// findSlow calls slow for the item's block, within the block's share of the budget.
func (l *locator) findSlow(it *item) findings {
	share := l.work.share(l.opt.Budget)
	l.work.searches--
	f, work := l.slow(it.found, share)
	l.work.places -= work
	return f
}

// quick tries the levels of the cascade that are cheap enough for every block. Unless scans is set,
// it stops before it reads the whole document.
func (l *locator) quick(readings []*reading.Reading, scans bool) findings {
	f := findings{readings: l.withoutRepeats(readings), scans: scans}
	(&search{locator: l, findings: &f, pick: nearestToHint}).descend(false)
	return f
}

// slow continues an open search within the given share of the budget, and returns how much it
// spent. Under the policy loose, more searches may follow if it finds nothing.
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

// scanCost is the cost per line, in units of the budget, of the strategies that look at every line.
const scanCost = 4

// scan returns the cost of reading and indexing the whole document.
func (l *locator) scan() int64 { return scanCost*int64(l.doc.Len()) + int64(len(l.doc.Text()))/16 }

// withoutRepeats drops readings that would add a line which the file already has below the place.
// If one reading's SEARCH is the beginning of another's, it takes the rest for lines to add. It's
// wrong if the file has the first of those lines below every match of the shorter SEARCH.
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

// mayScan reports whether the search may look at the whole document. If so, it also prepares the
// readings without habits of models. If the budget is spent, the search ends.
func (s *search) mayScan() bool {
	if s.exhausted = !s.scans; s.exhausted {
		return false
	}
	for _, v := range s.readings {
		s.undone = append(append(s.undone, v), reading.Undone(s.doc, s.path, v)...)
	}
	return true
}

// pays charges for reading the whole document.
func (s *search) pays() bool {
	s.scanned = s.scan() / 2
	return true
}

// mayCompare reports whether similarity can identify the block's place. It can't if it is unknown
// how far an elision reaches, or which of several dividers ends SEARCH. It leaves those in
// s.dividers, for the refusal.
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

// verbatim yields the first lines of the candidates that really equal search, because a caller's
// strategy may be wrong.
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

// wholeLines finds the places proposed by a strategy where the file has every line of SEARCH,
// ignoring blanks, and blank lines at its ends.
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

// readAt returns v, or v without a habit of models, if the file has all of its lines at the place,
// and nil otherwise.
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

// spanOf returns the lines of the candidate. ok is false if it begins or ends inside a line, or
// outside the document.
func (l *locator) spanOf(c strategy.Candidate) (s span, ok bool) {
	if c.Start < 0 || c.End <= c.Start || c.End > len(l.doc.Text()) {
		return span{}, false
	}
	first, last := l.doc.LineAt(c.Start), l.doc.LineAt(c.End-1)
	return span{first, last + 1}, c.Start == l.doc.Start(first) && c.End >= l.doc.End(last)
}

// cutLine finds the places where SEARCH begins or ends inside a line.
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

// addLines appends the place of an alignment that contains all lines of SEARCH.
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

// decideResult takes places that already have the block's result, if that leaves nothing to do.
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

// decideUnlessNear takes the first place, which has the block's result. It gives the place up if
// another one has SEARCH except for typos and punctuation, because the block may mean that one.
func (s *search) decideUnlessNear(found []*placement) bool {
	if s.decideFirst(found) && s.near != nil && !overlapping(s.near, found[0]) &&
		s.judge.HasWords(s.near.reading, s.near.alignment) {
		s.placements = nil
	}
	return len(found) > 0
}

// decideReading takes the places. If several readings are found at one place, the one with the
// longest SEARCH wins, because the others take part of it for lines to add. Readings found at
// different places can't be told apart.
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

// dividers returns the lines that the readings take for the divider, in order, without duplicates.
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

// doubtShifted rejects a place that has SEARCH at another depth if the block keeps no line and its
// exact result is somewhere else. Then the block was probably applied there, and this place only
// looks like it.
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

// repairs describes the habits that are undone in v.
func repairs(v *reading.Reading) []string {
	var out []string
	for _, name := range v.Habits {
		out = append(out, warning.Repaired.Say("%s", name))
	}
	return out
}

// leastShifted drops the places whose lines are shifted more than another's. Trailing blanks count
// less than a shift of all lines, and that less than an uneven one. Where more than blanks differ,
// only trailing blanks are compared. If the list may be incomplete, nothing is dropped.
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

// unlessMissing drops the places that lack blank lines of SEARCH if others have them all.
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

// distinct returns the first placement of each span.
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
