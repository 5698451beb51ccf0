package splice

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Edit is one change to a document: the bytes from Start to End (exclusive) are replaced with Text.
// Edits of whole lines begin and end at line boundaries.
type Edit struct {
	Start, End int
	Text       []byte
}

// Splice is the three-way merge of one block at one place: SEARCH is the base, REPLACE is theirs,
// and the file's lines are ours.
//
// Lines that REPLACE keeps stay as they are in the file. Lines that REPLACE drops are deleted where
// SEARCH is aligned with them. Lines that REPLACE adds get the file's indentation and line ends. A
// line that SEARCH doesn't mention is never touched.
type Splice struct {
	Doc       *strategy.Document
	Reading   *reading.Reading
	Search    *strategy.Pattern
	Replace   *strategy.Document
	Alignment align.Alignment
	At        []int // index in Alignment of the pair of each SEARCH line

	// ToDo are the hunks that still have to be applied. Done are the hunks whose result the file
	// already has, and DoneAdds is how many lines they add.
	ToDo, Done []reading.Hunk
	DoneAdds   int

	margins   [][]byte            // the margins for REPLACE's lines, or nil
	unit      func() []byte       // see [Unit]
	repair    func([]byte) []byte // undoes proved habits in added lines, or nil
	respelled map[string]string   // misspelled words of SEARCH, and the file's spelling
	moved     map[int][]byte      // the file's text of moved lines
	edits     []Edit

	relearned int  // see maxRelearned
	bullets   bool // see hasBullets
	// rewritten is set if lines rewritten by a finished hunk have different margins from the rest
	// of the block.
	rewritten bool
}

// New prepares the merge of a reading at the lines of doc that a pairs. margins are the
// indentations of REPLACE's lines, or nil to leave the lines as written. exact says that SEARCH
// occurs there byte for byte, so REPLACE isn't adapted. respelled maps words that SEARCH misspells
// to the file's spelling. unit is the document's [Unit].
func New(doc *strategy.Document, v *reading.Reading, a align.Alignment, margins [][]byte,
	exact bool, respelled map[string]string, unit func() []byte) *Splice {
	s := newSplice(doc, v, a)
	s.margins, s.respelled, s.unit = margins, respelled, unit
	s.bullets = s.hasBullets()
	s.ToDo = s.apart(v.Hunks())
	if !exact {
		s.repair = lineRepair(doc, v.Search, a)
		s.findMoves()
	}
	s.findDone()
	return s
}

// newSplice returns the merge of a reading at the lines of doc that a pairs, without hunks.
func newSplice(doc *strategy.Document, v *reading.Reading, a align.Alignment) *Splice {
	return &Splice{
		Doc: doc, Reading: v, Search: v.Search, Replace: v.Replace, Alignment: a, At: a.BySearch(),
	}
}

// apart splits each hunk whose lines are separated by other lines in the file, if each line of the
// hunk is replaced by one that begins with the same word. The other lines then stay where they are:
// if "a: 1, c: 1" becomes "a: 2, c: 2", one on each line, a "b: 1" in between isn't moved below.
func (s *Splice) apart(hunks []reading.Hunk) (out []reading.Hunk) {
	for _, c := range hunks {
		if c.S1-c.S0 == c.R1-c.R0 && s.rewritesEach(c) {
			for i := c.S0 + 1; i < c.S1; i++ {
				if s.Alignment[s.At[i]].File != s.Alignment[s.At[i-1]].File+1 {
					r := c.R0 + i - c.S0
					out = append(out, reading.Hunk{S0: c.S0, S1: i, R0: c.R0, R1: r})
					c.S0, c.R0 = i, r
				}
			}
		}
		out = append(out, c)
	}
	return out
}

