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
	// tierSimilar: equal except for typos and changed context.
	tierSimilar
)

// kind is what a placement consists of.
type kind uint8

const (
	// ofLines: lines of SEARCH are aligned with lines of the file.
	ofLines kind = iota
	// ofText: a span of text that needn't be whole lines. The alignment only says which lines
	// contain it.
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
	strategy string // the stage that found it; for a result, how its lines match
	score    float64
	reading  *reading.Reading
	// written is the reading before settleIndent, which may give its SEARCH the file's margins.
	// It's nil if that hasn't happened or the place is exact.
	written   *reading.Reading
	alignment align.Alignment
	notes     []string
	elided    bool // the extra lines in the alignment are those that SEARCH leaves out
	// inside is the part of the text that SEARCH matches, nil for whole lines. insert replaces it.
	inside *strategy.Candidate
	insert splice.Edit
	// margins are the indentations of REPLACE's lines, or nil to leave the lines as written. rival
	// are equally good margins, if any. Both are valid once indented is set.
	margins, rival [][]byte
	indented       bool
	// objection is the reason against this place, if any. A place with an objection is never taken,
	// but it can make another one ambiguous.
	objection *verdict.Objection
}

// span is a range of file lines: 0-based, end exclusive.
type span struct{ first, end int }

// overlaps reports whether the two ranges share a line.
func (s span) overlaps(t span) bool { return s.first < t.end && t.first < s.end }

// within reports whether all lines of s are in t.
func (s span) within(t span) bool { return t.first <= s.first && s.end <= t.end }

// span returns the file lines of the place.
func (p *placement) span() span {
	first, end := p.alignment.Span()
	return span{first, end}
}

// overlaps reports whether two places share a line.
func (p *placement) overlaps(q *placement) bool { return p.span().overlaps(q.span()) }

// findings are the result of the search for one block: the places found by the level that decided,
// and near misses for the report.
type findings struct {
	placements []*placement
	// near is the best place with an objection. passed are other such places, kept because the
	// report depends on which place is meant.
	near   *placement
	passed []*placement
	tried  []string
	// exhausted is set if the search ran out of budget.
	exhausted bool
	// truncated is set if there may be more places than placements has. Then placements has those
	// nearest to the hint, or the first ones.
	truncated bool
	// dividers are the lines of the reply that could be the block's divider, if nothing shows which
	// reading is right.
	dividers []int

	// next is the level of the cascade to continue with, or 0 if the search is over.
	next int
	// readings are the ways to read the block. undone has each of them, followed by the same
	// reading with models' habits undone.
	readings, undone []*reading.Reading
}

// isOpen reports whether the search is waiting at a slow level.
func (f *findings) isOpen() bool { return f.next > 0 }

// locator searches one document.
type locator struct {
	doc     *strategy.Document
	path    string // path of the file
	judge   *verdict.Judge
	remarks *omission.File // reads the remarks of the file
	unit    func() []byte  // see [splice.Unit]
	opt     *Options
	levels  []level
	work    *allowance       // of the run
	budget  *strategy.Budget // of the block being searched for
	// wasAmbiguous reports whether an earlier run found SEARCH at several places. It's nil if no
	// earlier runs are known.
	wasAmbiguous func(search []byte) bool
}

func (r *run) newLocator(doc *strategy.Document, path string) *locator {
	return &locator{
		doc: doc, path: path, judge: verdict.NewJudge(doc, path, r.opt.Threshold),
		remarks: omission.NewFile(path), unit: splice.Unit(doc), opt: r.opt, levels: r.engine.levels, work: r.work,
	}
}

// results returns the part of the locator that recognizes results of earlier applications.
func (l *locator) results() results { return results{l} }

// textSearch returns the part of the locator that searches for text within lines.
func (l *locator) textSearch() textSearch { return textSearch{l} }

// advice returns the part of the locator that suggests corrections.
func (l *locator) advice() advice { return advice{l} }

// quick tries the levels of the cascade that are cheap enough for every block. If the run's budget
// for scans is spent, it stops before reading the whole document.
func (l *locator) quick(readings ...*reading.Reading) findings {
	f := findings{readings: l.withoutRepeats(readings)}
	(&search{locator: l, findings: &f, pick: nearestToHint}).descend(false)
	return f
}

// slow continues an open search within the block's share of the budget. Under the policy loose,
// more searches may follow if it finds nothing.
func (l *locator) slow(f findings) findings {
	share := l.work.share(l.opt.Budget)
	l.work.searches--
	l.budget = strategy.NewBudget(share)
	if l.budget.Spend(scanCost * int64(l.doc.Len())) {
		(&search{locator: l, findings: &f, pick: nearestToHint}).descend(true)
	}
	f.next = 0
	if f.exhausted = l.budget.Exhausted(); f.exhausted {
		f.placements = nil // a place that was not examined may fit equally well
	}
	l.work.places -= share - l.budget.Left()
	return f
}

// scanCost is the cost per line, in budget units, of the strategies that look at every line.
const scanCost = 4

// scan returns the cost of reading and indexing the whole document.
func (l *locator) scan() int64 { return scanCost*int64(l.doc.Len()) + int64(len(l.doc.Text()))/16 }

