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

// tier is how strong the evidence for a placement is. The best tier with any hit decides.
type tier uint8

const (
	tierExact tier = iota
	// tierNormalized: equal after one named normalisation.
	tierNormalized
	// tierAlready: the block's result occurs in the file.
	tierAlready
	// tierSimilar: equal except for slips, and for context that drifted.
	tierSimilar
)

// placement is a place the block fits, and how it fits there.
type placement struct {
	tier     tier
	strategy string
	score    float64
	reading  *reading.Reading
	// written is the reading before its SEARCH got the file's margins, nil where it has not.
	written   *reading.Reading
	alignment align.Alignment
	notes     []string
	// inside is a span of text that need not be whole lines, and insert is what replaces it; the alignment then only says
	// which lines it is in.
	inside *strategy.Candidate
	insert splice.Edit
	// margins are those that REPLACE's lines get, nil for their own; rival are others that are as good. Both are known once
	// indented is set.
	margins, rival [][]byte
	indented       bool
	// objection is what speaks against the place, nil if nothing does. Such a place is never taken, but it may make another
	// one ambiguous.
	objection *verdict.Objection
}

// span is the range of file lines, 0-based, end exclusive.
func (p *placement) span() (first, end int) { return p.alignment.Span() }

// findings are what a search for one block gives: the placements of the best tier that has any, and for reports what
// else came near.
type findings struct {
	placements []*placement
	// near is the best place with an objection, and passed are others, where it depends on that which is meant.
	near   *placement
	passed []*placement
	tried  []string
	budget bool
	// scanned is what the search took of [allowance.scans].
	scanned int64
	// truncated says that there may be more places than placements lists: those nearest to the hint, or the first.
	truncated bool
	// open are the readings to go on with, those without habits of models among them; nil where the search is over.
	open []*reading.Reading
	// proposed are the places that strategies propose which forgive blanks.
	proposed []proposal
	// dividers are the lines of the reply that may be the block's divider, if its readings could not be distinguished.
	dividers []int
}

// locator searches one document.
type locator struct {
	doc      *strategy.Document
	path     string // of the file
	judge    *verdict.Judge
	opt      *Options
	work     *allowance        // of the run
	budget   *strategy.Budget  // of the block that is looked for
	wordings *omission.Lexicon // see lexicon
	// wasAmbiguous reports whether an earlier run found SEARCH at several places; nil where nothing is known of any.
	wasAmbiguous func(search []byte) bool
}

func (r *run) newLocator(doc *strategy.Document, path string) *locator {
	return &locator{doc: doc, path: path, judge: verdict.NewJudge(doc, path, r.opt.Threshold), opt: r.opt, work: r.work}
}

// lexicon is what the remarks of the file are read by.
func (l *locator) lexicon() *omission.Lexicon {
	if l.wordings == nil {
		l.wordings = omission.NewLexicon(l.path)
	}
	return l.wordings
}

// certain is the search under all policies as far as every line of SEARCH is there, normalised at most. What is left for
// [locator.likely] is noted as open.
func (l *locator) certain(readings []*reading.Reading, scans bool) findings {
	var f findings
	readings = l.withoutRepeats(readings)
	for _, v := range readings {
		f.placements = l.exact(&f, v, nearestToHint(v))
	}
	if f.decided() {
		if p := l.appliedAtHint(&f); p != nil {
			f.placements = []*placement{p}
		}
		l.rivalResults(&f)
		return f
	}
	if f.alreadyApplied(l, readings, strategy.ExactWindows, true) {
		if !l.isOpenElsewhere(readings, f.placements[0]) {
			return f
		}
		f.placements = nil
	}

	if f.budget = !scans; f.budget {
		return f
	}
	var normalized []*placement
	var undone []*reading.Reading // the readings, and after each those without its habits
	for _, v := range readings {
		proposed := l.ask(&f, v, strategy.Blanks)
		f.proposed = append(f.proposed, proposed...)
		normalized = append(normalized, l.normalized(&f, v, proposed, nearestToHint(v))...)
		undone = append(undone, v)
		for _, fixed := range reading.Undone(l.doc, l.path, v) {
			undone = append(undone, fixed)
			normalized = append(normalized, l.normalized(&f, fixed, proposed, nearestToHint(fixed))...)
		}
	}
	if f.placements = l.leastShifted(bestTier(normalized)); f.decided() {
		l.doubtShifted(&f, readings)
		l.rivalResults(&f)
		return f
	}
	f.scanned = l.scan() / 2
	for _, v := range readings {
		f.placements = append(f.placements, l.elided(&f, v)...)
	}
	if f.decided() {
		return f
	}
	if f.alreadyApplied(l, slices.DeleteFunc(slices.Clone(readings), func(v *reading.Reading) bool { return !v.Keeps() }), strategy.KeyWindows, false) {
		return f
	}
	if len(readings) == 1 && (l.brokenInto(&f, readings[0]) || l.fragment(&f, readings[0])) {
		return f
	}
	if f.dividers = dividers(readings); len(f.dividers) > 1 {
		return f // similarity does not show where SEARCH ends
	}
	f.dividers = nil
	if f.near != nil && f.near.strategy == elidedLines {
		return f // similarity does not see up to where SEARCH leaves lines out
	}
	f.open = undone
	return f
}

