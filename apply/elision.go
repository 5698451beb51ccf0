package apply

import (
	"iter"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/omission"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// elided places a block whose SEARCH leaves lines out: the pieces between its elision lines occur in the file in order,
// and the lines between them survive. What REPLACE has may occur among them: then the block was applied there, or it is not
// known which of the two is meant.
func (l *locator) elided(f *findings, v *reading.Reading) []*placement {
	if !omission.HasDots(v.Search.Text()) || !l.lexicon().Paired(v) {
		return nil
	}
	f.ran(elidedLines)
	out, dropped, ends := l.elisions(v)
	if len(out) == 0 && len(dropped) > 0 && ends > 1 {
		f.near, f.passed = dropped[0], dropped[1:]
		return nil
	}
	if !v.Adds() {
		return out // what is left after a deletion occurs wherever SEARCH does
	}
	results, _, _ := l.elisions(v.Result())
	for _, r := range results {
		passed := func(p *placement) bool { return narrower(r, p) }
		if !slices.ContainsFunc(out, passed) {
			continue
		}
		out = slices.DeleteFunc(out, passed)
		r.tier = tierAlready
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

// elisions are the places where the pieces of v's SEARCH occur in order; dropped are those that pass over the beginning of another
// record or definition, and are not to be taken. Of all places, whole or not, there are ends.
func (l *locator) elisions(v *reading.Reading) (out, dropped []*placement, ends int) {
	n := v.Search.Len()
	var marks []int
	for i := range n {
		if l.elides(v.Search.Line(i)) {
			marks = append(marks, i)
		}
	}
	if len(marks) == 0 {
		return nil, nil, 0
	}
	pieces := make([]piece, 0, len(marks)+1)
	from := 0
	for _, m := range append(marks, n) {
		if from < m {
			pieces = append(pieces, piece{from: from, to: m, at: l.places(v, from, m)})
		}
		from = m + 1
	}
	all := chains(pieces)
	for _, chain := range l.whole(v, pieces, all) {
		p := &placement{
			tier: tierNormalized, strategy: elidedLines, score: 1, reading: v,
			alignment: l.chained(v, pieces, chain), notes: []string{warning.Elided.Say("elided lines kept")},
		}
		if l.leaves(v, pieces, chain) || l.outdents(v, pieces, chain) || l.skipsSibling(v, pieces, chain) {
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
func (l *locator) leaves(v *reading.Reading, pieces []piece, chain []int) bool {
	for k := 1; k < len(pieces); k++ {
		head, next := l.enclosing(v, pieces[k])
		above := slices.IndexFunc(pieces[:k], func(p piece) bool { return p.from <= head && head < p.to })
		if above < 0 || keptWords(v, next, v.Search.Len()) > keptWords(v, head, next) {
			continue
		}
		own := l.doc.Line(chain[above] + head - pieces[above].from)
		for line := range l.passed(pieces, chain, above, k) {
			if verdict.BeginsAnother(own, line) {
				return true
			}
		}
	}
	return false
}

// outdents reports whether the lines that the chain passes over are not all inside of what the piece after them is inside of in SEARCH: one
// with a word is no deeper than the line above which opens that.
func (l *locator) outdents(v *reading.Reading, pieces []piece, chain []int) bool {
	for k := 1; k < len(pieces); k++ {
		parent, next := opener(v, pieces[k])
		above := slices.IndexFunc(pieces[:k], func(p piece) bool { return p.from <= parent && parent < p.to })
		if above < 0 || searchDepth(v, pieces[k].from-1) <= searchDepth(v, parent) || !changesBelow(v, pieces[k].from) ||
			keptWords(v, next, v.Search.Len()) > keptWords(v, parent, next) {
			continue
		}
		depth := len(text.Margin(l.doc.Line(chain[above] + parent - pieces[above].from)))
		for line := range l.passed(pieces, chain, above, k) {
			if text.HasWord(line) && !text.IsComment(line) && len(text.Margin(line)) <= depth {
				return true
			}
		}
	}
	return false
}

// passed are the file lines that the chain passes over from piece above to piece k.
func (l *locator) passed(pieces []piece, chain []int, above, k int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for n := above; n < k; n++ {
			for f := chain[n] + pieces[n].to - pieces[n].from; f < chain[n+1]; f++ {
				if !yield(l.doc.Line(f)) {
					return
				}
			}
		}
	}
}

// opener is the line of SEARCH that what p begins with is inside of: the nearest one above that is less deep than all between, if the
// line after it is deeper. It is -1 if there is none. The first line of p that is not blank is next.
func opener(v *reading.Reading, p piece) (parent, next int) {
	next = p.from
	for next < p.to-1 && text.Blank(v.Search.Line(next)) {
		next++
	}
	least, after := searchDepth(v, next), searchDepth(v, p.from-1)
	for parent = p.from - 2; parent >= 0; parent-- {
		line := v.Search.Line(parent)
		if text.Blank(line) || text.IsComment(line) {
			continue
		}
		depth := searchDepth(v, parent)
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
func (l *locator) enclosing(v *reading.Reading, p piece) (head, next int) {
	next = p.from
	for next < p.to-1 && text.Blank(v.Search.Line(next)) {
		next++
	}
	head = l.judge.Container(v.Search.Document, next)
	if head >= 0 && searchDepth(v, p.from-1) <= searchDepth(v, head) && standsForWhole(v, p.from-1, next) {
		head = -1
	}
	return head, next
}

// standsForWhole reports whether the elision at SEARCH line mark is a comment less deep than next, the line below it: such a one stands for
// whole definitions.
func standsForWhole(v *reading.Reading, mark, next int) bool {
	return text.IsComment(v.Search.Line(mark)) && searchDepth(v, mark) < searchDepth(v, next)
}

// searchDepth is how deep SEARCH line i is.
func searchDepth(v *reading.Reading, i int) int { return len(text.Margin(v.Search.Line(i))) }

// keptWords counts the lines with a word, of those from from to to-1 of SEARCH, that the block keeps.
func keptWords(v *reading.Reading, from, to int) int {
	n := 0
	for i := from; i < to; i++ {
		changes := func(c reading.Hunk) bool { return c.S0 <= i && i < c.S1 }
		if text.HasWord(v.Search.Line(i)) && !slices.ContainsFunc(v.Hunks(), changes) {
			n++
		}
	}
	return n
}

// skipsSibling reports whether the lines that the chain passes over begin another record: one of the two pieces around them
// occurs in several places, and a sibling of a line that names the place of the other piece is among them; or what the block changes below is
// in a record that begins there, and has another value for a key of the piece above.
func (l *locator) skipsSibling(v *reading.Reading, pieces []piece, chain []int) bool {
	for k := 1; k < len(pieces); k++ {
		above, below := pieces[k-1], pieces[k]
		from, to := chain[k-1]+above.to-above.from, chain[k]
		if len(below.at) > 1 && len(above.at) == 1 && l.namedAgain(v, above.to-1, above.from-1, -1, from, to, verdict.AreSiblings) ||
			len(above.at) > 1 && len(below.at) == 1 && l.namedAgain(v, below.from, below.to, 1, from, to, verdict.AreSiblings) ||
			len(above.at) == 1 && len(below.at) == 1 && !standsForWhole(v, below.from-1, below.from) && changesBelow(v, below.from) &&
				l.namedAgain(v, above.to-1, above.from-1, -1, verdict.RecordAround(l.doc, from, to), to, verdict.DifferInValue) {
			return true
		}
	}
	return false
}

// changesBelow reports whether the block changes SEARCH line i or what is below it.
func changesBelow(v *reading.Reading, i int) bool {
	return slices.ContainsFunc(v.Hunks(), func(c reading.Hunk) bool { return c.S1 >= i })
}

// namedAgain reports whether one of the file lines from to to-1 is alike to a SEARCH line that occurs only once. The SEARCH
// lines asked are those from first on, before last, that belong to the record at first.
func (l *locator) namedAgain(v *reading.Reading, first, last, step, from, to int, alike func(line, other []byte) bool) bool {
	depth := len(text.Margin(v.Search.Line(first)))
	for i := first; i != last; i += step {
		line := v.Search.Line(i)
		if text.Blank(line) {
			continue
		}
		if len(text.Margin(line)) > depth {
			continue
		}
		depth = len(text.Margin(line))
		if !l.judge.Distinctive(line) || text.IsComment(line) {
			continue
		}
		for f := from; f < to; f++ {
			if alike(line, l.doc.Line(f)) {
				return true
			}
		}
	}
	return false
}

// piece is the SEARCH lines from to to-1, and the file lines at which they occur, ascending.
type piece struct {
	from, to int
	at       []int
}

// places are the file lines at which the SEARCH lines from to to-1 occur; none if they are too many to distinguish.
func (l *locator) places(v *reading.Reading, from, to int) []int {
	var at []int
	for first := range strategy.KeyWindows(l.doc, v.Search.Slice(from, to)) {
		if at = append(at, first); len(at) > maxPlacements {
			return nil
		}
	}
	return at
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
func (l *locator) chained(v *reading.Reading, pieces []piece, chain []int) align.Alignment {
	var a align.Alignment
	search, file := 0, chain[0]
	for k, p := range pieces {
		for ; search < p.from; search++ {
			a = append(a, align.Pair{Search: search, File: -1, Relation: align.Missing})
		}
		for ; file < chain[k]; file++ {
			a = append(a, align.Pair{Search: -1, File: file, Relation: align.Extra})
		}
		for ; search < p.to; search++ {
			a = append(a, align.Pair{Search: search, File: file, Relation: align.Relate(v.Search.Line(search), l.doc.Line(file)), Similarity: 1})
			file++
		}
	}
	for ; search < v.Search.Len(); search++ {
		a = append(a, align.Pair{Search: search, File: -1, Relation: align.Missing})
	}
	return a
}
