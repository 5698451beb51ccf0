package apply

import (
	"iter"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// elided finds a SEARCH that leaves lines out: the pieces between its elision lines, which a strategy
// finds, occur in the file in order, and the lines between them survive. What REPLACE has may occur
// among them: then the block was applied there, or it is not known which of the two is meant.
func (s *search) elided(by strategy.Strategy, v *reading.Reading) []*placement {
	if slices.Contains(s.pieced, v) {
		return nil
	}
	out, dropped, ends := s.elisions(v, by).places()
	if len(out)+len(dropped) > 0 {
		s.pieced = append(s.pieced, v)
	}
	if len(out) == 0 && len(dropped) > 0 && ends > 1 {
		s.near, s.passed = dropped[0], dropped[1:]
		return nil
	}
	if !v.Adds() {
		return out // what is left after a deletion occurs wherever SEARCH does
	}
	results, _, _ := s.elisions(v.Result(), by).places()
	for _, r := range results {
		passed := func(p *placement) bool { return narrower(r, p) }
		if !slices.ContainsFunc(out, passed) {
			continue
		}
		out = slices.DeleteFunc(out, passed)
		r.kind = ofResult
		out = append(out, r)
	}
	return out
}

// narrower reports whether p lies among the lines of q and is shorter.
func narrower(p, q *placement) bool {
	p0, p1 := p.span()
	q0, q1 := q.span()
	return q0 <= p0 && p1 <= q1 && p1-p0 < q1-q0
}

// elisions are a SEARCH with elisions in a document.
type elisions struct {
	*locator
	v      *reading.Reading
	by     strategy.Strategy // finds the pieces
	pieces []piece           // what is between the elisions
}

// piece is the SEARCH lines from from to to-1, and the file lines at which they occur, ascending.
type piece struct {
	from, to int
	at       []int
}

// elisions looks for the pieces of SEARCH by a strategy.
func (l *locator) elisions(v *reading.Reading, by strategy.Strategy) *elisions {
	e := &elisions{locator: l, v: v, by: by}
	n, from, marks := v.Search.Len(), 0, 0
	for i := range n + 1 {
		if i < n && !l.elides(v.Search.Line(i)) {
			continue
		}
		if i < n {
			marks++
		}
		if from < i {
			e.pieces = append(e.pieces, piece{from: from, to: i, at: e.occurrences(from, i)})
		}
		from = i + 1
	}
	if marks == 0 {
		e.pieces = nil
	}
	return e
}

// occurrences are the file lines at which the SEARCH lines from from to to-1 occur; none if they are too
// many to distinguish.
func (e *elisions) occurrences(from, to int) []int {
	var at []int
	for c := range strategy.Proposals(e.by, e.doc, e.v.Search.Slice(from, to)) {
		place, ok := e.spanOf(c)
		if ok && align.IsWhole(e.doc, e.v.Search.Slice(from, to), place.first, place.first+to-from) {
			at = append(at, place.first)
		}
		if len(at) > maxPlacements {
			return nil
		}
	}
	return at
}

// places are where the pieces occur in order; dropped are those that pass over the beginning of another
// record or definition, and are not to be taken. Of all places, whole or not, there are ends.
func (e *elisions) places() (out, dropped []*placement, ends int) {
	all := chains(e.pieces)
	for _, chain := range e.whole(all) {
		p := &placement{
			tier: tierNormalized, strategy: e.by.Name(), elided: true, score: 1, reading: e.v,
			alignment: e.chained(chain), notes: []string{warning.Elided.Say("elided lines kept")},
		}
		if e.leaves(chain) || e.outdents(chain) || e.skipsSibling(chain) {
			p.objection = &verdict.Objection{Code: verdict.OtherRecord, Known: true} // so SEARCH has it, if this is where the elision ends
			dropped = append(dropped, p)
			continue
		}
		out = append(out, p)
	}
	return out, dropped, len(all)
}

// leaves reports whether the lines that the chain passes over begin another record or definition than the one in which SEARCH has the
// piece after them, and SEARCH keeps no more lines below than in that one.
func (e *elisions) leaves(chain []int) bool {
	for k := 1; k < len(e.pieces); k++ {
		head, next := e.enclosing(e.pieces[k])
		above := slices.IndexFunc(e.pieces[:k], func(p piece) bool { return p.from <= head && head < p.to })
		if above < 0 || e.keptWords(next, e.v.Search.Len()) > e.keptWords(head, next) {
			continue
		}
		own := e.doc.Line(chain[above] + head - e.pieces[above].from)
		for line := range e.skipped(chain, above, k) {
			if verdict.BeginsAnother(own, line) {
				return true
			}
		}
	}
	return false
}

// outdents reports whether the lines that the chain passes over are not all inside of what the piece after them is inside of in SEARCH: one
// with a word is no deeper than the line above which opens that.
func (e *elisions) outdents(chain []int) bool {
	for k := 1; k < len(e.pieces); k++ {
		parent, next := e.opener(e.pieces[k])
		above := slices.IndexFunc(e.pieces[:k], func(p piece) bool { return p.from <= parent && parent < p.to })
		if above < 0 || e.depth(e.pieces[k].from-1) <= e.depth(parent) || !e.changesBelow(e.pieces[k].from) ||
			e.keptWords(next, e.v.Search.Len()) > e.keptWords(parent, next) {
			continue
		}
		depth := len(text.Margin(e.doc.Line(chain[above] + parent - e.pieces[above].from)))
		for line := range e.skipped(chain, above, k) {
			if text.HasWord(line) && !text.IsComment(line) && len(text.Margin(line)) <= depth {
				return true
			}
		}
	}
	return false
}

// skipped are the file lines that the chain passes over from piece above to piece k.
func (e *elisions) skipped(chain []int, above, k int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for n := above; n < k; n++ {
			for f := chain[n] + e.pieces[n].to - e.pieces[n].from; f < chain[n+1]; f++ {
				if !yield(e.doc.Line(f)) {
					return
				}
			}
		}
	}
}