// withoutRepeats drops readings that would write the line after their place a second time. Such a reading adds lines that a
// longer one, which begins with the same SEARCH, takes for lines of the file, and the file has the first of them there, in
// all places of SEARCH.
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

// doubtShifted gives a place up that has SEARCH at another depth, if the block keeps no line and its result occurs elsewhere, byte for
// byte: then the place is one more like that which the block was for.
func (l *locator) doubtShifted(f *findings, readings []*reading.Reading) {
	p := f.placements[0]
	if len(f.placements) > 1 || p.alignment == nil || p.alignment.Relation() != align.Indented || p.reading.Keeps() {
		return
	}
	for _, v := range readings {
		if l.already(v, strategy.ExactWindows, true) != nil {
			p.objection = &verdict.Objection{Code: verdict.PartlyThere}
			f.near, f.placements = p, nil
			return
		}
	}
}

// likely goes on with a search that is open: by similarity, as far as the block's share of the work goes. It says what it took of that.
// Under the policy loose other searches may follow where it finds nothing.
func (l *locator) likely(f findings, share int64) (found findings, work int64) {
	vs := f.open
	f.open = nil
	l.budget = strategy.NewBudget(share)
	if !l.budget.Spend(scanCost * int64(l.doc.Len())) {
		f.budget = true
		return f, share - l.budget.Left()
	}
	l.similar(vs, &f)
	if len(f.placements) == 0 {
		l.likelyApplied(&f, vs)
	}
	if f.budget = l.budget.Exhausted(); f.budget {
		f.placements = nil // a place that was not looked at may fit as well
	}
	return f, share - l.budget.Left()
}

// likelyApplied looks for the results of readings after no place for them was found. A result counts for nothing if another place
// has SEARCH except for slips and marks: that may be the one which the block means.
func (l *locator) likelyApplied(f *findings, vs []*reading.Reading) {
	if !f.alreadyApplied(l, vs, strategy.KeyWindows, false) {
		for _, v := range vs {
			if p := l.alreadySimilar(f, v); p != nil {
				f.placements = []*placement{p}
				break
			}
		}
	}
	if len(f.placements) > 0 && f.near != nil && !overlapping(f.near, f.placements[0]) && l.judge.HasWords(f.near.reading, f.near.alignment) {
		f.placements = nil
	}
}

// scanCost is what the strategies take that look at every line, in units of the budget for each line.
const scanCost = 4

// scan is what it takes to read the whole document and to index it.
func (l *locator) scan() int64 { return scanCost*int64(l.doc.Len()) + int64(len(l.doc.Text()))/16 }

// windows finds the windows of a document that read as a pattern.
type windows func(*strategy.Document, *strategy.Pattern) iter.Seq[int]

// alreadyApplied reports whether the result of a reading occurs in the file, and makes that the placement. If distinctive is
// set, which is so before tolerant places are searched, only a distinctive line that the block adds is evidence.
func (f *findings) alreadyApplied(l *locator, readings []*reading.Reading, find windows, distinctive bool) bool {
	for _, v := range readings {
		if bare, ok := reading.WithoutGutter(v); ok {
			v = bare
		}
		if inner, occurs := reading.Unwrapped(l.doc, l.path, v); inner != nil && !occurs {
			v = inner
		}
		if bare, occurs := reading.Unmarked(l.doc, v); bare != nil && !occurs {
			v = bare
		}
		if distinctive && !v.Keeps() {
			continue // a lone line may occur in another place for another reason
		}
		if p := l.already(v, find, distinctive); p != nil {
			f.placements = []*placement{p}
			return true
		}
	}
	return false
}

