package apply

import (
	"bytes"
	"maps"
	"slices"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/strategy"
)

// edit is one change to a document: the bytes start to end (exclusive) become text. Edits of whole lines begin and end
// at line borders.
type edit struct {
	start, end int
	text       []byte
}

// splice is the three-way merge of one block: SEARCH is the base, REPLACE is theirs, the file's lines are ours.
//
// Lines that REPLACE keeps stay the file's, lines it drops go where SEARCH is aligned with them, lines it adds come in
// with the file's indentation and line ends. What SEARCH never mentions is never touched.
type splice struct {
	doc       *strategy.Document
	search    *strategy.Pattern
	replace   *strategy.Document
	alignment strategy.Alignment
	indent    *indent.Map
	repair    func([]byte) []byte // undoes on added lines what SEARCH proved; nil for nothing

	changes []change
	// standing are the changes whose result the file has already, standingAdded how many lines they add.
	standing      []change
	standingAdded int

	at    []int          // pair of each SEARCH line
	moved map[int][]byte // added lines that are deleted lines in another place: the file's text
	edits []edit
}

// asWritten translates no indentation.
var asWritten = indent.Learn(nil, 0)

// splicer prepares the merge of p's block; changes are set.
func (l *locator) splicer(p *placement) *splice {
	v := p.variant
	s := &splice{
		doc: l.doc, search: v.search, replace: v.replace, alignment: p.alignment,
		changes: v.changes(),
		at:      p.alignment.BySearch(v.search.Len()),
	}
	if p.tier == tierExact {
		s.indent = asWritten // and what moves has the same bytes
		return s
	}
	s.repair = repairOf(l.doc, v.search, p.alignment)
	s.indent = s.indentWithout(func(int) bool { return false })
	s.findMoves()
	return s
}

// change is one place where REPLACE differs from SEARCH: the SEARCH lines s0 to s1 become the REPLACE lines r0 to r1.
type change struct{ s0, s1, r0, r1 int }

// merged is the text of REPLACE line r without indentation, where it changes one SEARCH line that the file has with slips:
// what SEARCH and REPLACE share stays the file's, and only what they differ in is put in.
func (s *splice) merged(r int, c change) ([]byte, bool) {
	if c.s1-c.s0 != c.r1-c.r0 {
		return nil, false
	}
	i := c.near(r)
	q := s.alignment[s.at[i]]
	if q.File < 0 || q.Relation < strategy.Folded || q.Relation == strategy.Partial || q.Relation == strategy.Reflowed {
		return nil, false
	}
	body := func(line []byte) []byte {
		if s.repair != nil {
			line = s.repair(line)
		}
		return bytes.Trim(line, " \t")
	}
	return mergeLine(body(s.search.Line(i)), bytes.Trim(s.doc.Line(q.File), " \t"), body(s.replace.Line(r)))
}

// shrinks reports whether the change drops more lines than it adds.
func (c change) shrinks() bool { return c.s1-c.s0 > c.r1-c.r0 }

// near is the SEARCH line that REPLACE line r stands for or beside: where as many lines are added as dropped, each its own.
func (c change) near(r int) int {
	if c.s1-c.s0 == c.r1-c.r0 {
		return c.s0 + r - c.r0
	}
	return c.s0
}

// keepsShape reports whether the lines that c adds are indented as those they replace, so that each goes by its own; else all
// go by the first, so that they stay together. A change that reaches over more lines of the file than SEARCH has, as REPLACE
// does that is put over all of a place, has no shape to keep.
func (s *splice) keepsShape(c change) bool {
	if c.s1-c.s0 != c.r1-c.r0 || c.s1 > s.search.Len() {
		return false
	}
	for k := range c.s1 - c.s0 {
		if !bytes.Equal(indent.Of(s.search.Line(c.s0+k)), indent.Of(s.replace.Line(c.r0+k))) {
			return false
		}
	}
	return true
}

