package apply

import (
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/omission"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
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
// Lines that REPLACE keeps stay as they are in the file. Lines that it drops are deleted where SEARCH is aligned with them. Lines
// that it adds get the file's indentation and line ends. A line that SEARCH does not mention is never touched.
type splice struct {
	doc       *strategy.Document
	reading   *reading.Reading
	search    *strategy.Pattern
	replace   *strategy.Document
	alignment align.Alignment
	lexicon   func() *omission.Lexicon // of the file
	indent    [][]byte                 // the margins that REPLACE's lines get, nil for their own
	repair    func([]byte) []byte      // undoes on added lines what SEARCH proved; nil for nothing

	changes []reading.Hunk
	// applied are the changes whose result the file has already, appliedAdded how many lines they add.
	applied      []reading.Hunk
	appliedAdded int
	relearned    int // see maxRelearned
	// rewritten says that the lines which an applied change has rewritten show other margins than the rest of the block.
	rewritten bool

	at    []int          // pair of each SEARCH line
	moved map[int][]byte // added lines that are deleted lines in another place: the file's text
	edits []edit
}

// splicer prepares the merge of p's block; changes are set.
func (l *locator) splicer(p *placement) *splice {
	v := p.reading
	s := &splice{
		doc: l.doc, reading: v, search: v.Search, replace: v.Replace, alignment: p.alignment, lexicon: l.lexicon,
		changes: v.Hunks(),
		at:      p.alignment.BySearch(v.Search.Len()),
	}
	if p.tier == tierExact {
		return s // indented as written, and moved lines keep their bytes
	}
	s.repair = reading.LineRepair(l.doc, v.Search, p.alignment)
	if s.indent = p.margins; !p.indented {
		s.indent = s.margins(keepAll)
	}
	s.findMoves()
	return s
}

// edits are what p's block does to the document, in order and disjoint; applied is how many of its changes are there already.
func (l *locator) edits(p *placement) (edits []edit, applied int) {
	if l.opt.Splice == Verbatim {
		return l.pasted(p), 0
	}
	s := l.splicer(p)
	applied = s.dropApplied()
	edits = s.run()
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	return edits, applied
}

// pasted replaces the whole span by REPLACE, with the file's line ends.
func (l *locator) pasted(p *placement) []edit {
	first, end := p.span()
	if first < 0 {
		return nil
	}
	all := reading.Hunk{S1: p.reading.Search.Len(), R1: p.reading.Replace.Len()}
	s := &splice{doc: l.doc, reading: p.reading, search: p.reading.Search, replace: p.reading.Replace, lexicon: l.lexicon}
	for i := range p.reading.Search.Len() {
		s.alignment = append(s.alignment, align.Pair{Search: i, File: first + i})
	}
	if n := end - first; n < len(s.alignment) {
		for i := n; i < len(s.alignment); i++ {
			s.alignment[i].File = -1
		}
	} else if n > len(s.alignment) {
		for i := len(s.alignment); i < n; i++ {
			s.alignment = append(s.alignment, align.Pair{Search: i, File: first + i})
		}
		all.S1 = n
	}
	s.at = s.alignment.BySearch(all.S1)
	s.change(all)
	return s.edits
}

// run returns the edits for the changes, in order and disjoint.
func (s *splice) run() []edit {
	for _, c := range s.changes {
		s.change(c)
	}
	return s.edits
}

// addedFor are the REPLACE lines of the change that drops SEARCH line i.
func (s *splice) addedFor(i int) [][]byte {
	for _, c := range s.changes {
		if c.S0 <= i && i < c.S1 {
			added := make([][]byte, 0, c.R1-c.R0)
			for r := c.R0; r < c.R1; r++ {
				added = append(added, s.replace.Line(r))
			}
			return added
		}
	}
	return nil
}

func (s *splice) change(c reading.Hunk) {
	runs := s.runs(c)
	if len(runs) == 0 {
		if c.R0 < c.R1 {
			s.insert(s.gap(c.S0), c)
		}
		return
	}
	// The added lines take the place of the first run; other runs, separated by lines that SEARCH does not have, are deleted.
	first := runs[0]
	atEnd := first.end == s.doc.Len() && len(s.doc.EOL(first.end-1)) == 0
	text := make([]byte, 0, s.replace.Start(c.R1)-s.replace.Start(c.R0)+c.R1-c.R0)
	for k, line := range s.added(c, s.indent) {
		text = append(text, line...)
		if !(atEnd && k == c.R1-c.R0-1) {
			text = append(text, s.eol(first.first+min(k, first.end-first.first-1))...)
		}
	}
	for i, run := range runs {
		if i > 0 {
			text = nil
		}
		start := s.doc.Start(run.first)
		if c.R0 == c.R1 && run.end == s.doc.Len() && len(s.doc.EOL(run.end-1)) == 0 && s.keeps(run.first-1) {
			start = s.doc.End(run.first - 1) // the file still ends without a line end
		}
		s.edits = append(s.edits, edit{start, s.doc.Start(run.end), text})
	}
}

// keeps reports whether SEARCH mentions file line f, no edit so far touches it, and it is not empty: an empty line is nothing
// without its line end.
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
func (s *splice) runs(c reading.Hunk) []lineRange {
	var runs []lineRange
	add := func(f int) {
		if n := len(runs) - 1; n >= 0 && runs[n].end == f {
			runs[n].end = f + 1
		} else {
			runs = append(runs, lineRange{f, f + 1})
		}
	}
	for i := c.S0; i < c.S1; i++ {
		at := s.at[i]
		if f := s.alignment[at].File; f >= 0 {
			add(f)
		}
		if s.alignment[at].Relation != align.Reflowed {
			continue
		}
		for _, p := range s.alignment[at+1:] {
			if p.Search >= 0 || p.Relation != align.Reflowed {
				break
			}
			add(p.File)
		}
	}
	return runs
}

// gap is the file line before which text goes that is inserted before SEARCH line i: directly after the SEARCH line above it, or
// directly before line i, whichever the file has.
func (s *splice) gap(i int) int {
	if i > 0 && i < s.search.Len() && (s.alignment[s.at[i-1]].File < 0 && s.alignment[s.at[i-1]].Relation != align.Reflowed || s.blank(i-1) && !s.blank(i)) {
		if f := s.alignment[s.at[i]].File; f >= 0 {
			return f
		}
	}
	for j := i - 1; j >= 0; j-- {
		at := s.at[j]
		if f := s.alignment[at].File; f >= 0 {
			for at+1 < len(s.alignment) && s.alignment[at+1].Search < 0 && s.alignment[at+1].Relation == align.Reflowed {
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

func (s *splice) blank(i int) bool { return text.Blank(s.search.Line(i)) }

func (s *splice) insert(line int, c reading.Hunk) {
	at := s.doc.Start(line)
	var text []byte
	atEnd := line == s.doc.Len() && line > 0 && len(s.doc.EOL(line-1)) == 0
	if atEnd {
		text = append(text, s.eol(line-1)...)
	}
	for k, added := range s.added(c, s.indent) {
		text = append(text, added...)
		if !(atEnd && k == c.R1-c.R0-1) {
			text = append(text, s.eol(line-1)...)
		}
	}
	s.edits = append(s.edits, edit{at, at, text})
}

// eol is the line end for new text near file line i: that of the line itself, else of the closest line above, else below.
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
