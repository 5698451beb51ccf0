package apply

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// textSearch places blocks whose SEARCH is text within lines, and blocks that replace every
// occurrence.
type textSearch struct{ *locator }

// text searches for a block whose SEARCH is text, and stores the places found in the item. It takes
// exact occurrences, even inside lines, or else those with the line ends of Windows. If there are
// none, it searches for whole lines. A block that replaces every occurrence is applied at once.
func (t textSearch) text(it *item) {
	old, new := it.block.Search, it.block.Replace
	if len(old) == 0 {
		it.fail(NotFound, "the text to find is empty")
		return
	}
	near := t.doc.Start(max(0, it.hint-1))
	at := t.occurrences(old, near)
	if len(at) == 0 && !t.opt.ExactBytes && bytes.Contains(old, []byte("\n")) && !bytes.Contains(old, []byte("\r")) {
		old, new = crlf(old), crlf(new)
		at = t.occurrences(old, near)
	}
	switch {
	case it.block.ReplaceAll && len(at) > 0:
		t.replaceEvery(it, old, new)
		return
	case len(at) == 0:
		t.textAsLines(it)
		return
	}
	if it.block.Occurrence > 0 {
		if at = t.nth(it, old, new); at == nil {
			return
		}
	} else if len(at) > 1 && len(at) < tooMany {
		at = t.wholeOf(old, at)
	}
	if t.isAtHint(it, old, new, at) {
		it.fail(Ambiguous, fmt.Sprintf("line %d, which the reply names, has the new text already, and the "+
			"old text is in line %d; if that one is meant, name it", it.hint, t.doc.LineAt(at[0])+1))
		return
	}
	found := findings{tried: []string{"exact"}}
	for _, start := range at {
		found.placements = append(found.placements, t.textPlacement(start, old, new))
	}
	it.found = found
}

// nth returns the offset of the occurrence that the reply gives by number, as the only element, or
// nil if it refuses the block. It refuses if the block may already be applied, because a second run
// would change another occurrence: the new text is where that occurrence would be, or is empty.
func (t textSearch) nth(it *item, old, new []byte) []int {
	text, n, at := t.doc.Text(), it.block.Occurrence, -len(old) // at+len(old) is 0 at first
	all := bytes.Count(text, old)
	switch {
	case n > all:
		it.fail(NotFound, fmt.Sprintf("the reply means occurrence %d of the text, and the file has %d; "+
			"lengthen the text until it occurs once", n, all))
		return nil
	case all > 1 && len(new) == 0, t.follows(new, old, n-1):
		it.fail(Ambiguous, fmt.Sprintf("the reply means occurrence %d of the text, and the edit may be "+
			"applied already; lengthen the text until it occurs once", n))
		return nil
	case all > 1:
		it.warn(warning.Chosen.Say("%d places fit; chose the occurrence that the reply names", all))
	}
	for range n {
		at += len(old) + bytes.Index(text[at+len(old):], old)
	}
	return []int{at}
}

// follows reports whether the file has new, other than as part of old, below n occurrences of old and
// above the next one.
func (t textSearch) follows(new, old []byte, n int) bool {
	rest := t.doc.Text()
	for ; n > 0; n-- {
		_, rest, _ = bytes.Cut(rest, old)
	}
	between, _, _ := bytes.Cut(rest, old)
	return len(new) > 0 && bytes.Contains(between, new)
}

// isAtHint reports whether the new text is in the line of the block's hint, is distinctive, and none of
// the old text's occurrences, at the given offsets, is in that line. The block may then be applied
// already, and these be other copies, or the hint may be wrong.
func (t textSearch) isAtHint(it *item, old, new []byte, at []int) bool {
	if it.hint == 0 || it.hint > t.doc.Len() || !text.Telling(new) || bytes.Contains(new, old) {
		return false
	}
	atHint := func(start int) bool { return t.doc.LineAt(start) == it.hint-1 }
	return !slices.ContainsFunc(at, atHint) &&
		slices.ContainsFunc(t.occurrences(new, t.doc.Start(it.hint-1)), atHint)
}