// changes compares SEARCH with REPLACE by line.
func changes(search, replace *strategy.Document) []change {
	diff := linediff.Diff(search, replace)
	out := make([]change, len(diff))
	for k, c := range diff {
		out[k] = change{c.A0, c.A1, c.B0, c.B1}
	}
	// A deletion that could be seen a line further is seen there: blocks of code end, not begin, with their bracket.
	for k, c := range out {
		limit := search.Len()
		if k+1 < len(out) {
			limit = out[k+1].s0
		}
		for c.r0 == c.r1 && c.s1 < limit && bytes.Equal(search.Line(c.s0), search.Line(c.s1)) {
			c = change{c.s0 + 1, c.s1 + 1, c.r0 + 1, c.r1 + 1}
		}
		out[k] = c
	}
	return out
}

func lines(d *strategy.Document) [][]byte {
	out := make([][]byte, d.Len())
	for i := range out {
		out[i] = d.Line(i)
	}
	return out
}

// run returns the edits for the changes, in order and apart.
func (s *splice) run() []edit {
	for _, c := range s.changes {
		s.change(c)
	}
	return s.edits
}

// dropStanding takes out the changes whose result stands in the file already, and counts them.
func (s *splice) dropStanding() int {
	var left []change
	for _, c := range s.changes {
		if !s.stands(c) {
			left = append(left, c)
			continue
		}
		s.standing = append(s.standing, c)
		s.standingAdded += c.r1 - c.r0
	}
	if len(s.standing) == 0 {
		return 0
	}
	s.changes = left
	// The lines that a standing change has rewritten say nothing about the others' indentation.
	gone := s.standingLines()
	s.indent = s.indentWithout(func(line int) bool { return gone[line] })
	return len(s.standing)
}

// standingLines marks the SEARCH lines that standing changes have replaced.
func (s *splice) standingLines() []bool {
	out := make([]bool, s.search.Len())
	for _, c := range s.standing {
		for i := c.s0; i < c.s1; i++ {
			out[i] = true
		}
	}
	return out
}

// stands reports whether the lines that c adds are what the file has between the kept lines around c. An insertion that
// begins with the line behind it, or ends with the line before it, may be seen a line further; any such view will do.
func (s *splice) stands(c change) bool {
	if s.standsAt(c) {
		return true
	}
	if c.s0 < c.s1 {
		return false
	}
	for d := c; d.s0 > 0 && d.r0 > 0 && bytes.Equal(s.search.Line(d.s0-1), s.replace.Line(d.r1-1)); {
		d = change{d.s0 - 1, d.s1 - 1, d.r0 - 1, d.r1 - 1}
		if s.standsAt(d) {
			return true
		}
	}
	for d := c; d.s1 < s.search.Len() && d.r1 < s.replace.Len() && bytes.Equal(s.search.Line(d.s1), s.replace.Line(d.r0)); {
		d = change{d.s0 + 1, d.s1 + 1, d.r0 + 1, d.r1 + 1}
		if s.standsAt(d) {
			return true
		}
	}
	return false
}

func (s *splice) standsAt(c change) bool {
	around := s.indent
	if c.s0 < c.s1 && c.r0 < c.r1 && !around.Identity() {
		missing := func(line []byte) bool { return !s.doc.HasLine(line) }
		if slices.ContainsFunc(s.rendered(c, asWritten), missing) {
			return false // which spares learning the indentation once more
		}
		// If c was made already, the lines it changes are indented as it left them.
		around = s.indentWithout(func(line int) bool { return line >= c.s0 && line < c.s1 })
	}
	want := s.rendered(c, around)
	telling := slices.ContainsFunc(want, func(line []byte) bool { return strategy.Weight(line) > 4 })

	from, to := s.bounds(c, false)
	switch {
	case from < 0 && to < 0:
		return false
	case from < 0:
		return telling && s.holds(to-len(want), to, want) && s.goneBut(c, to-len(want), to)
	case to < 0:
		return telling && s.holds(from, from+len(want), want) && s.goneBut(c, from, from+len(want))
	case len(want) == 0:
		return from == to // what was to be deleted is gone
	case s.holds(from, to, want):
		return true
	}
	// A kept line that repeats an added one may be aligned with either.
	n := len(want)
	if s.holds(from, from+n, want) && s.keptAt(c.s1, from+n) && s.goneBut(c, from, from+n) ||
		s.holds(to-n, to, want) && s.keptAt(c.s0-1, to-n-1) && s.goneBut(c, to-n, to) {
		return telling
	}
	// Blank lines at the borders may be taken for the kept ones.
	from, to = s.bounds(c, true)
	want = slices.DeleteFunc(want, indent.Blank)
	if from < 0 || to < 0 || len(want) == 0 {
		return false
	}
	var have [][]byte
	for f := from; f < to; f++ {
		if line := s.doc.Line(f); !indent.Blank(line) {
			have = append(have, line)
		}
	}
	return slices.EqualFunc(have, want, bytes.Equal)
}

