package strategy

import (
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/internal/editdist"
)

// windowSearch compares the windows of a document with a pattern. All windows have the same number
// of lines as the pattern.
type windowSearch struct {
	// immutable during a search
	doc, search *Document
	lengths     []uint32 // see Document.lengths
	height      int
	first, last int // the first lines of the first and the last window
	order       order
	hint        int  // the line, 0-based, whose window precedes more similar ones, or -1
	joined      bool // lines are collapsed, so they end with a blank instead of a line end
	between     int  // how many more symbols a window has than its lines; -1 if joined, see start
	budget      int64
	pattern     *editdist.Pattern
	symbols     []editdist.Symbol // of the pattern
	lineEnd     editdist.Code
	size        [2][classes]uint32 // zeros, then the pattern's histogram: arguments for surplus

	// scratch
	codes     []editdist.Code
	rated     rated             // the latest text compared
	nonblanks *editdist.Pattern // see prune
	read      int64             // symbols compared with the pattern
	exhausted bool
}

// candidate is a window that has not been ruled out.
type candidate struct {
	first  int
	length int  // length of the longer text, in symbols
	bound  int  // a lower bound for the distance
	exact  bool // the distance equals bound
}

// rated is the result of comparing a text with the pattern: the distance, or a bound for it.
type rated struct {
	codes []editdist.Code
	bound int
	exact bool
}

// maxWords limits the memory for comparisons to 32 MiB, enough for 250,000 symbols of source text.
const maxWords = 4 << 20

// start prepares a search for windows of doc that resemble pat. It returns nil if pat has no text,
// or more lines than doc. If pat is too large to compare, the search counts as exhausted.
func (l Levenshtein) start(doc *Document, pat *Pattern) *windowSearch {
	h := pat.Len()
	if h == 0 || h > doc.Len() {
		return nil
	}
	s := &windowSearch{
		doc: doc, search: pat.Document, height: h, last: doc.Len() - h, hint: -1, joined: l.Reference,
		order: orderFrom(pat.Hint, doc.Len()), budget: l.Budget.Left(),
	}
	if l.Reference {
		s.doc, s.search = collapsed(doc), collapsed(s.search)
		s.stayNear(pat.Hint)
	}
	// A text of h lines has h-1 line ends. If the lines end with blanks instead, nothing is added,
	// but the last line's blank is dropped.
	if s.between = h - 1; s.joined {
		s.between = -1
	}
	for i := range h {
		if i > 0 && !s.joined {
			s.symbols = append(s.symbols, '\n')
		}
		s.symbols = appendFolded(s.symbols, s.search.Line(i))
	}
	if s.joined && len(s.symbols) > 0 {
		s.symbols = s.symbols[:len(s.symbols)-1]
	}
	if len(s.symbols) == 0 {
		return nil
	}
	s.size[1] = s.search.counts()[h]
	s.lengths = s.doc.lengths()
	s.pattern = editdist.Prepare(s.symbols)
	s.exhausted = s.pattern.Words() > maxWords
	s.lineEnd = s.pattern.Code('\n')
	return s
}

// stayNear limits the search to lines around hint, as the reference cascade does: a window that
// begins at the hinted line, and referenceBorder more lines at each end. Windows are visited from
// the middle of this range outwards. hint is 1-based; with 0 for no hint, nothing is limited.
func (s *windowSearch) stayNear(hint int) {
	if hint == 0 {
		return
	}
	first := max(0, hint-1-referenceBorder)
	end := min(s.doc.Len(), hint+s.height+referenceBorder)
	middle := (first + end) / 2
	s.order = order{middle}
	s.last = min(s.last, max(middle, end-s.height)) // the middle is visited even if it is too low
	s.first = min(first, s.last)
	if s.hint = hint - 1; s.hint > s.doc.Len()-s.height {
		s.hint = -1 // no window begins there
	}
}

// work returns the work done so far. Reading four symbols costs as much as a step.
func (s *windowSearch) work() int64 {
	n := s.pattern.Steps() + s.read/4
	if s.nonblanks != nil {
		n += s.nonblanks.Steps()
	}
	return n
}