// withLineEnds returns new with the line ends of the file at offset start, unless new or the text old
// that it replaces has carriage returns of its own.
func (t textSearch) withLineEnds(start int, old, new []byte) []byte {
	own := bytes.IndexByte(old, '\r') >= 0 || bytes.IndexByte(new, '\r') >= 0
	if own || t.opt.ExactBytes || len(splice.LineEnd(t.doc, t.doc.LineAt(start))) < 2 {
		return new
	}
	return crlf(new)
}

// textPlacement returns the placement of old, which occurs at offset start. A block that replaces
// whole lines with whole lines is treated like any block of lines, so that the same change is
// recognized in both forms. If the file already has new around this occurrence, the placement is a
// result.
func (t textSearch) textPlacement(start int, old, new []byte) *placement {
	new = t.withLineEnds(start, old, new)
	var notes []string
	if t.runsOn(start, old, new) {
		new = append(slices.Clip(new), splice.LineEnd(t.doc, t.doc.LineAt(start))...)
		notes = []string{warning.Repaired.Say("the new text would run on into the next line; it got the " +
			"line end of the old text")}
	}
	endAlike := bytes.HasSuffix(old, []byte{'\n'}) == bytes.HasSuffix(new, []byte{'\n'})
	if endAlike && t.wholeLines(start, start+len(old)) && len(new) > 0 {
		v := reading.New(old, new, 0)
		return &placement{
			tier: tierExact, strategy: "exact", score: 1, reading: v, notes: notes,
			alignment: align.Exact(v.Search.Len(), t.doc.LineAt(start)),
		}
	}
	p := &placement{
		kind: ofText, tier: tierExact, strategy: "exact", score: 1, notes: notes,
		inside: &strategy.Candidate{Start: start, End: start + len(old)},
	}
	if t.insertedBefore(old, new, start) {
		p.kind, p.tier = ofResult, tierNormalized
	}
	p.alignment = t.linesOf(*p.inside)
	p.insert = t.textEdit(start, old, new)
	if note := t.insideWord(*p.inside); note != "" && p.kind != ofResult {
		p.notes = append(p.notes, note)
	}
	return p
}

// runsOn reports whether new lacks the line end that old has, which joins its last line to the next
// one. Lines are only joined on purpose after an opening bracket, a comma or an operator, or before a
// line that continues a statement.
func (t textSearch) runsOn(start int, old, new []byte) bool {
	next := bytes.TrimLeft(t.doc.Text()[start+len(old):], " \t")
	if len(new) == 0 || len(next) == 0 || !bytes.HasSuffix(old, []byte{'\n'}) || bytes.HasSuffix(new, []byte{'\n'}) ||
		bytes.HasPrefix(old, []byte{'\n'}) {
		return false
	}
	ends := text.EndsWithWord(new) || bytes.IndexByte([]byte(")]{}\"';:"), new[len(new)-1]) >= 0
	return ends && bytes.IndexByte([]byte("\r\n)]},.;:?&|="), next[0]) < 0
}

// linesOf returns an alignment that says only which lines contain text.
func (l *locator) linesOf(text strategy.Candidate) (a align.Alignment) {
	for f := l.doc.LineAt(text.Start); f <= l.doc.LineAt(text.End-1); f++ {
		a = append(a, align.Pair{Search: -1, File: f, Relation: align.Extra})
	}
	return a
}

// textEdit returns the edit that replaces old with new at start. If it deletes whole lines, it also
// deletes their last line end.
func (t textSearch) textEdit(start int, old, new []byte) splice.Edit {
	end := start + len(old)
	text := t.doc.Text()
	if len(new) == 0 && t.wholeLines(start, end) && end < len(text) && text[end-1] != '\n' {
		end += bytes.IndexByte(text[end:], '\n') + 1
	}
	return splice.Edit{Start: start, End: end, Text: new}
}

// wholeLines reports whether the bytes from start to end are whole lines, with or without the last
// line end.
func (t textSearch) wholeLines(start, end int) bool {
	text := t.doc.Text()
	if start > 0 && text[start-1] != '\n' {
		return false
	}
	rest := text[end:]
	return len(rest) == 0 || end > start && text[end-1] == '\n' || rest[0] == '\n' ||
		bytes.HasPrefix(rest, []byte("\r\n"))
}

