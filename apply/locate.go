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
	"github.com/srpatch/srpatch/parser"
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

// locate searches l's document for the item's block with the cheap levels of the cascade, and
// stores what it finds in the item. The search may stay open; see locateSimilar. A block that
// inserts after a line number isn't searched for, and gets its edit at once.
func (f *file) locate(it *item, l *locator) {
	b := it.block
	it.hint = b.StartLine
	if b.Op == parser.OpEdit && (it.hint < 0 || it.hint > l.doc.Len()) {
		it.warn(warning.IgnoredHint.Say("the line hint %d is ignored: the file ends at line %d", it.hint, l.doc.Len()))
		it.hint = 0
	}
	if b.Op == parser.OpInsert {
		f.insertAt(it, l.doc)
		return
	}
	if len(b.Readings) > 1 {
		it.settleEscapes(l.doc)
		b = it.block
	}
	switch {
	case b.Substring:
		l.textSearch().text(it)
	case b.ReplaceAll:
		l.textSearch().all(it)
	default:
		it.found = l.quick(it.readings()...)
	}
	it.located(l)
}

// locateSimilar continues the search for the item's block if it's open.
func (f *file) locateSimilar(it *item, l *locator) {
	if it.found.isOpen() {
		it.found = l.slow(it.found)
		it.located(l)
	}
}

// located examines what was found for the item once its search is over: it applies the policy
// strict, settles a block that changes nothing, and limits the number of places.
func (it *item) located(l *locator) {
	if it.settled || it.found.isOpen() {
		return
	}
	if it.file.run.opt.Policy == Strict || it.block.Exact {
		l.strictly(&it.found, it.readings())
	}
	if b := it.block; bytes.Equal(b.Search, b.Replace) && len(b.Readings) < 2 && len(it.found.placements) > 0 {
		it.warn(sameSides)
		it.settle(BlockNoOp)
		return
	}
	// A block that replaces every occurrence may have found a single place by similarity.
	if one := it.found.placements; it.block.ReplaceAll && len(one) == 1 && one[0].kind != ofResult {
		it.checkExpected(1)
	}
	it.limitPlaces()
}

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

// brokenInto finds a SEARCH that is a statement of the file with different line breaks, such as
// those a formatter makes.
func (s *search) brokenInto(v *reading.Reading) (out []*placement) {
	for a := range align.WithLineBreaks(s.doc, v.Search) {
		out = append(out, &placement{
			tier: tierNormalized, strategy: lineBreaks, score: 1, reading: rewritten(v, a),
			alignment: a,
		})
		if len(out) > maxListed {
			s.truncated = true
			break
		}
	}
	return out
}

// rewritten returns v with each statement that has different line breaks in the file, paired by a,
// changed as a whole. REPLACE is then used as it's written, because its lines have no counterparts.
func rewritten(v *reading.Reading, a align.Alignment) *reading.Reading {
	n := v.Search.Len()
	at := a.BySearch()
	for first := 0; first < n; {
		end := first + 1
		if a[at[first]].Relation == align.Reflowed {
			for end < n && a[at[end]].Relation == align.Reflowed && a[at[end]].File < 0 {
				end++
			}
			v = v.AsOne(first, end)
		}
		first = end
	}
	return v
}

const (
	// maxPlacements is how many equal places are compared with each other. If there are more, only
	// a hint can choose among them.
	maxPlacements = 1000
	// tooMany is how many places a search lists: one more than maxPlacements, to detect that there
	// are too many.
	tooMany = maxPlacements + 1
	// maxPairs bounds the total number of line pairs in all places of a block, about 32 bytes each.
	// So a block with many lines may have fewer places.
	maxPairs = 1 << 18
)

// maxCandidates returns how many equal places of the reading are compared with each other.
func maxCandidates(v *reading.Reading) int {
	return max(1, min(maxPlacements, maxPairs/max(1, v.Search.Len())))
}

// selector is given the first lines of places, in ascending order, and chooses some of them.
type selector func(places iter.Seq[int]) []int

// nearestToHint selects the places of a reading nearest to its hint: as many as can be compared,
// and one more if there are more.
func nearestToHint(v *reading.Reading) selector {
	return func(places iter.Seq[int]) []int { return nearest(places, v.Search.Hint, maxCandidates(v)+1) }
}

// nonOverlapping selects places of a reading that don't overlap, from the top. It selects at most
// one more than a block may replace.
func nonOverlapping(v *reading.Reading) selector {
	return func(places iter.Seq[int]) []int {
		var at []int
		for first := range places {
			if n := len(at); n == 0 || first >= at[n-1]+v.Search.Len() {
				at = append(at, first)
			}
			if len(at) > maxOccurrences {
				break
			}
		}
		return at
	}
}

// nearest selects at most the given number of places, which ascend: those nearest to the hint, a
// 1-based line, or the first ones if the hint is 0. It returns them 0-based and in ascending order.
func nearest(places iter.Seq[int], hint, most int) []int {
	var at []int
	for first := range places {
		if len(at) == most {
			if hint == 0 || first-(hint-1) >= hint-1-at[0] {
				break // at[0] is no farther from the hint than this place and all below it
			}
			at = at[1:]
		}
		at = append(at, first)
	}
	return at
}

// limitPlaces marks the item's search as truncated if it found more places than are compared. It
// then keeps only a few for the report: those nearest to the line hint, or the first ones.
func (it *item) limitPlaces() {
	f := &it.found
	most := maxPlacements
	for _, p := range f.placements {
		if p.reading != nil { // nil: text within a line
			most = min(most, maxCandidates(p.reading))
		}
	}
	if len(f.placements) <= most {
		return
	}
	hint := it.lineHint()
	nearer := slices.SortedStableFunc(slices.Values(f.placements),
		func(a, b *placement) int { return a.off(hint) - b.off(hint) })
	f.truncated, f.placements = true, slices.Clone(nearer[:min(maxListed, len(nearer))])
}
