package align

import (
	"slices"

	"github.com/srpatch/srpatch/internal/editdist"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// similarMin is the similarity from which two lines may be the same line with typos. Below it,
// unrelated lines of code can look alike because of keywords and punctuation.
const similarMin = 0.5

// Costs and gains of an alignment, in 1024ths of a line's weight.
const (
	gainFull     = 1024
	gainSame     = 8   // prefers equal bytes to equal keys
	gainAdjacent = 16  // prefers adjacent lines to separated ones
	costExtra    = 384 // an extra file line costs 3/8, less than finding a line gains
	costBlank    = 64  // an extra blank line costs almost nothing
)

// Aligner aligns one pattern with places of one document. It caches what it learns about lines,
// because the places proposed for a block are often close together. It isn't safe for concurrent
// use.
type Aligner struct {
	doc    *strategy.Document
	pat    *strategy.Pattern
	budget *strategy.Budget

	search []*line
	file   map[int]*line // the file lines that have been in a band
	buffer []byte        // holds the tokens of both sides
	codes  []editdist.Code
	known  [1 << 8]known // the latest similarities, by line numbers

	run
}

// known is a cached similarity of two lines. Lines that are compared again are close together, so
// each pair has a single slot in the cache.
type known struct {
	search, file int32 // from 1
	similarity   float64
}

// New returns an aligner that charges its work to the budget.
func New(doc *strategy.Document, pat *strategy.Pattern, budget *strategy.Budget) *Aligner {
	a := &Aligner{doc: doc, pat: pat, budget: budget, search: make([]*line, pat.Len()), file: map[int]*line{}}
	for i := range a.search {
		a.search[i] = lineOf(pat.Document, i, &a.buffer)
	}
	return a
}

// Within pairs the pattern with the document's lines from to to-1 so that it matches as much of the
// pattern as possible. Pairs are near the diagonals low to high (document line minus pattern line,
// both 0-based). The algorithm is that of Needleman and Wunsch (1970), with free ends in the
// document, restricted to a band. Its cost is the pattern's length times the band's width. It
// returns nil if the budget is exhausted.
func (a *Aligner) Within(low, high, from, to int) Alignment {
	s := strategy.Slack(a.pat.Len()) // how far missing and extra lines may move the others
	a.low, a.width, a.from, a.to = low-s, high-low+2*s+1, from, to
	if !a.budget.Spend(int64(a.pat.Len()+1) * int64(a.width)) {
		return nil
	}
	a.prepare()
	a.fill()
	if a.budget.Exhausted() {
		return nil
	}
	return a.trace()
}

// step is the last step of the best way to a cell of [run]: nothing, a pair of lines, or a line of
// only one side.
type step uint8

const (
	none step = iota
	pair
	skipSearch
	skipFile
)

// run is the table of the dynamic program. In cell (i, d), i lines of the pattern are done, and the
// next line of the document is i+low+d. The slices are reused from one alignment to the next.
type run struct {
	low, width int
	from, to   int // the allowed document lines

	surplus map[strategy.Key]int // how many more lines of the band than of the pattern have a key
	lacking []bool               // SEARCH lines whose key is more frequent there than in the band
	first   int                  // the first document line of the band
	band    []*line              // the document lines of the band
	spare   []bool               // band lines whose key is more frequent there than in SEARCH

	best  []int32
	steps []step
}

// impossible is the value of a cell that can't be reached.
const impossible = -1 << 30

// prepare fills the fields of run that don't depend on the costs: the lines of the band, and which
// lines are more frequent in the pattern than in the band, or the other way round.
func (a *Aligner) prepare() {
	m := a.pat.Len()
	end := max(0, min(a.doc.Len(), a.low+m+a.width))
	a.first = min(max(0, a.low), end)
	a.band = a.band[:0]
	for i := a.first; i < end; i++ {
		a.band = append(a.band, a.fileLine(i))
	}

	if a.surplus == nil {
		a.surplus = make(map[strategy.Key]int, m+len(a.band))
	}
	clear(a.surplus)
	for _, line := range a.search {
		a.surplus[line.key]--
	}
	for _, line := range a.band {
		a.surplus[line.key]++
	}
	a.lacking = zeroed(a.lacking, m)
	for i, line := range a.search {
		a.lacking[i] = line.key != strategy.BlankKey && a.surplus[line.key] < 0
	}
	a.spare = zeroed(a.spare, len(a.band))
	for i, line := range a.band {
		a.spare[i] = line.key != strategy.BlankKey && a.surplus[line.key] > 0
	}
	a.best, a.steps = zeroed(a.best, (m+1)*a.width), zeroed(a.steps, (m+1)*a.width)
}

// zeroed returns a slice of n zeros, reusing s if it's large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// fill computes the value of each cell: the greatest gain of a way to pair the lines before it. Cell
// d of row i stands before pattern line i and document line a.low+i+d. The cells are zero at first.
func (a *Aligner) fill() {
	for i := range a.pat.Len() + 1 {
		if a.budget.Exhausted() {
			return
		}
		row := a.best[i*a.width:][:a.width]
		// Cells from to to-1 are those of the document lines a.from to a.to, the allowed ones.
		from, to := max(0, a.from-a.low-i), min(a.width, a.to-a.low-i+1)
		for d := range row {
			if d < from || d >= to {
				row[d] = impossible
			}
		}
		if i > 0 { // row 0 is zero, because the alignment may begin anywhere
			a.fillRow(i, from, to)
		}
	}
}

// fillRow fills the cells from to to-1 of row i, in which i lines of the pattern are done. i must
// be at least 1. Each cell is reached by pairing two lines, or by leaving out the pattern's line or
// the document's. A pattern's line that is left out costs an eighth of its weight.
func (a *Aligner) fillRow(i, from, to int) {
	row, how := a.best[i*a.width:][:a.width], a.steps[i*a.width:][:a.width]
	above, before := a.best[(i-1)*a.width:][:a.width], a.steps[(i-1)*a.width:][:a.width]
	lost, last := a.search[i-1].weight*gainFull/8, i == a.pat.Len()
	for d := from; d < to; d++ {
		file := i + a.low + d - 1 // the document's last line that is done
		best, step := int32(impossible), none
		if file >= a.from {
			if g := a.gain(i-1, file); g > 0 {
				if before[d] == pair {
					g += gainAdjacent
				}
				best, step = above[d]+g, pair
			}
		}
		if d+1 < a.width {
			if v := above[d+1] - lost; v > best {
				best, step = v, skipSearch
			}
		}
		if d > 0 && file >= a.from && !last { // after the last line, the document has a free end
			if v := row[d-1] - a.band[file-a.first].extraCost(); v > best {
				best, step = v, skipFile
			}
		}
		row[d], how[d] = best, step
	}
}

// gain returns the gain from pairing the two lines, or 0 if they can't be the same line.
func (a *Aligner) gain(search, file int) int32 {
	s, f := a.search[search], a.band[file-a.first]
	if s.key == f.key {
		g := s.weight * gainFull
		if Relate(a.pat.Line(search), a.doc.Line(file)) == Same {
			g += gainSame
		}
		return g
	}
	// A line that occurs often enough on the other side is only paired with an equal line.
	if !a.lacking[search] || !a.spare[file-a.first] {
		return 0
	}
	sim := a.similarity(search, file)
	if sim < similarMin {
		return 0
	}
	return int32(float64(s.weight*gainFull) * (2*sim - 1)) // 0 for 0.5, all for 1
}

// commentAdded is the similarity of two lines if one of them is the other with a comment added.
const commentAdded = 0.9

// similarity returns how similar two lines are, from 0 to 1: by their tokens (0 below similarMin),
// or commentAdded if they differ only in a comment, whichever is greater.
func (a *Aligner) similarity(search, file int) float64 {
	s, f := a.search[search], a.band[file-a.first]
	near, alike := s.mayBeNear(f), s.mayBeginAlike(f)
	if !near && !alike {
		return 0
	}
	k := &a.known[(search<<6+file)%len(a.known)] // a cache, in which 0 stands for no line
	if int(k.search) == search+1 && int(k.file) == file+1 {
		return k.similarity
	}
	sim := 0.0
	if near {
		sim = a.nearness(s, f)
	}
	if sim < commentAdded && alike && text.DifferInComment(a.pat.Line(search), a.doc.Line(file)) {
		sim = commentAdded
	}
	*k = known{int32(search + 1), int32(file + 1), sim}
	return sim
}

// nearness returns 1 - distance/longer length for the tokens of two lines, or 0 if that is below
// similarMin.
func (a *Aligner) nearness(s, f *line) float64 {
	pattern := s.prepared()
	a.codes = pattern.AppendCodes(a.codes[:0], f.tokens)
	longer := max(s.symbols, f.symbols)
	d, ok := a.budget.Within(pattern, a.codes, longer/2) // at similarMin, half may differ
	if !ok || longer == 0 {
		return 0
	}
	return 1 - float64(d)/float64(longer)
}

// fileLine returns line i of the document.
func (a *Aligner) fileLine(i int) *line {
	if a.file[i] == nil {
		a.file[i] = lineOf(a.doc, i, &a.buffer)
	}
	return a.file[i]
}

// trace returns the best alignment, which it finds by walking back from the best cell of the last
// row. If several are equally good, it takes the one that ends first in the document. Lines that
// are missing at one position and extra at another are marked as moved.
func (a *Aligner) trace() Alignment {
	m := a.pat.Len()
	end := 0
	for d := range a.width {
		if a.best[m*a.width+d] > a.best[m*a.width+end] {
			end = d
		}
	}
	var out Alignment
	for i, d := m, end; i > 0; {
		j := i + a.low + d
		switch a.steps[i*a.width+d] {
		case pair:
			i--
			out = append(out, a.pairOf(i, j-1))
		case skipSearch:
			i, d = i-1, d+1
			out = append(out, Pair{Search: i, File: -1, Relation: Missing})
		case skipFile:
			d--
			out = append(out, Pair{Search: -1, File: j - 1, Relation: Extra})
		default:
			return nil // the band lies outside the document
		}
	}
	slices.Reverse(out)
	out = out.trimmed()
	a.markMoved(out)
	return out
}

// markMoved gives the relation Moved to each SEARCH line that is missing and to an extra file line
// with the same key. Each extra line is used once.
func (a *Aligner) markMoved(out Alignment) {
	extra := map[strategy.Key]int{}
	for i, p := range out {
		if p.Relation == Extra && a.doc.Key(p.File) != strategy.BlankKey {
			extra[a.doc.Key(p.File)] = i
		}
	}
	for i, p := range out {
		if p.Relation != Missing {
			continue
		}
		if at, ok := extra[a.pat.Key(p.Search)]; ok && out[at].Relation == Extra {
			out[i].Relation, out[i].Similarity = Moved, 1
			out[at].Relation, out[at].Similarity = Moved, 1
		}
	}
}

func (a *Aligner) pairOf(search, file int) Pair {
	if a.pat.Key(search) == a.doc.Key(file) {
		return Pair{search, file, Relate(a.pat.Line(search), a.doc.Line(file)), 1}
	}
	return Pair{search, file, Similar, a.similarity(search, file)}
}

// trimmed returns the alignment without extra document lines before the first pair and after the
// last. Missing SEARCH lines at the ends stay.
func (a Alignment) trimmed() Alignment {
	first, last := 0, len(a)
	for first < last && a[first].Relation == Extra {
		first++
	}
	for last > first && a[last-1].Relation == Extra {
		last--
	}
	return a[first:last]
}