// wholeOf returns only the occurrence that consists of whole lines, if old has several lines and
// exactly one of the occurrences does. Otherwise it returns all of them.
func (t textSearch) wholeOf(old []byte, at []int) []int {
	whole := slices.DeleteFunc(slices.Clone(at), func(start int) bool { return !t.wholeLines(start, start+len(old)) })
	if bytes.IndexByte(old, '\n') < 0 || len(whole) != 1 {
		return at
	}
	return whole
}

// insertedBefore reports whether new contains old, and the occurrence of old at start is already
// part of new. For example, if old is "a" and new is "a, bcd", a file with "a, bcd" already has the
// change. What new adds must have a word.
func (t textSearch) insertedBefore(old, new []byte, start int) bool {
	k := bytes.Index(new, old) // new[:k] is inserted before old
	if k < 0 || start < k {
		return false
	}
	added := slices.Concat(new[:k], new[k+len(old):])
	return text.HasWord(added) && bytes.HasPrefix(t.doc.Text()[start-k:], new)
}

// replaceEvery replaces all occurrences that don't overlap, of which there is at least one. It
// refuses the item if the reply expects another number, or if there are too many.
func (t textSearch) replaceEvery(it *item, old, new []byte) {
	text := t.doc.Text()
	var edits []splice.Edit
	last := 0 // where the last occurrence begins
	for from := 0; ; {
		n := bytes.Index(text[from:], old)
		if n < 0 {
			break
		}
		if len(edits) == maxOccurrences {
			it.failTooMany()
			return
		}
		last = from + n
		e := t.textEdit(last, old, t.withLineEnds(last, old, new))
		edits = append(edits, e)
		from = e.End
	}
	v, first := reading.New(old, new, 0), t.doc.LineAt(edits[0].Start)
	if t.mayReplace(it, len(edits), v, alongDiagonal(t.doc, v.Search, first)) {
		it.replaced("exact", len(edits), [2]int{first + 1, t.doc.LineAt(last+len(old)-1) + 1}, edits)
	}
}

// mayReplace reports whether n occurrences of v's SEARCH may be replaced, of which a pairs the lines of
// the first one. If not, it refuses the item.
func (t textSearch) mayReplace(it *item, n int, v *reading.Reading, a align.Alignment) bool {
	all, limit := int64(n)*int64(len(v.Replace.Text())), t.opt.Limits.Added
	switch {
	case !it.checkExpected(n):
	case all > limit:
		it.fail(TooLarge, fmt.Sprintf("%d occurrences would become %d bytes, and the limit is %d; "+
			"replace less at once, or raise the limit", n, all, limit))
	default:
		return !it.file.refuseLeftOut(it, v, t.doc, a)
	}
	return false
}

// replaced places the item at n occurrences, which the edits replace.
func (it *item) replaced(by string, n int, lines [2]int, edits []splice.Edit) {
	it.report.Strategy, it.report.Score, it.report.Lines = by, 1, &lines
	it.place(&placement{kind: ofEdits, strategy: by, score: 1}, "")
	if it.edits = edits; n > 1 {
		it.warn(warning.Occurrences.Say("%d occurrences replaced", n))
	}
}

// maxOccurrences is how many occurrences one block may replace. Each temporarily takes a few
// hundred bytes of memory.
const maxOccurrences = 1_000_000

func (it *item) failTooMany() {
	it.fail(TooLarge, fmt.Sprintf("the text to find occurs in more than %d places of the file; "+
		"lengthen it, or replace it with another tool", maxOccurrences))
}

// checkExpected reports whether n, the number of occurrences found, is the one that the reply
// expects, if it gives any. If not, it refuses the item.
func (it *item) checkExpected(n int) bool {
	want := it.block.Expected
	if want == 0 || want == n {
		return true
	}
	reason := NotFound
	if n > want {
		reason = Ambiguous
	}
	it.fail(reason, fmt.Sprintf("the reply expects to replace %d occurrences, and the file has %d; "+
		"give that number to replace all of them, or lengthen the text to find", want, n))
	return false
}