// opener is the line of SEARCH that what p begins with is inside of: the nearest one above that is less deep than all between, if the
// line after it is deeper. It is -1 if there is none. The first line of p that is not blank is next.
func (e *elisions) opener(p piece) (parent, next int) {
	next = p.from
	for next < p.to-1 && text.Blank(e.v.Search.Line(next)) {
		next++
	}
	least, after := e.depth(next), e.depth(p.from-1)
	for parent = p.from - 2; parent >= 0; parent-- {
		line := e.v.Search.Line(parent)
		if text.Blank(line) || text.IsComment(line) {
			continue
		}
		depth := e.depth(parent)
		if text.HasWord(line) && depth < least {
			if depth < after {
				return parent, next
			}
			break
		}
		least, after = min(least, depth), depth
	}
	return -1, next
}

// enclosing is the line of SEARCH that names the record or definition which the first line of p that is not blank, next, is in. It is -1 if
// there is none, or if the elision before p stands for whole ones: it is a comment as deep as the head, or less.
func (e *elisions) enclosing(p piece) (head, next int) {
	next = p.from
	for next < p.to-1 && text.Blank(e.v.Search.Line(next)) {
		next++
	}
	head = e.judge.Container(e.v.Search.Document, next)
	if head >= 0 && e.depth(p.from-1) <= e.depth(head) && e.standsForWhole(p.from-1, next) {
		head = -1
	}
	return head, next
}

// standsForWhole reports whether the elision at SEARCH line mark is a comment less deep than next, the line below it: such a one stands for
// whole definitions.
func (e *elisions) standsForWhole(mark, next int) bool {
	return text.IsComment(e.v.Search.Line(mark)) && e.depth(mark) < e.depth(next)
}

// depth is how deep SEARCH line i is.
func (e *elisions) depth(i int) int { return len(text.Margin(e.v.Search.Line(i))) }