// elides reports whether SEARCH line i stands for lines of the file.
func (s *splice) elides(i int) bool {
	if s.alignment[s.at[i]].File >= 0 {
		return false
	}
	is, _ := elision(s.search.Line(i))
	return is
}

// addedFor are the REPLACE lines of the change that drops SEARCH line i.
func (s *splice) addedFor(i int) [][]byte {
	for _, c := range s.changes {
		if c.s0 <= i && i < c.s1 {
			added := make([][]byte, 0, c.r1-c.r0)
			for r := c.r0; r < c.r1; r++ {
				added = append(added, s.replace.Line(r))
			}
			return added
		}
	}
	return nil
}

// bounds are the file lines between the closest kept lines before and after c that the file has, blank ones passed over on
// request; -1 where there is none.
func (s *splice) bounds(c change, telling bool) (from, to int) {
	from, to = -1, -1
	for i := c.s0 - 1; i >= 0 && from < 0 && !s.elides(i); i-- {
		if f := s.alignment[s.at[i]].File; f >= 0 && !(telling && s.blank(i)) {
			from = f + 1
		}
	}
	for i := c.s1; i < s.search.Len() && to < 0 && !s.elides(i); i++ {
		if !(telling && s.blank(i)) {
			to = s.alignment[s.at[i]].File
		}
	}
	return from, to
}

// goneBut reports whether no line that c deletes stands in the file outside the lines from to to-1.
func (s *splice) goneBut(c change, from, to int) bool {
	if !c.shrinks() {
		return true // what stands beside what replaced it is another line like it
	}
	for i := c.s0; i < c.s1; i++ {
		q := s.alignment[s.at[i]]
		if q.File >= 0 && q.Relation < strategy.Similar && (q.File < from || q.File >= to) {
			return false
		}
	}
	return true
}

// keptAt reports whether file line f reads as SEARCH line i.
func (s *splice) keptAt(i, f int) bool {
	return i >= 0 && i < s.search.Len() && f >= 0 && f < s.doc.Len() && s.search.Keys()[i] == s.doc.Keys()[f]
}

// holds reports whether the file lines from to to-1 are want.
func (s *splice) holds(from, to int, want [][]byte) bool {
	if from < 0 || to > s.doc.Len() || to-from != len(want) {
		return false
	}
	for i, line := range want {
		if !bytes.Equal(s.doc.Line(from+i), line) {
			return false
		}
	}
	return true
}

// indentWithout is what the alignment proves of indentation, SEARCH lines that skip names left out.
func (s *splice) indentWithout(skip func(line int) bool) *indent.Map {
	kept := slices.DeleteFunc(slices.Clone(s.alignment), func(p strategy.Pair) bool { return p.Search >= 0 && skip(p.Search) })
	return indent.Learn(s.indentPairs(kept), s.step())
}

func (s *splice) change(c change) {
	runs := s.runs(c)
	if len(runs) == 0 {
		if c.r0 < c.r1 {
			s.insert(s.gap(c.s0), c)
		}
		return
	}
	// The added lines take the place of the first run; other runs, parted by lines SEARCH does not have, just go.
	first := runs[0]
	atEnd := first.end == s.doc.Len() && len(s.doc.EOL(first.end-1)) == 0
	text := make([]byte, 0, s.replace.Start(c.r1)-s.replace.Start(c.r0)+c.r1-c.r0)
	for k, line := range s.rendered(c, s.indent) {
		text = append(text, line...)
		if !(atEnd && k == c.r1-c.r0-1) {
			text = append(text, s.eol(first.first+min(k, first.end-first.first-1))...)
		}
	}
	for i, run := range runs {
		if i > 0 {
			text = nil
		}
		start := s.doc.Start(run.first)
		if c.r0 == c.r1 && run.end == s.doc.Len() && len(s.doc.EOL(run.end-1)) == 0 && s.keeps(run.first-1) {
			start = s.doc.End(run.first - 1) // the file still ends without a line end
		}
		s.edits = append(s.edits, edit{start, s.doc.Start(run.end), text})
	}
}

