package apply

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// elided finds a SEARCH that leaves lines out, such as "func f() {", "...", "return x". The pieces
// between its elision lines must occur in the file in order, and the lines between them are kept.
// If the pieces of REPLACE occur within such a place and cover fewer lines, the block is already
// applied there: that result is returned instead. If the only places found may reach into another
// record, and there are several ways to match the pieces, none is returned. They are stored in
// s.near and s.passed for the report.
func (s *search) elided(by strategy.Strategy, v *reading.Reading) []*placement {
	if slices.Contains(s.pieced, v) {
		return nil // an earlier strategy found the pieces
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
		return out // the lines that a deletion leaves occur wherever SEARCH does
	}
	results, _, _ := s.elisions(v.Result(), by).places()
	for _, r := range results {
		wider := func(p *placement) bool { return r.span() != p.span() && r.span().within(p.span()) }
		if !slices.ContainsFunc(out, wider) {
			continue
		}
		out = slices.DeleteFunc(out, wider)
		r.kind = ofResult
		out = append(out, r)
	}
	return out
}

// elisions is a search for a SEARCH with elisions in a document.
type elisions struct {
	*locator
	v      *reading.Reading
	by     strategy.Strategy // finds the pieces
	pieces []piece           // the parts between the elisions
}

// piece holds the SEARCH lines from from to to-1, and the file lines where they occur, in ascending
// order.
type piece struct {
	from, to int
	at       []int
}

// elisions splits SEARCH into pieces at its elision lines, and searches for each piece with a
// strategy. If SEARCH has no elision line, the result has no pieces.
func (l *locator) elisions(v *reading.Reading, by strategy.Strategy) *elisions {
	e := &elisions{locator: l, v: v, by: by}
	n, from := v.Search.Len(), 0
	for i := range n + 1 { // n ends the last piece
		if i < n && !l.elides(v.Search.Line(i)) {
			continue
		}
		if from < i && i-from < n {
			e.pieces = append(e.pieces, piece{from: from, to: i, at: e.occurrences(from, i)})
		}
		from = i + 1
	}
	return e
}

// occurrences returns the file lines where the SEARCH lines from from to to-1 occur, or none if
// there are too many to compare.
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

// places returns the places where the pieces occur in order. dropped are those that skip the
// beginning of another record or definition, and therefore aren't taken. ends is the number of ways
// to match the pieces in order, before the best of them are selected.
func (e *elisions) places() (out, dropped []*placement, ends int) {
	all := chains(e.pieces)
	for _, chain := range e.deepest(all) {
		p := &placement{
			tier: tierNormalized, strategy: e.by.Name(), elided: true, score: 1, reading: e.v,
			alignment: e.chained(chain), notes: []string{warning.Elided.Say("elided lines kept")},
		}
		if e.passesAnother(chain) {
			// If the elision may skip that record, the place is right, so it can be offered.
			p.objection = &verdict.Objection{Code: verdict.OtherRecord, Sure: true}
			dropped = append(dropped, p)
			continue
		}
		out = append(out, p)
	}
	return out, dropped, len(all)
}

// passesAnother reports whether the lines that an elision skips leave the record or definition that
// the piece below it belongs to. chain has the first file line of each piece.
func (e *elisions) passesAnother(chain []int) bool {
	for k := 1; k < len(e.pieces); k++ {
		if e.changes(e.pieces[k].first(e.v)) && e.leavesRecord(chain, k) {
			return true
		}
	}
	return false
}

// leavesRecord reports whether the file lines that chain skips above piece k leave the record or
// definition that the piece belongs to. For example, if SEARCH is "[a]", "...", "port = 1" and the
// file has "[b]" in between, the port is that of [b]. A comment that is less deep than the next
// line may stand for whole records.
func (e *elisions) leavesRecord(chain []int, k int) bool {
	search := e.v.Search.Document
	next, mark := e.pieces[k].first(e.v), e.pieces[k].from-1 // mark is the elision
	head := e.judge.Container(search, next)
	if head >= 0 && text.IsComment(search.Line(mark)) && e.depth(mark) <= e.depth(head) &&
		e.depth(mark) < e.depth(next) {
		return false
	}
	if e.passes(chain, k, head, verdict.BeginsAnother) {
		return true
	}
	// Another record may also begin with the key of the piece above, but another value.
	key := search.Line(e.pieces[k-1].first(e.v))
	from := chain[k-1] + e.pieces[k-1].to - e.pieces[k-1].from
	for f := verdict.RecordAround(e.doc, from, chain[k]); f < chain[k]; f++ {
		if verdict.DifferInValue(key, e.doc.Line(f)) {
			return true
		}
	}
	// The piece must stay inside the line that encloses it and the elision.
	parent := mark - 1
	for parent >= 0 && (!text.HasWord(search.Line(parent)) ||
		e.depth(parent) >= min(e.depth(next), e.depth(mark))) {
		parent--
	}
	return e.passes(chain, k, parent, func(own, line []byte) bool {
		return text.HasWord(line) && !text.IsComment(line) && len(text.Margin(line)) <= len(text.Margin(own))
	})
}