// rewritesEach reports whether the file has each line that c drops, and each is replaced by one
// that begins with the same word. It returns false if a line between them begins with such a word
// or is less deep, because it may belong to another record.
func (s *Splice) rewritesEach(c reading.Hunk) bool {
	begins := map[string]bool{}
	depth := math.MaxInt
	for i := c.S0; i < c.S1; i++ {
		old, new := text.Tokens(s.Search.Line(i)), text.Tokens(s.Replace.Line(c.R0+i-c.S0))
		f := s.Alignment[s.At[i]].File
		inFile := f >= 0 && s.Alignment[s.At[i]].Relation < align.Similar
		if !inFile || len(old) == 0 || len(new) == 0 ||
			!text.BeginsWithWord(old[0]) || !bytes.Equal(old[0], new[0]) {
			return false
		}
		begins[string(old[0])] = true
		depth = min(depth, len(text.Margin(s.Doc.Line(f))))
	}
	return !slices.ContainsFunc(s.Alignment[s.At[c.S0]:s.At[c.S1-1]], func(q align.Pair) bool {
		if q.Search >= 0 || q.File < 0 || text.Blank(s.Doc.Line(q.File)) {
			return false // not a line between those of SEARCH
		}
		line := s.Doc.Line(q.File)
		return begins[string(text.Tokens(line)[0])] || len(text.Margin(line)) < depth
	})
}

// IsDone reports whether the file has the results of all hunks. There must be at least one.
func (s *Splice) IsDone() bool { return len(s.Done) > 0 && len(s.ToDo) == 0 }