// withoutRepeats drops readings that would add a line that the file already has below the place. If
// two lines may be the divider, the reading that ends SEARCH at the first one treats the lines up
// to the second one as lines to add. The second reading has them in SEARCH. If the file has the
// first of them below every match of the shorter SEARCH, the shorter reading is wrong.
func (l *locator) withoutRepeats(readings []*reading.Reading) []*reading.Reading {
	if len(readings) < 2 {
		return readings
	}
	repeats := func(short, long *strategy.Pattern) bool {
		n := short.Len() // long's line n is the first one that short's reading adds
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

// enterScan prepares the levels that read the whole document: it fills s.undone with the readings
// and their variants with models' habits undone. If the run's budget for reading documents is
// spent, it marks the search as exhausted and returns false, which ends the search.
func (s *search) enterScan() bool {
	if s.exhausted = s.work.scans <= 0; s.exhausted {
		return false
	}
	for _, v := range s.readings {
		s.undone = append(append(s.undone, v), reading.Undone(s.doc, s.path, v)...)
	}
	return true
}

// enterElisions charges the search for reading the whole document: half of what building its index
// costs, because all blocks share the index. It always returns true, so the search goes on.
func (s *search) enterElisions() bool {
	s.work.scans -= s.scan() / 2
	return true
}

// enterSimilar returns false, which ends the search, if similarity can't identify the block's
// place. It can't if several lines may be the divider, because it's unknown where SEARCH ends.
// Those lines are stored in s.dividers for the refusal. It can't either if s.near, the best
// rejected place, has an elision, because it's unknown how far that reaches.
func (s *search) enterSimilar() bool {
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

// verbatim yields the first lines of the candidates whose text really equals search, apart from
// line ends. A caller may bring its own strategy, and that one may be wrong.
func (l *locator) verbatim(search *strategy.Pattern, cs iter.Seq[strategy.Candidate]) iter.Seq[int] {
	return func(yield func(int) bool) {
		for c := range cs {
			if c.Start < 0 || c.Start > len(l.doc.Text()) {
				continue
			}
			first := l.doc.LineAt(c.Start)
			ok := c.Start == l.doc.Start(first) && first+search.Len() <= l.doc.Len()
			for i := 0; ok && i < search.Len(); i++ {
				ok = bytes.Equal(search.Line(i), l.doc.Line(first+i))
			}
			if ok && !yield(first) {
				return
			}
		}
	}
}

// wholeLines finds the places proposed by a strategy where the file has every line of SEARCH,
// ignoring blanks within lines and blank lines at the ends of SEARCH.
func (s *search) wholeLines(by strategy.Strategy, v *reading.Reading) (out []*placement) {
	type fit struct {
		end     int              // of the place
		reading *reading.Reading // v, or v with a habit undone
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
				place.end++ // the candidate ends with an empty line, which has no byte for spanOf
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

// readAt returns v, or v with a habit undone, if the file has all of its SEARCH lines at the place.
// Otherwise it returns nil. It relies on the order of s.undone: each reading, followed by its
// variants.
func (s *search) readAt(v *reading.Reading, place span) *reading.Reading {
	for at := slices.Index(s.undone, v); at < len(s.undone); at++ {
		w := s.undone[at]
		if w != v && slices.Contains(s.readings, w) {
			break // the variants of v end here
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

// cutLine finds the places where the first line of SEARCH is only the end of a file line, or its
// last line is only the beginning of one. It skips places where the block changes such a line.
func (s *search) cutLine(v *reading.Reading) (out []*placement) {
	cs := v.Hunks()
	for a := range align.WithCutLine(s.doc, v.Search) {
		last := a[len(a)-1]
		if len(cs) > 0 && (a[0].Relation == align.Partial && cs[0].S0 == 0 ||
			last.Relation == align.Partial && cs[len(cs)-1].S1 == v.Search.Len()) {
			continue // the block changes a line of which SEARCH shows only a part
		}
		if out = s.addLines(out, cutLine, v, a); len(out) > 4*maxCandidates(v) {
			break // too many to compare
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

// addLines returns out with the place of an alignment that has all lines of SEARCH. If the block
// only deletes one line, a place where that line has another indentation is left out.
func (s *search) addLines(out []*placement, name string, v *reading.Reading, a align.Alignment) []*placement {
	if a.Relation() == align.Indented && v.DeletesOneLine() {
		return out // it may be another line with the same text
	}
	return append(out, &placement{
		tier: tierNormalized, strategy: name, score: 1, reading: v, alignment: a,
	})
}

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
	s.doubtShifted(s.findings, s.readings)
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

// doubtShifted rejects the only place, by moving it from f.placements to f.near, if three
// conditions hold: it has SEARCH at another depth, the block keeps no line, and the block's exact
// result is elsewhere in the file. In that case the block was probably applied there, and the
// rejected place only looks similar.
func (l *locator) doubtShifted(f *findings, readings []*reading.Reading) {
	p := f.placements[0]
	if len(f.placements) > 1 || p.alignment.Relation() != align.Indented || p.reading.Keeps() {
		return
	}
	for _, v := range readings {
		if l.results().already(v, strategy.ExactWindows, onlyDistinctive) != nil {
			p.objection = &verdict.Objection{Code: verdict.PartlyThere}
			f.near, f.placements = p, nil
			return
		}
	}
}

// leastShifted drops the places whose lines are shifted more than those of another place. Trailing
// blanks count less than an even shift of all lines, which counts less than an uneven shift. A
// place where more differs than that is dropped only if another place differs in trailing blanks at
// most. If the list may be incomplete, nothing is dropped.
func (l *locator) leastShifted(ps []*placement) []*placement {
	if len(ps) < 2 || len(ps) > maxCandidates(ps[0].reading) {
		return ps
	}
	shifts := make([]align.Shift, len(ps))
	for i, p := range ps {
		// A place where SEARCH fits only without a habit counts as one where more differs.
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