// length returns the number of symbols in the window at first.
func (s *windowSearch) length(first int) int {
	return s.joinedLength(s.lengths[first+s.height] - s.lengths[first])
}

// joinedLength returns the number of symbols in a window whose lines have the given number of
// symbols.
func (s *windowSearch) joinedLength(lines uint32) int { return max(0, int(lines)+s.between) }

func (s *windowSearch) candidate(first int) candidate {
	return candidate{first: first, length: max(len(s.symbols), s.length(first))}
}

func (s *windowSearch) window(c candidate) Window {
	return Window{c.first, c.first + s.height, Similarity{c.bound, c.length}}
}

// collect returns the windows that may have a similarity of at least r, in document order, with
// lower bounds for their distances. The bounds come from lengths and histograms, without comparing
// any text. If the budget runs out, windows are missing.
func (s *windowSearch) collect(r Ratio) []candidate {
	var found []candidate
	m := len(s.symbols)
	least, most := r.lengths(m)
	for from, to := s.first, 0; from <= s.last; from = to {
		to = min(from+max(1, s.height/4), s.last+1)
		// Windows that begin close together share most lines, so their lengths are between those of
		// the lines in all of them and in any of them. Often no length in this range is suitable.
		inAll, inAny := s.lengths[from+s.height]-s.lengths[to-1], s.lengths[to-1+s.height]-s.lengths[from]
		if s.joinedLength(inAll) > most || s.joinedLength(inAny) < least {
			continue
		}
		if s.read += 4 * int64(to-from); s.spent() {
			break
		}
		for first := from; first < to; first++ {
			n := s.length(first)
			if n < least || n > most {
				continue
			}
			counts := s.doc.counts() // only once a window has a suitable length
			bound := surplus(&counts[first], &counts[first+s.height], &s.size[0], &s.size[1])
			bound = max(bound, bound-(n-m)) // the window's surplus, or the pattern's
			if bound <= r.allows(max(m, n)) {
				if len(found) == cap(found) { // append would grow by less, and copy more often
					found = slices.Grow(found, len(found)+16)
				}
				found = append(found, candidate{first: first, length: max(m, n), bound: bound})
			}
		}
	}
	return found
}

// rate compares the window c with the pattern, unless its distance is known or known to exceed k.
// Afterwards c is exact, or its bound exceeds k, or the budget is exhausted.
func (s *windowSearch) rate(c *candidate, k int) {
	if c.exact || c.bound > k || s.exhausted {
		return
	}
	s.codes = s.codes[:0]
	for i := c.first; i < c.first+s.height; i++ {
		if i > c.first && !s.joined {
			s.codes = append(s.codes, s.lineEnd)
		}
		s.codes = appendCodes(s.codes, s.pattern, s.doc.Line(i), allSymbols)
	}
	if s.joined && len(s.codes) > 0 {
		s.codes = s.codes[:len(s.codes)-1]
	}
	s.read += int64(len(s.codes))
	// In repetitive text, the previous window was often the same. Its result can be reused if it
	// was a distance, or a bound that exceeds k.
	if r := &s.rated; !r.exact && r.bound <= k || !slices.Equal(s.codes, r.codes) {
		s.pattern.Limit(s.pattern.Steps() + s.budget - s.work())
		d, ok := s.pattern.Within(s.codes, k)
		if s.spent() {
			return
		}
		s.codes, r.codes = r.codes, s.codes
		r.bound, r.exact = d, ok
	}
	c.bound, c.exact = max(c.bound, s.rated.bound), s.rated.exact
}

// spent reports whether the budget has run out.
func (s *windowSearch) spent() bool {
	s.exhausted = s.exhausted || s.work() > s.budget
	return s.exhausted
}

