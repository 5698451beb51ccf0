package apply

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/omission"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

const (
	// maxListed is how many places a report lists.
	maxListed = 20
	// maxAround is how many lines of the file a report shows above and below the nearest text.
	maxAround = 3
)

// overBudget is the message for a block whose search ran out of budget.
const overBudget = "the search stopped before the end of the file; " +
	"give a line hint, send fewer blocks, or raise the work budget"

// refuse settles the item as not found or ambiguous, and reports information that helps to correct
// the block.
func (f *file) refuse(it *item, found findings, l *locator) {
	if !f.run.explains() {
		it.fail(NotFound, "")
		return
	}
	it.report.Tried = found.tried
	it.report.Searched = &[2]int{min(1, l.doc.Len()), l.doc.Len()}
	if len(found.dividers) > 1 {
		it.fail(Ambiguous, fmt.Sprintf("lines %s of the reply may each divide SEARCH from REPLACE, "+
			"and the file does not show which; "+
			"lengthen the block's markers, or put a backslash before the other lines",
			listed(found.dividers)))
		return
	}
	if len(found.placements) > 1 {
		f.refuseAmbiguous(it, found, l)
		return
	}
	reason, message := NotFound, "SEARCH does not occur in the file; "+
		"copy it from there, or check that the block is meant for this file"
	if found.exhausted {
		reason, message = Budget, overBudget
	}
	if f.run.opt.Policy != Strict {
		it.report.Needed = max(verdict.MinScore, f.run.opt.Threshold)
	}
	if said := f.reportNearest(it, found, l); said != "" {
		message = said
	}
	if l.results().hasResult(it) {
		it.warn(warning.MaybeAlreadyApplied.Say("the lines that REPLACE adds occur in the file"))
	}
	if f.foreign && isWideUTF8(it.block.Search) {
		it.warn(warning.Encoding.Say("the file is not UTF-8 and its encoding is unknown, " +
			"so characters beyond ASCII in SEARCH cannot match; " +
			"name the file's encoding, or convert the file to UTF-8"))
	}
	it.fail(reason, message)
}

// reportNearest adds the nearest place and the corrected block for it to the report. It returns the
// message for the refusal, or "" if no place was judged.
//
// A corrected block is only offered if the place is certain, or the result isn't in the file yet.
func (f *file) reportNearest(it *item, found findings, l *locator) (message string) {
	p := found.near
	if p == nil { // the search found no place
		alike, ok := l.nearText(it)
		if !ok {
			return ""
		}
		if p = l.nearPlace(it, alike); p == nil {
			it.report.Score = alike.Similarity.Float()
			it.report.Nearest = l.nearest(span{alike.First, alike.End}, it.report.Score)
			it.report.Nearest.Approximate = alike.Approximate
			return ""
		}
	}
	at, o := p.span(), p.objection
	it.report.Score, it.report.Nearest = p.score, l.nearest(at, p.score)
	it.report.Objection = &Objection{Code: ObjectionCode(o.Code), Search: o.Search, File: o.File}
	message = fmt.Sprintf("%s nearest, but %s", linesAre(at), l.said(it.report.Objection, p))
	if o.Code == verdict.LineMissing && l.elides(p.reading.Search.Line(o.Search-1)) {
		message += fmt.Sprintf("; the dots in line %d of SEARCH stand for lines that would be deleted: "+
			"write those lines out, or put the same dots into REPLACE to keep them", o.Search)
	}
	for _, q := range append([]*placement{p}, found.passed...) {
		if showsPlace(q.objection) || !l.results().hasResult(it) {
			l.advice().offer(it, q)
		}
	}
	return message
}

// said describes the objection o to p, and quotes the lines of SEARCH and of the file that it's
// about. SEARCH is quoted as the reply has it, not with the file's indentation.
func (l *locator) said(o *Objection, p *placement) string {
	search := cmp.Or(p.written, p.reading).Search
	if o.Search == 0 || o.File == 0 || o.Search > search.Len() || o.File > l.doc.Len() {
		return o.String()
	}
	said, there := bytes.TrimSpace(search.Line(o.Search-1)), bytes.TrimSpace(l.doc.Line(o.File-1))
	if bytes.Equal(said, there) {
		return o.String() // quoting the same text twice explains nothing
	}
	return fmt.Sprintf("%s: line %d of SEARCH is %q, line %d of the file %q",
		verdict.Code(o.Code).Sentence(), o.Search, omission.Clipped(said), o.File, omission.Clipped(there))
}

// showsPlace reports whether the objection is about lines that the block changes, which shows that
// the place is right. If the objection is about kept lines, the block may have been applied
// elsewhere.
func showsPlace(o *verdict.Objection) bool {
	switch o.Code {
	case verdict.LineDiffers, verdict.LineMissing, verdict.LinesBetween, verdict.PartlyThere:
		return true
	}
	return false
}