// Edits returns the edits that the block makes to the document, in order and without overlaps.
func (s *Splice) Edits() []Edit {
	for _, c := range s.ToDo {
		s.change(c)
	}
	slices.SortStableFunc(s.edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return s.edits
}

// Paste returns the edits that replace the document's lines from first to end-1 with REPLACE, using
// the file's line ends.
func Paste(doc *strategy.Document, v *reading.Reading, first, end int) []Edit {
	all := reading.Hunk{S1: max(v.Search.Len(), end-first), R1: v.Replace.Len()}
	a := make(align.Alignment, all.S1)
	for i := range a {
		a[i] = align.Pair{Search: i, File: -1}
		if first+i < end {
			a[i].File = first + i
		}
	}
	s := newSplice(doc, v, a)
	s.change(all)
	return s.edits
}

// AddedFor returns the REPLACE lines of the change that drops SEARCH line i, with the file's
// spelling of words that SEARCH misspells.
func (s *Splice) AddedFor(i int) [][]byte {
	for _, c := range s.ToDo {
		if c.S0 <= i && i < c.S1 {
			added := make([][]byte, 0, c.R1-c.R0)
			for r := c.R0; r < c.R1; r++ {
				added = append(added, s.respell(s.Replace.Line(r)))
			}
			return added
		}
	}
	return nil
}

// change adds the edits of a hunk to s.edits. If the file has none of the lines that the hunk
// drops, the added lines are inserted where these would be. If the file ends without a line end, it
// still does so afterwards.
func (s *Splice) change(c reading.Hunk) {
	runs := s.runs(c)
	if len(runs) == 0 && c.R0 < c.R1 {
		at := s.gap(c.S0)
		runs = []lineRange{{at, at}}
	}
	added := s.added(c, s.margins)
	starts := s.shares(c, runs)
	for i, run := range runs {
		lines := added[starts[i]:starts[i+1]]
		hasLast := run.end > 0 && run.end == s.Doc.Len() && len(s.Doc.EOL(run.end-1)) == 0
		var text []byte
		if hasLast && run.first == run.end {
			text = append(text, LineEnd(s.Doc, run.end)...) // of the line that was the last
		}
		for k, line := range lines {
			text = append(text, line...)
			if !(hasLast && k == len(lines)-1) {
				text = append(text, LineEnd(s.Doc, run.first+min(k, run.end-run.first-1))...)
			}
		}
		start := s.Doc.Start(run.first)
		if c.R0 == c.R1 && hasLast && s.keeps(run.first-1) {
			start = s.Doc.End(run.first - 1) // drop the line end of the line that becomes the last
		}
		s.edits = append(s.edits, Edit{start, s.Doc.Start(run.end), text})
	}
}

// shares divides the lines that c adds among runs: run i gets those from index out[i] to out[i+1]-1.
// The lines from the counterpart of a run's first line on go to that run if only blank lines are
// above it. A run without such a counterpart is only deleted.
func (s *Splice) shares(c reading.Hunk, runs []lineRange) (out []int) {
	out = make([]int, len(runs)+1)
	out[len(runs)] = c.R1 - c.R0
	for k := len(runs) - 1; k > 0; k-- {
		out[k] = out[k+1]
		blank := true
		for f := runs[k-1].end; f < runs[k].first; f++ {
			blank = blank && text.Blank(s.Doc.Line(f))
		}
		for r := c.R0; blank && r < c.R0+out[k+1]; r++ {
			i := s.Reading.Counterparts()[r].For
			if i >= c.S0 && i < c.S1 && s.Alignment[s.At[i]].File == runs[k].first {
				out[k] = r - c.R0
				break
			}
		}
	}
	return out
}

// keeps reports whether file line f is left as the last line if the lines below it are deleted: it
// belongs to the place, no edit so far touches it, and it isn't empty. An empty line without its
// line end would disappear.
func (s *Splice) keeps(f int) bool {
	begin, _ := s.Alignment.Span()
	if f < begin || f < 0 || len(s.Doc.Line(f)) == 0 {
		return false
	}
	n := len(s.edits)
	return n == 0 || s.edits[n-1].End <= s.Doc.Start(f)
}

// lineRange is a range of file lines, end exclusive.
type lineRange struct{ first, end int }

// linesOf returns the file lines of SEARCH line i: none, one, or all over which the file spreads a
// reflowed statement.
func (s *Splice) linesOf(i int) (r lineRange) {
	if f := s.Alignment[s.At[i]].File; f >= 0 {
		r = lineRange{f, f + 1}
		for _, p := range s.Alignment[s.At[i]+1:] {
			if p.Search >= 0 || p.Relation != align.Reflowed {
				break
			}
			r.end = p.File + 1
		}
	}
	return r
}

// runs returns the file lines aligned with the SEARCH lines of c, as the longest possible ranges
// without other lines in between: lines 3, 4 and 7 make two ranges.
func (s *Splice) runs(c reading.Hunk) []lineRange {
	var runs []lineRange
	for i := c.S0; i < c.S1; i++ {
		r, n := s.linesOf(i), len(runs)-1
		switch {
		case r.end == 0: // the file lacks the line
		case n >= 0 && runs[n].end == r.first:
			runs[n].end = r.end
		default:
			runs = append(runs, r)
		}
	}
	return runs
}

// gap returns the file line before which to insert text that belongs before SEARCH line i. That is
// directly after the nearest SEARCH line above that the file has. It is directly before line i if
// the file lacks the line directly above, or if that is blank and line i isn't. If the file has no
// line above, it is before the nearest one below.
func (s *Splice) gap(i int) int {
	if i > 0 && i < s.Search.Len() {
		above := s.Alignment[s.At[i-1]]
		lacksAbove := above.File < 0 && above.Relation != align.Reflowed
		f := s.Alignment[s.At[i]].File
		if f >= 0 && (lacksAbove || s.Blank(i-1) && !s.Blank(i)) {
			return f
		}
	}
	for j := i - 1; j >= 0; j-- {
		if r := s.linesOf(j); r.end > 0 {
			return r.end
		}
	}
	for j := i; j < s.Search.Len(); j++ {
		if r := s.linesOf(j); r.end > 0 {
			return r.first
		}
	}
	return s.Doc.Len()
}

// Blank reports whether SEARCH line i is blank.
func (s *Splice) Blank(i int) bool { return text.Blank(s.Search.Line(i)) }

// LineEnd returns the line end for new text near the given line (0-based) of doc: the line end of
// the line itself, of the closest line above or, if there is none, of the closest line below. It's
// "\n" if no line has one.
func LineEnd(doc *strategy.Document, near int) []byte {
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