// keeps reports whether file line f is one that SEARCH mentions and no edit so far touches, and is not empty: an empty line
// is nothing without its line end.
func (s *splice) keeps(f int) bool {
	begin, _ := s.alignment.Span()
	if f < begin || f < 0 || len(s.doc.Line(f)) == 0 {
		return false
	}
	n := len(s.edits)
	return n == 0 || s.edits[n-1].end <= s.doc.Start(f)
}

// lineRange is a range of file lines, end exclusive.
type lineRange struct{ first, end int }

// runs are the file lines aligned with the SEARCH lines of c, as maximal ranges without a foreign line in between.
func (s *splice) runs(c change) []lineRange {
	var runs []lineRange
	add := func(f int) {
		if n := len(runs) - 1; n >= 0 && runs[n].end == f {
			runs[n].end = f + 1
		} else {
			runs = append(runs, lineRange{f, f + 1})
		}
	}
	for i := c.s0; i < c.s1; i++ {
		at := s.at[i]
		if f := s.alignment[at].File; f >= 0 {
			add(f)
		}
		if s.alignment[at].Relation != strategy.Reflowed {
			continue
		}
		for _, p := range s.alignment[at+1:] {
			if p.Search >= 0 || p.Relation != strategy.Reflowed {
				break
			}
			add(p.File)
		}
	}
	return runs
}

// gap is the file line before which text goes that stands before SEARCH line i: right behind the line that SEARCH has
// before it, or right before line i, where the file has that.
func (s *splice) gap(i int) int {
	if i > 0 && i < s.search.Len() && (s.alignment[s.at[i-1]].File < 0 && s.alignment[s.at[i-1]].Relation != strategy.Reflowed || s.blank(i-1) && !s.blank(i)) {
		if f := s.alignment[s.at[i]].File; f >= 0 {
			return f
		}
	}
	for j := i - 1; j >= 0; j-- {
		at := s.at[j]
		if f := s.alignment[at].File; f >= 0 {
			for at+1 < len(s.alignment) && s.alignment[at+1].Search < 0 && s.alignment[at+1].Relation == strategy.Reflowed {
				at++
				f = s.alignment[at].File
			}
			return f + 1
		}
	}
	for j := i; j < s.search.Len(); j++ {
		if f := s.alignment[s.at[j]].File; f >= 0 {
			return f
		}
	}
	return s.doc.Len()
}

func (s *splice) blank(i int) bool { return indent.Blank(s.search.Line(i)) }

func (s *splice) insert(line int, c change) {
	at := s.doc.Start(line)
	var text []byte
	atEnd := line == s.doc.Len() && line > 0 && len(s.doc.EOL(line-1)) == 0
	if atEnd {
		text = append(text, s.eol(line-1)...)
	}
	for k, added := range s.rendered(c, s.indent) {
		text = append(text, added...)
		if !(atEnd && k == c.r1-c.r0-1) {
			text = append(text, s.eol(line-1)...)
		}
	}
	s.edits = append(s.edits, edit{at, at, text})
}

// rendered are the lines that c adds as the file wants them, without line ends, in the indentation of m.
func (s *splice) rendered(c change, m *indent.Map) [][]byte {
	out := make([][]byte, 0, c.r1-c.r0)
	keeps := s.keepsShape(c)
	for r := c.r0; r < c.r1; r++ {
		like := c.s0
		if keeps {
			like = c.near(r)
		}
		out = append(out, s.renderedLine(r, c, m, like))
	}
	return out
}