// elides reports whether a line of SEARCH stands for omitted lines of the file.
func (l *locator) elides(line []byte) bool {
	return l.remarks.Elides(line) && !l.doc.HasLine(line)
}

// nearText returns the text of the document that resembles SEARCH most. ok is false if there is
// none, or if the run has no budget left to look for it.
func (l *locator) nearText(it *item) (near strategy.Near, ok bool) {
	most := min(strategy.NearestBudget, l.work.reports)
	if most < l.scan() {
		return near, false
	}
	near, ok = strategy.Levenshtein{Budget: strategy.NewBudget(most)}.Nearest(l.doc,
		strategy.NewPattern(it.block.Search, it.hint))
	l.work.reports -= near.Work + l.scan()
	return near, ok
}

// nearPlace returns the placement at the text nearest to SEARCH, or nil if that text isn't near
// enough for a rule to object to it.
func (l *locator) nearPlace(it *item, near strategy.Near) *placement {
	v := it.readings()[0]
	if it.block.Substring || near.Approximate || v.Search.Len() == 0 || near.Similarity.Float() < verdict.MinScore {
		return nil
	}
	budget := strategy.NewBudget(l.work.reports)
	a := align.Over(l.doc, v.Search, near.First, near.End, budget)
	l.work.reports = budget.Left()
	if first, _ := a.Span(); first < 0 {
		return nil
	}
	p := &placement{tier: tierSimilar, strategy: fallback, score: near.Similarity.Float(), reading: v, alignment: a}
	if l.examine(p); p.objection == nil {
		return nil
	}
	return p
}

// linesAre returns "line 3 is" or "lines 3 to 5 are" for file lines.
func linesAre(s span) string {
	if s.end == s.first+1 {
		return fmt.Sprintf("line %d is", s.end)
	}
	return fmt.Sprintf("lines %d to %d are", s.first+1, s.end)
}

// nearest describes the file lines at.
func (l *locator) nearest(at span, score float64) *Nearest {
	lines := func(from, to int) string {
		return string(l.doc.Text()[l.doc.Start(max(0, from)):l.doc.Start(min(l.doc.Len(), to))])
	}
	return &Nearest{
		Lines:  [2]int{at.first + 1, at.end},
		Before: lines(at.first-maxAround, at.first),
		Text:   lines(at.first, at.end),
		After:  lines(at.end, at.end+maxAround),
		Score:  score,
	}
}

// hasResult reports whether every distinctive line that the block adds occurs in the file. If it
// adds none, several lines of REPLACE must occur together.
func (d results) hasResult(it *item) bool {
	v := reading.New(it.block.Search, it.block.Replace, 0)
	seen := false
	for _, c := range v.Hunks() {
		for r := c.R0; r < c.R1; r++ {
			line := v.Replace.Line(r)
			if !text.Telling(line) || text.Routine(line) {
				continue
			}
			if d.doc.CountLine(line, 1) == 0 {
				return false
			}
			seen = true
		}
	}
	if seen || v.Replace.Len() < 2 || !v.AddsWord() {
		return seen
	}
	return atLeast(1, strategy.KeyWindows(d.doc, v.Result().Search))
}

// refuseAmbiguous settles the item as ambiguous: it lists the places found, and offers a corrected
// block for each if there are few.
func (f *file) refuseAmbiguous(it *item, found findings, l *locator) {
	ps := slices.Clone(found.placements)
	slices.SortFunc(ps, func(a, b *placement) int { return a.span().first - b.span().first })
	for _, p := range ps[:min(len(ps), maxListed)] {
		it.report.Candidates = append(it.report.Candidates, p.span().first+1)
	}
	// All places begin at one line, but their elisions end at different ones: list the ends.
	if ps[0].elided && ps[0].span().first == ps[len(ps)-1].span().first {
		for i, p := range ps[:len(it.report.Candidates)] {
			it.report.Candidates[i] = p.span().end
		}
	}
	list := listed(it.report.Candidates)
	if found.truncated || len(ps) > maxListed {
		list += ", ..."
	}
	it.report.Score = ps[0].score
	places := ps[:min(len(ps), maxOffered)]
	for _, p := range places {
		l.advice().offer(it, p)
	}
	if len(it.report.Corrected) < len(places) {
		it.report.Corrected = nil // a single one could be mistaken for the one that is meant
	}
	it.fail(Ambiguous, fmt.Sprintf("SEARCH fits %s places (lines %s); "+
		"add lines around it that only one of them has", found.count(), list))
}

// listed returns the first numbers, separated by commas, and dots if there are more.
func listed(numbers []int) string {
	list := strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers[:min(len(numbers), maxListed)]), " ", ", "), "[]")
	if len(numbers) > maxListed {
		list += ", ..."
	}
	return list
}