// best returns the most similar of the given windows, which are in document order, if it reaches r.
// Among equally similar windows it returns the first in visiting order. start is an already known
// window, or nil.
func (s *windowSearch) best(windows []candidate, r Ratio, start *candidate) *Window {
	var best candidate
	found := start != nil
	if found {
		best = *start
	}
	// allows returns the greatest distance at which c reaches r or, if there is a best window,
	// beats it. With the same ratio of distance to length, the window visited first wins.
	allows := func(c candidate) int {
		if !found {
			return r.allows(c.length)
		}
		product := int64(best.bound) * int64(c.length)
		k := int(product / int64(best.length))
		if product%int64(best.length) == 0 && s.order.rank(c.first) >= s.order.rank(best.first) {
			k--
		}
		return k
	}
	try := func(c candidate) {
		if s.rate(&c, allows(c)); c.exact && c.bound <= allows(c) {
			best, found = c, true
		}
	}

	// Start with the most promising window. If it is good, hardly any other needs comparing.
	if len(windows) > 0 {
		try(slices.MinFunc(windows, s.promise))
	}
	left := slices.DeleteFunc(slices.Clone(windows), func(c candidate) bool { return c.bound > allows(c) })
	left = s.prune(left, allows)
	slices.SortFunc(left, s.promise)
	for _, c := range left {
		try(c)
	}
	if !found {
		return nil
	}
	w := s.window(best)
	return &w
}

// promise orders candidates by the greatest similarity that they may have, then by visiting order.
func (s *windowSearch) promise(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(int64(a.bound)*int64(b.length), int64(b.bound)*int64(a.length)),
		cmp.Compare(s.order.rank(a.first), s.order.rank(b.first)),
	)
}

// prune drops candidates, which are in document order, if one scan over their lines shows that they
// exceed the allowed distance. It returns windows unchanged if comparing them costs less, or if the
// scan can't rule out any. If the budget runs out during the scan, the rest is kept.
//
// After each line, the scan knows the distance between the pattern and the nearest piece of text
// that ends there, wherever the piece begins. A window that ends there can't be nearer. The scan
// ignores blanks on both sides, which saves about a third of the symbols. Dropping some symbols
// from two texts never increases their distance.
func (s *windowSearch) prune(windows []candidate, allows func(candidate) int) []candidate {
	text, k, end := 0, 0, 0 // symbols to scan, the greatest allowed distance, the end of the lines
	for i := range windows {
		c := windows[i]
		from := max(end, c.first)
		end = c.first + s.height
		text += int(s.lengths[end] - s.lengths[from])
		k = max(k, allows(c))
	}
	if s.exhausted || int64(len(windows))*int64(len(s.symbols)) <= 2*int64(text) {
		return windows
	}
	if s.prepareNonblank(); k >= s.nonblanks.Len() {
		return windows
	}
	s.nonblanks.Limit(s.nonblanks.Steps() + s.budget - s.work())
	// Windows that begin close together share a scan, which ends where the last of them begins.
	gap := min(s.height, max(s.height/4, 64))
	scan := s.nonblanks.Scan(k)
	kept := windows[:0]
	for len(windows) > 0 {
		n := 1
		for n < len(windows) && windows[n].first-windows[n-1].first <= gap {
			n++
		}
		scan.Restart()
		at := windows[0].first
		for i, c := range windows[:n] {
			for ; at < c.first+s.height; at++ {
				if at >= windows[n-1].first {
					scan.Close()
				}
				s.codes = appendCodes(s.codes[:0], s.nonblanks, s.doc.Line(at), nonblankSymbols)
				scan.Feed(s.codes)
			}
			if s.spent() {
				return append(kept, windows[i:]...)
			}
			if d, ok := scan.Least(); ok && d <= allows(c) {
				c.bound = max(c.bound, d)
				kept = append(kept, c)
			}
		}
		windows = windows[n:]
	}
	return kept
}

// prepareNonblank sets nonblanks to the pattern without blanks.
func (s *windowSearch) prepareNonblank() {
	if s.nonblanks == nil {
		blank := func(x editdist.Symbol) bool { return !nonblank(x) }
		s.nonblanks = editdist.Prepare(slices.DeleteFunc(slices.Clone(s.symbols), blank))
	}
}
