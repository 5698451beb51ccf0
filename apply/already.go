package apply

import (
	"bytes"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// results finds out whether a document already has the result of a block.
type results struct{ *locator }

// windows yields the places of a document that match a pattern.
type windows func(*strategy.Document, *strategy.Pattern) iter.Seq[int]

// resultExactly finds the result of a reading byte for byte, by a distinctive line that the block
// adds. At this point the tolerant searches haven't run yet.
func (s *search) resultExactly(v *reading.Reading) []*placement {
	return s.one(s.results().resultOf(v, strategy.ExactWindows, onlyDistinctive))
}

// resultByLines finds the result of a reading, ignoring blanks.
func (s *search) resultByLines(v *reading.Reading) []*placement {
	return s.one(s.results().resultOf(v, strategy.KeyWindows, anyEvidence))
}

// one returns a list of p alone, or an empty list if p is nil.
func (s *search) one(p *placement) []*placement {
	if p == nil {
		return nil
	}
	return []*placement{p}
}

// Values of distinctive for the following functions.
const (
	onlyDistinctive = true
	anyEvidence     = false
)

// resultOf returns the place where the file has the result of a reading, as find matches it, or
// nil. Line numbers and lines that the prompt had around the file are removed from the reading
// first. If distinctive is set, only a distinctive line that the block adds counts as evidence.
func (d results) resultOf(v *reading.Reading, find windows, distinctive bool) *placement {
	if bare, ok := reading.WithoutGutter(v); ok {
		v = bare
	}
	if inner, occurs := reading.Unwrapped(d.doc, d.path, v); inner != nil && !occurs {
		v = inner
	}
	if distinctive && !v.Keeps() {
		return nil // a single line may occur elsewhere for an unrelated reason
	}
	return d.already(v, find, distinctive)
}

// already returns the place where the file has all of REPLACE, as find matches it, or nil. REPLACE
// must occur only once. The match is evidence if an added line is distinctive, if an added line is
// between kept lines, or if the match is at the hinted line. If distinctive is set, only the first
// counts.
func (d results) already(v *reading.Reading, find windows, distinctive bool) *placement {
	if v.Replace.Len() == 0 {
		return nil // a deletion leaves nothing to find
	}
	result := v.Result()
	var at []int
	for first := range find(d.doc, result.Search) {
		if at = append(at, first); len(at) > 1 {
			return nil
		}
	}
	if len(at) == 0 {
		return nil
	}
	if !d.judge.IsResult(v, at[0], distinctive) {
		return nil
	}
	// Where only blanks differ, the added lines must still be as the splice would write them.
	a, name := align.Diagonal(d.doc, result.Search, at[0]), "exact"
	if a.Relation() != align.Same {
		if name = "whitespace-normalized"; !d.writes(v, a) {
			return nil
		}
	}
	return resultPlacement(name, result, a)
}

// resultPlacement returns the placement of a block whose result is in the document. result is a
// reading as [reading.Reading.Result] returns it, and a pairs its lines with the document's. by is the
// strategy in the report.
func resultPlacement(by string, result *reading.Reading, a align.Alignment) *placement {
	return &placement{
		kind: ofResult, tier: tierNormalized, strategy: by, score: 1, reading: result, alignment: a,
	}
}

// isOpenElsewhere reports whether a block still has something to change although its result is in
// the file: SEARCH matches another place, ignoring blanks, and no reading's SEARCH overlaps the
// result. If there is a hint, that other place must also be closer to it.
func (d results) isOpenElsewhere(readings []*reading.Reading, result *placement) bool {
	open := false
	hint := result.reading.Search.Hint
	for _, v := range readings {
		for _, v := range append(reading.Undone(d.doc, d.path, v), v) {
			for first := range strategy.KeyWindows(d.doc, v.Search) {
				if result.span().overlaps(span{first, first + v.Search.Len()}) {
					return false // the result contains SEARCH, so a match proves nothing
				}
				if !open {
					p := &placement{alignment: align.Diagonal(d.doc, v.Search, first)}
					open = p.alignment.Relation() <= align.Spaced && (hint == 0 || p.off(hint) < result.off(hint))
				}
			}
		}
	}
	return open
}

// appliedAtHint returns the place of the block's result if that is at or close to the line hint,
// and SEARCH was found only elsewhere: those places are other copies of the changed lines.
// Otherwise it returns nil. Each place in f must be at least twice as far from the hint as the
// result.
func (d results) appliedAtHint(f *findings) *placement {
	v := f.placements[0].reading
	hint := v.Search.Hint
	if hint == 0 || len(f.dividers) > 0 {
		return nil // dividers: it's unknown where REPLACE begins
	}
	result := v.Result()
	at := nearest(strategy.ExactWindows(d.doc, result.Search), hint, 1)
	if len(at) == 0 || !d.judge.IsResult(v, at[0], anyEvidence) {
		return nil
	}
	p := resultPlacement("exact", result, align.Exact(v.Replace.Len(), at[0]))
	if p.off(hint) > 0 && !v.AddsWord() {
		return nil // brackets may be near the hint by chance
	}
	for _, q := range f.placements {
		if p.overlaps(q) || 2*p.off(hint) > q.off(hint) {
			return nil
		}
	}
	return p
}

// writes reports whether the document has the added lines as the splice would write them: byte for
// byte, or at the depth that the kept lines show. The alignment a pairs REPLACE with the document.
func (d results) writes(v *reading.Reading, a align.Alignment) bool {
	p := &placement{kind: ofResult, tier: tierNormalized, reading: v, alignment: beforeResult(v, a)}
	d.settleIndent(p)
	return d.splicer(p).HasResult(a)
}

// beforeResult turns a, which pairs REPLACE with the document, into the alignment that SEARCH would
// have had before the block was applied. Kept lines are paired as in a. A deleted line is missing,
// unless it has the same depth as the line that replaces it and no kept line has that depth. Then
// it's paired with that line. The pairs show how the block was indented when it was applied.
func beforeResult(v *reading.Reading, a align.Alignment) align.Alignment {
	out := make(align.Alignment, v.Search.Len())
	for i := range out {
		out[i] = align.Pair{Search: i, File: -1, Relation: align.Missing}
	}
	at := a.BySearch()
	kept := map[string]bool{} // margins
	reading.Unchanged(v.Hunks(), v.Search.Len(), func(r, i int) {
		out[i] = a[at[r]]
		out[i].Search = i
		if line := v.Search.Line(i); !text.Blank(line) {
			kept[string(text.Margin(line))] = true
		}
	})
	for r, l := range v.Counterparts() {
		if l.For < 0 || out[l.For].File >= 0 || a[at[r]].File < 0 {
			continue
		}
		margin := text.Margin(l.Text)
		if !kept[string(margin)] && bytes.Equal(margin, text.Margin(v.Search.Line(l.For))) {
			out[l.For] = align.Pair{Search: l.For, File: a[at[r]].File, Relation: align.Indented}
		}
	}
	return out
}

// result returns the lines of the document that have REPLACE, if they overlap p, where SEARCH was
// found, and the deleted lines are gone. It returns nil if there are none. If there are some, the block
// was applied before, and its result contains or resembles SEARCH. If the added lines have a word,
// blanks are ignored unless the policy is strict.
func (d results) result(p *placement) *span {
	v := p.reading
	if !v.Adds() {
		return nil
	}
	find := windows(strategy.ExactWindows)
	switch {
	case v.AddsWord() && d.opt.Policy != Strict:
		find = strategy.KeyWindows // these include the exact ones
	case !v.AddsWord() && p.tier == tierExact && !v.Inserts():
		return nil // SEARCH is there, and brackets alone don't prove the result
	}
	near := d.around(p.span(), v.Replace.Len())
	if v.AddsLine(func(line []byte) bool { return hasWordNotIn(near, line) }) {
		return nil // this settles most blocks
	}
	result, above := &strategy.Pattern{Document: d.respelt(p)}, 0 // above: lines dropped from the beginning
	if p.alignment[0].Relation == align.Missing || p.alignment[len(p.alignment)-1].Relation == align.Missing {
		from, to := result.Core() // the file lacks SEARCH's blank ends, too
		result, above = result.Slice(from, to), from
	}
	for at := range d.windowsAt(p.span(), result, find) {
		if !d.judge.LeavesOver(v, at.first-above) {
			return &at
		}
	}
	return nil
}

// hasWordNotIn reports whether line has a word that isn't in the text in.
func hasWordNotIn(in, line []byte) bool {
	for t := range text.EachToken(line) {
		if text.BeginsWithWord(t) && !bytes.Contains(in, t) {
			return true
		}
	}
	return false
}

// around returns the text of the lines at, and of up to n lines above and below them.
func (d results) around(at span, n int) []byte {
	low, high := max(0, at.first-n), min(d.doc.Len(), at.end+n)
	return d.doc.Text()[d.doc.Start(low):d.doc.Start(high)]
}

// windowsAt yields the windows of a pattern that overlap the lines at. It searches only the lines
// around them.
func (d results) windowsAt(at span, pat *strategy.Pattern, find windows) iter.Seq[span] {
	low, near := max(0, at.first-pat.Len()), strategy.NewDocument(d.around(at, pat.Len()))
	return func(yield func(span) bool) {
		for first := range find(near, pat) {
			w := span{low + first, low + first + pat.Len()}
			if w.overlaps(at) && !yield(w) {
				return
			}
		}
	}
}

// respelt returns REPLACE as it would look at the place p: lines that are also in SEARCH appear as
// the file writes them there, with REPLACE's indentation. They are followed by the blank lines and
// comments that only the file has below them.
func (d results) respelt(p *placement) *strategy.Document {
	// By trimmed SEARCH line: the file's version of it, and the lines that only the file has below.
	there, below := map[string][]byte{}, map[string][]byte{}
	var above []byte // the last SEARCH line that the file has
	for _, q := range p.alignment {
		switch {
		case q.Search >= 0 && q.File >= 0:
			above = bytes.TrimSpace(p.reading.Search.Line(q.Search))
			if q.Relation == align.Similar {
				there[string(above)] = bytes.TrimSpace(d.doc.Line(q.File))
			}
		case q.File >= 0 && len(above) > 0:
			line := d.doc.Line(q.File)
			if text.Blank(line) || text.IsComment(line) && !p.reading.Replace.HasLine(line) {
				below[string(above)] = append(append(below[string(above)], line...), '\n')
			}
		}
	}
	replace := p.reading.Replace
	if len(there) == 0 && len(below) == 0 {
		return replace
	}
	var out []byte
	for r := range replace.Len() {
		line := replace.Line(r)
		key := bytes.TrimSpace(line)
		if as, ok := there[string(key)]; ok {
			line = append(bytes.Clone(text.Margin(line)), as...)
		}
		out = append(append(out, line...), '\n')
		out = append(out, below[string(key)]...)
	}
	return strategy.NewDocument(out)
}

// Suppose an earlier run refused a block because it matched several places. If one of them now has
// the block's result, made by hand or by a more specific block, that may be the place that was
// meant, and the remaining match proves nothing. The file alone doesn't show this, because the
// result also occurs if a model makes one thing like another. Only the findings of earlier runs
// show it.

// rivalResults adds the places that have the block's result to f, which has only one place, if an
// earlier run found SEARCH at several places. Any of them may be the one that is meant, so the
// block is then ambiguous.
func (d results) rivalResults(f *findings) {
	if len(f.placements) != 1 || d.wasAmbiguous == nil {
		return
	}
	p := f.placements[0]
	v := p.reading
	if p.kind != ofLines || p.tier > tierNormalized || !v.Adds() || d.result(p) != nil {
		return
	}
	find := windows(strategy.ExactWindows)
	if p.tier == tierNormalized {
		find = strategy.KeyWindows
	}
	asked := false
	result := v.Result()
	for _, at := range nearestToHint(v)(find(d.doc, result.Search)) {
		if p.span().overlaps(span{at, at + v.Replace.Len()}) {
			continue // it overlaps the place
		}
		if !asked && !d.wasAmbiguous(v.Search.Text()) {
			return
		}
		asked = true
		f.placements = append(f.placements,
			resultPlacement(p.strategy, result, align.Diagonal(d.doc, result.Search, at)))
	}
}

// mayBeApplied reports whether the block's result is at one of several places; see
// [results.rivalResults].
func (f *findings) mayBeApplied() bool {
	return len(f.placements) > 1 &&
		slices.ContainsFunc(f.placements, func(p *placement) bool { return p.kind == ofResult })
}