// passes reports whether is(own, line) is true for a file line between SEARCH line head and piece k
// that belongs to no piece. own is the file line of head, which must be in a piece above k.
// Otherwise passes returns false.
func (e *elisions) passes(chain []int, k, head int, is func(own, line []byte) bool) bool {
	n := slices.IndexFunc(e.pieces[:k], func(p piece) bool { return p.from <= head && head < p.to })
	if n < 0 {
		return false
	}
	own := e.doc.Line(chain[n] + head - e.pieces[n].from)
	for ; n < k; n++ {
		for f := chain[n] + e.pieces[n].to - e.pieces[n].from; f < chain[n+1]; f++ {
			if is(own, e.doc.Line(f)) {
				return true
			}
		}
	}
	return false
}

// changes reports whether the block changes SEARCH line i, a later line, or the text directly above
// line i.
func (e *elisions) changes(i int) bool {
	return slices.ContainsFunc(e.v.Hunks(), func(c reading.Hunk) bool { return c.S1 >= i })
}

// first returns the first line of the piece that isn't blank.
func (p piece) first(v *reading.Reading) int {
	i := p.from
	for i < p.to-1 && text.Blank(v.Search.Line(i)) {
		i++
	}
	return i
}

// depth returns the indentation of SEARCH line i, in bytes.
func (e *elisions) depth(i int) int { return len(text.Margin(e.v.Search.Line(i))) }

// deepest returns the chains that fit the depths of SEARCH best, by fitsDepth: those with 0 if
// there are any, else those with 1, else those with 2. If chains differ only in pieces where the
// block changes nothing, it returns the one that ends first. If there is only one piece, it returns
// all chains.
func (e *elisions) deepest(chains [][]int) [][]int {
	if len(e.pieces) < 2 || len(chains) < 2 {
		return chains
	}
	var kinds [3][][]int // chains by the worst fit of their pieces
	for _, chain := range chains {
		kind := 0
		for k := 1; k < len(e.pieces); k++ {
			kind = max(kind, e.fitsDepth(k, chain[k-1], chain[k]))
		}
		same := func(other []int) bool {
			return !slices.ContainsFunc(e.changed(), func(k int) bool { return chain[k] != other[k] })
		}
		if !slices.ContainsFunc(kinds[kind], same) {
			kinds[kind] = append(kinds[kind], chain)
		}
	}
	for _, some := range kinds {
		if len(some) > 0 {
			return some
		}
	}
	return nil
}

// changed returns the indices of the first piece and of every piece in or next to which the block
// changes a line. 0 may be listed twice.
func (e *elisions) changed() []int {
	out := []int{0}
	for k, p := range e.pieces {
		if slices.ContainsFunc(e.v.Hunks(), func(c reading.Hunk) bool { return c.S0-1 < p.to && p.from <= c.S1 }) {
			out = append(out, k)
		}
	}
	return out
}

// fitsDepth reports how well the depths of piece k at file line b and of the piece before it at
// line a match SEARCH. 2 means that the pieces don't match. 1 means that they do, but a line
// between them is less deep than the elision or both of its neighbours in SEARCH, so it may end
// what is elided. 0 means that everything matches.
func (e *elisions) fitsDepth(k, a, b int) int {
	above, below := e.pieces[k-1], e.pieces[k]
	last, next := above.to-1, below.first(e.v)
	for last > above.from && text.Blank(e.v.Search.Line(last)) {
		last--
	}
	there := func(f int) int { return len(text.Margin(e.doc.Line(f))) }
	shift := there(a+last-above.from) - e.depth(last)
	if there(b+next-below.from)-e.depth(next) != shift {
		return 2
	}
	// Line below.from-1 is the elision.
	least := max(e.depth(below.from-1), min(e.depth(last), e.depth(next))) + shift
	if !text.HasWord(e.v.Search.Line(next)) {
		least = max(least, e.depth(next)+shift+1) // a bracket closes deeper lines
	}
	for f := a + above.to - above.from; f < b; f++ {
		if !text.Blank(e.doc.Line(f)) && there(f) < least {
			return 1
		}
	}
	return 0
}

// chains returns the ways to match the pieces in order, sorted by the line of the last piece. A
// chain has the first file line of each piece. Each piece but the last is as close as possible to
// the next one, so no chain contains a shorter chain that begins later. For example, if the first
// piece is at lines 1 and 5 and the second at line 9, the only chain is 5, 9.
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
			// The piece must end above the next one.
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

// chained returns the alignment of the pieces at the file lines in chain. Elision lines of SEARCH
// are missing, and the file lines that they skip are extra.
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
			how := align.Relate(e.v.Search.Line(search), e.doc.Line(file))
			a = append(a, align.Pair{Search: search, File: file, Relation: how, Similarity: 1})
			file++
		}
	}
	for ; search < e.v.Search.Len(); search++ {
		a = append(a, align.Pair{Search: search, File: -1, Relation: align.Missing})
	}
	return a
}