// repairs are the notes on the habits that are undone in v.
func repairs(v *reading.Reading) []string {
	var out []string
	for _, name := range v.Habits {
		out = append(out, warning.Repaired.Say("%s", name))
	}
	return out
}

// decided reports whether the search is over. Of the readings that are found at one place, the one with the longest SEARCH
// counts, because the others take a part of it for lines to add. Readings found at different places cannot be distinguished.
func (f *findings) decided() bool {
	all := f.placements
	if len(all) < 2 || !slices.ContainsFunc(all, func(p *placement) bool { return p.reading != all[0].reading }) {
		return len(all) > 0
	}
	f.placements = slices.DeleteFunc(slices.Clone(all), func(p *placement) bool {
		return slices.ContainsFunc(all, func(q *placement) bool {
			return q.reading.Search.Len() > p.reading.Search.Len() && first(q) == first(p)
		})
	})
	var vs []*reading.Reading
	for _, p := range f.placements {
		vs = append(vs, p.reading)
	}
	if d := dividers(vs); len(d) > 1 {
		f.dividers = d
	}
	return len(f.placements) > 0
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

// exact appends to the placements found the places where SEARCH occurs exactly, as far as pick selects them.
func (l *locator) exact(f *findings, v *reading.Reading, pick selector) []*placement {
	out := f.placements
	asked := 0
	for _, s := range l.opt.strategies() {
		if strategy.ToleranceOf(s) != strategy.Nothing {
			continue
		}
		asked++
		f.ran(s.Name())
		for _, first := range pick(l.exactly(v.Search, s.Candidates(l.doc, v.Search))) {
			out = append(out, &placement{tier: tierExact, strategy: s.Name(), score: 1, reading: v, alignment: align.Exact(v.Search.Len(), first)})
		}
	}
	if asked > 1 {
		return bestTier(out)
	}
	return out
}

// exactly are the first lines of those candidates that have the lines of search, as a strategy of somebody else's may be wrong.
func (l *locator) exactly(search *strategy.Pattern, cs iter.Seq[strategy.Candidate]) iter.Seq[int] {
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

// normalized finds the places where every line of SEARCH equals the file's line after one normalisation. If there are none,
// blank lines at SEARCH's ends may be missing in the file, or else SEARCH's first line may be cut. Of the first kind of places it
// lists those that pick selects; of the others the first ones, a few times more than are distinguished.
func (l *locator) normalized(f *findings, v *reading.Reading, proposed []proposal, pick selector) []*placement {
	var out []*placement
	some := 4 * maxCandidates(v)
	add := func(a align.Alignment, name string) {
		if a.Relation() == align.Indented && v.DeletesOneLine() {
			return // one like it, see verdict.LineDiffers
		}
		first, end := a.Span()
		out = append(out, &placement{
			tier: tierNormalized, strategy: l.proposer(proposed, span{first, end}, name), score: 1, reading: v, alignment: a, notes: repairs(v),
		})
	}
	f.ran(sameTokens)
	for _, first := range pick(strategy.KeyWindows(l.doc, v.Search)) {
		add(align.Diagonal(l.doc, v.Search, first), sameTokens)
	}
	if len(out) > 0 {
		return out
	}
	f.ran(blankBorders)
	for a := range align.WithoutBlankBorders(l.doc, v.Search) {
		if add(a, blankBorders); len(out) > some {
			break
		}
	}
	if len(out) > 0 {
		return out
	}
	if cs := v.Hunks(); len(cs) > 0 && cs[0].S0 == 0 {
		return out // what comes before a line that is cut is not known
	}
	f.ran(cutLine)
	for a := range align.WithCutLine(l.doc, v.Search) {
		if add(a, cutLine); len(out) > some {
			break
		}
	}
	return out
}

// leastShifted drops the places whose lines are shifted more than those of another: trailing blanks alone go before a shift of all
// lines, and that before an uneven one. Where more than blanks differ, only trailing blanks say enough. Of places that may not be
// all, none goes.
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

// bestTier keeps the placements of the best tier, one for each span.
func bestTier(ps []*placement) []*placement {
	if len(ps) == 0 {
		return nil
	}
	best := slices.MinFunc(ps, func(a, b *placement) int { return int(a.tier) - int(b.tier) }).tier
	seen := map[span]bool{}
	var out []*placement
	for _, p := range ps {
		first, end := p.span()
		if p.tier != best || seen[span{first, end}] {
			continue
		}
		seen[span{first, end}] = true
		out = append(out, p)
	}
	return out
}