// textAsLines searches for text that doesn't occur exactly with the tolerant strategies, which work
// on whole lines. It doesn't if the policy is strict or the run's budget is spent.
func (t textSearch) textAsLines(it *item) {
	v := reading.New(it.block.Search, it.block.Replace, it.hint)
	switch {
	case t.opt.Policy == Strict:
		it.found = findings{tried: []string{"exact"}}
	case t.work.scans <= 0:
		it.found = findings{tried: []string{"exact"}, exhausted: true}
	case it.block.ReplaceAll:
		t.work.scans -= t.scan() / 2
		t.all(it)
	default:
		it.found = t.quick(v)
	}
}

// all searches for a block of lines that replaces every occurrence, and replaces them. It takes the
// exact occurrences or, if there are none, those that are equal after the same normalization. If
// there are none either, it searches for a single place.
func (t textSearch) all(it *item) {
	v := reading.New(it.block.Search, it.block.Replace, it.hint)
	vs := []*reading.Reading{v}
	s := &search{locator: t.locator, findings: &findings{readings: vs, undone: vs}, pick: nonOverlapping}
	var ps []*placement
	for i := 0; i < len(t.levels) && len(ps) == 0; i++ {
		if t.levels[i].every && (i == 0 || t.opt.Policy != Strict) {
			ps = distinct(s.ask(&t.levels[i]))
		}
		if t.opt.ExactBytes {
			ps = slices.DeleteFunc(ps, func(p *placement) bool { return !t.asWritten(p) })
		}
	}
	differs := func(p *placement) bool { return p.alignment.Relation() != ps[0].alignment.Relation() }
	switch {
	case slices.ContainsFunc(ps, differs):
		it.found = findings{placements: ps, tried: s.tried} // some may not be meant
	case len(ps) > maxOccurrences:
		it.failTooMany()
	case len(ps) == 0:
		it.found = t.quick(v)
	default:
		t.replaceAt(it, v, ps)
	}
}

// replaceAt replaces SEARCH of the reading v at each of the places ps that doesn't overlap the one
// above. It refuses the item instead if the reply expects another number of places, or if there is
// another reason to.
func (t textSearch) replaceAt(it *item, v *reading.Reading, ps []*placement) {
	end := 0 // of the last place that is taken
	nonOverlapping := ps[:0:0]
	for _, p := range ps {
		if at := p.span(); at.first >= end {
			end = at.end
			nonOverlapping = append(nonOverlapping, p)
		}
	}
	if !t.mayReplace(it, len(nonOverlapping), v, ps[0].alignment) {
		return
	}
	var edits []splice.Edit
	for _, p := range nonOverlapping {
		if t.settleIndent(p); t.refuseIndentation(it, p) {
			return
		}
		one, _ := t.edits(p)
		edits = append(edits, one...)
		forgiven := slices.Concat(it.report.Forgiven, t.forgiven(p))
		slices.Sort(forgiven)
		it.report.Forgiven = slices.Compact(forgiven)
	}
	it.replaced(ps[0].strategy, len(nonOverlapping), [2]int{ps[0].span().first + 1, end}, edits)
}

// occurrences returns the offsets of needle in the file, ascending and including overlapping ones.
// If there are more than tooMany, it returns those nearest to the offset near.
func (l *locator) occurrences(needle []byte, near int) []int {
	text := l.doc.Text()
	every := func(yield func(int) bool) {
		for at := 0; ; at++ {
			n := bytes.Index(text[at:], needle)
			if n < 0 {
				return
			}
			if at += n; !yield(at) {
				return
			}
		}
	}
	return nearest(every, near+1, tooMany)
}

func crlf(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
}

// insideWord returns a warning if the text at the given offsets begins or ends inside a word of the
// file, or "".
func (t textSearch) insideWord(at strategy.Candidate) string {
	all := t.doc.Text()
	if !text.JoinWord(all[:at.Start], all[at.Start:at.End]) && !text.JoinWord(all[at.Start:at.End], all[at.End:]) {
		return ""
	}
	return warning.InsideWord.Say("the text is a part of a longer word in line %d", t.doc.LineAt(at.Start)+1)
}