// renderedLine is REPLACE's line r, which c adds, indented like a line of SEARCH.
func (s *splice) renderedLine(r int, c change, m *indent.Map, like int) []byte {
	line := s.replace.Line(r)
	if s.repair != nil {
		line = s.repair(line)
	}
	if indent.Blank(line) {
		return line
	}
	own := indent.Of(line)
	margin := m.Apply(own, like)
	if moved, ok := s.moved[r]; ok {
		return slices.Concat(margin, moved)
	}
	if merged, ok := s.merged(r, c); ok {
		return slices.Concat(margin, merged)
	}
	if bytes.Equal(margin, own) {
		return line
	}
	return slices.Concat(margin, line[len(own):])
}

// eol is the line end for new text near file line i: that line's own, else the closest above, else below.
func (s *splice) eol(i int) []byte { return lineEnd(s.doc, i) }

func lineEnd(doc *strategy.Document, near int) []byte {
	for i := min(near, doc.Len()-1); i >= 0; i-- {
		if e := doc.EOL(i); len(e) > 0 {
			return e
		}
	}
	for i := max(0, near); i < doc.Len(); i++ {
		if e := doc.EOL(i); len(e) > 0 {
			return e
		}
	}
	return []byte{'\n'}
}

// findMoves pairs added lines with deleted ones of the same text, where both are unique in the block: such a line was
// moved, and takes the file's bytes along.
func (s *splice) findMoves() {
	type seen struct{ search, replace, times int }
	byText := map[string]*seen{}
	note := func(line []byte) *seen {
		key := string(bytes.TrimSpace(line))
		if byText[key] == nil {
			byText[key] = &seen{search: -1, replace: -1}
		}
		return byText[key]
	}
	for _, c := range s.changes {
		for i := c.s0; i < c.s1; i++ {
			n := note(s.search.Line(i))
			n.search, n.times = i, n.times+1
		}
		for r := c.r0; r < c.r1; r++ {
			n := note(s.replace.Line(r))
			n.replace, n.times = r, n.times+1
		}
	}
	s.moved = map[int][]byte{}
	for text, n := range byText {
		if text == "" || n.times != 2 || n.search < 0 || n.replace < 0 {
			continue
		}
		q := s.alignment[s.at[n.search]]
		f := q.File
		if q.Relation >= strategy.Similar {
			continue // the file's line has changed since, and the block does not know it
		}
		// Trailing blanks that REPLACE drops or adds are meant.
		if f < 0 || !bytes.Equal(bytes.TrimLeft(s.search.Line(n.search), " \t"), bytes.TrimLeft(s.replace.Line(n.replace), " \t")) {
			continue
		}
		s.moved[n.replace] = bytes.TrimLeft(s.doc.Line(f), " \t")
	}
}

// indentPairs are the indentations that the alignment proves.
func (s *splice) indentPairs(a strategy.Alignment) []indent.Pair {
	var pairs, inside []indent.Pair
	agree := 0
	for _, p := range a {
		if p.Search < 0 || p.File < 0 || p.Relation == strategy.Partial || s.blank(p.Search) {
			continue
		}
		line := s.search.Line(p.Search)
		if s.repair != nil {
			line = s.repair(line)
		}
		q := indent.Pair{Line: p.Search, Search: indent.Of(line), File: indent.Of(s.doc.Line(p.File))}
		if len(line) > len(q.Search) && line[len(q.Search)] == '*' {
			inside = append(inside, q) // a comment's star stands one blank deeper than any level
			continue
		}
		if bytes.Equal(q.Search, q.File) {
			agree++
		}
		pairs = append(pairs, q)
	}
	if len(pairs) == 0 {
		return inside
	}
	// A copy that begins behind the first line's indentation says nothing about the others.
	if len(pairs) > 1 && agree == len(pairs)-1 && len(pairs[0].Search) == 0 && len(pairs[0].File) > 0 {
		return pairs[1:]
	}
	return pairs
}

// step is how many blanks REPLACE indents by: the smallest difference between two of its lines; 0 if it has none, or tabs.
func (s *splice) step() int {
	depths := map[int]bool{}
	for r := range s.replace.Len() {
		line := s.replace.Line(r)
		own := indent.Of(line)
		if bytes.IndexByte(own, '\t') >= 0 {
			return 0
		}
		if !indent.Blank(line) {
			depths[len(own)] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(depths))
	step := 0
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; step == 0 || d < step {
			step = d
		}
	}
	return step
}