// keptWords counts the lines with a word, of those from from to to-1 of SEARCH, that the block keeps.
func (e *elisions) keptWords(from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		changes := func(c reading.Hunk) bool { return c.S0 <= i && i < c.S1 }
		if text.HasWord(e.v.Search.Line(i)) && !slices.ContainsFunc(e.v.Hunks(), changes) {
			n++
		}
	}
	return n
}

// skipsSibling reports whether the lines that the chain passes over begin another record: one of the two pieces around them
// occurs in several places, and a sibling of a line that names the place of the other piece is among them; or what the block changes below is
// in a record that begins there, and has another value for a key of the piece above.
func (e *elisions) skipsSibling(chain []int) bool {
	for k := 1; k < len(e.pieces); k++ {
		above, below := e.pieces[k-1], e.pieces[k]
		from, to := chain[k-1]+above.to-above.from, chain[k]
		if len(below.at) > 1 && len(above.at) == 1 && e.namedAgain(above.to-1, above.from-1, -1, from, to, verdict.AreSiblings) ||
			len(above.at) > 1 && len(below.at) == 1 && e.namedAgain(below.from, below.to, 1, from, to, verdict.AreSiblings) ||
			len(above.at) == 1 && len(below.at) == 1 && !e.standsForWhole(below.from-1, below.from) && e.changesBelow(below.from) &&
				e.namedAgain(above.to-1, above.from-1, -1, verdict.RecordAround(e.doc, from, to), to, verdict.DifferInValue) {
			return true
		}
	}
	return false
}

// changesBelow reports whether the block changes SEARCH line i or what is below it.
func (e *elisions) changesBelow(i int) bool {
	return slices.ContainsFunc(e.v.Hunks(), func(c reading.Hunk) bool { return c.S1 >= i })
}

// namedAgain reports whether one of the file lines from to to-1 is alike to a SEARCH line that occurs only once. The SEARCH
// lines asked are those from first on, before last, that belong to the record at first.
func (e *elisions) namedAgain(first, last, step, from, to int, alike func(line, other []byte) bool) bool {
	depth := len(text.Margin(e.v.Search.Line(first)))
	for i := first; i != last; i += step {
		line := e.v.Search.Line(i)
		if text.Blank(line) {
			continue
		}
		if len(text.Margin(line)) > depth {
			continue
		}
		depth = len(text.Margin(line))
		if !e.judge.Distinctive(line) || text.IsComment(line) {
			continue
		}
		for f := from; f < to; f++ {
			if alike(line, e.doc.Line(f)) {
				return true
			}
		}
	}
	return false
}

// chains are the ways to take the pieces in order, by where the last one is, ascending; the others are each as close before the
// one after as they can be, so that no way contains another that begins later.
func chains(pieces []piece) [][]int {
	if len(pieces) == 0 {
		return nil
	}
	last := len(pieces) - 1
	var out [][]int
	for _, end := range pieces[last].at {
		chain := make([]int, len(pieces))
		chain[last] = end
		k := last - 1
		for ; k >= 0; k-- {
			p := pieces[k]
			beyond, _ := slices.BinarySearch(p.at, chain[k+1]-(p.to-p.from)+1)
			if beyond == 0 {
				break
			}
			chain[k] = p.at[beyond-1]
		}
		if k < 0 {
			out = append(out, chain)
		}
	}
	return out
}

// chained is the alignment of the pieces at the places of chain.
func (e *elisions) chained(chain []int) align.Alignment {
	var a align.Alignment
	search, file := 0, chain[0]
	for k, p := range e.pieces {
		for ; search < p.from; search++ {
			a = append(a, align.Pair{Search: search, File: -1, Relation: align.Missing})
		}
		for ; file < chain[k]; file++ {
			a = append(a, align.Pair{Search: -1, File: file, Relation: align.Extra})
		}
		for ; search < p.to; search++ {
			a = append(a, align.Pair{Search: search, File: file, Relation: align.Relate(e.v.Search.Line(search), e.doc.Line(file)), Similarity: 1})
			file++
		}
	}
	for ; search < e.v.Search.Len(); search++ {
		a = append(a, align.Pair{Search: search, File: -1, Relation: align.Missing})
	}
	return a
}
