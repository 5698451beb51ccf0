package strategy

import (
	"cmp"
	"iter"
	"slices"
)

// Levenshtein is the fallback after the nine strategies. It compares SEARCH, by edit distance, with
// every window of the same number of lines.
//
// The lines of both sides are joined with "\n", whatever their line ends, and typographic
// characters are folded to plain ones. The similarity of a window is 1 - distance/longer length, in
// runes. The results are the same as if every window were compared; lower bounds for the distance
// decide which windows can be skipped.
//
// Windows are visited from the hinted line outwards, or from the middle of the document if there is
// no hint. That order only decides between equally similar windows.
type Levenshtein struct {
	// Threshold is the lowest accepted similarity. Zero means nine tenths.
	Threshold Ratio
	// Budget limits the work, in columns of 64 table cells.
	Budget *Budget
	// Reference follows the rules of the reference cascade instead: a run of whitespace counts as
	// one space, and the window at the hint is taken if it reaches Threshold. Otherwise only
	// windows within 40 lines of the hint are compared.
	Reference bool
}

const (
	// NearestBudget is a few hundredths of a second of work. A report must not cost more than the
	// search that it is about.
	NearestBudget = 22_000_000
	// referenceBorder is the number of lines before and after the hint that the reference mode
	// searches.
	referenceBorder = 40
)

// nearestFloor is the similarity from which Nearest is exact. Below it, any code resembles any
// other.
var nearestFloor = Ratio{6, 10}

// Window is a range of lines of the document, 0-based, End exclusive, and its similarity to the
// pattern.
type Window struct {
	First, End int
	Similarity Similarity
}

// Name implements [Strategy].
func (Levenshtein) Name() string { return "levenshtein" }

// Candidates implements [Strategy]: the spans of [Levenshtein.Windows].
func (l Levenshtein) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		for _, w := range l.Windows(doc, pat) {
			if !yield(doc.lines(w.First, w.End-w.First)) {
				return
			}
		}
	}
}

// Windows returns all windows that reach the threshold, the most similar first. Equally similar
// windows are in visiting order. In reference mode, the window at the hint precedes all others. If
// the budget runs out, windows may be missing.
func (l Levenshtein) Windows(doc *Document, pat *Pattern) (found []Window) {
	s := l.start(doc, pat)
	if s == nil {
		return nil
	}
	defer func() { l.Budget.Spend(s.work()) }()
	threshold := l.Threshold
	if threshold.Den == 0 {
		threshold = Ratio{9, 10}
	}
	allows := func(c candidate) int { return threshold.allows(c.length) }
	for _, c := range s.prune(s.collect(threshold), allows) {
		if s.rate(&c, allows(c)); c.exact { // its distance is known, and allowed
			found = append(found, s.window(c))
		}
	}
	hinted := func(w Window) int {
		if w.First == s.hint {
			return 0
		}
		return 1
	}
	slices.SortFunc(found, func(a, b Window) int {
		return cmp.Or(cmp.Compare(hinted(a), hinted(b)), b.Similarity.Compare(a.Similarity),
			cmp.Compare(s.order.rank(a.First), s.order.rank(b.First)))
	})
	return found
}

// Near is a result of [Levenshtein.Nearest].
type Near struct {
	Window
	// Approximate is set if other windows may be nearer.
	Approximate bool
	// Work is what the search cost.
	Work int64
}

// Nearest returns the window to show if nothing was found. That is the most similar window if its
// similarity is at least 0.6. Otherwise, or if the budget runs out, it is the window with the most
// text in lines that SEARCH also has, and Approximate is set. ok is false if there are no such
// lines.
func (l Levenshtein) Nearest(doc *Document, pat *Pattern) (near Near, ok bool) {
	s := l.start(doc, pat)
	if s == nil {
		return Near{}, false
	}
	near.Window, near.Approximate, ok = s.nearest(pat)
	near.Work = max(1, s.work())
	l.Budget.Spend(near.Work)
	return near, ok
}

// nearest returns the window of [Levenshtein.Nearest]. approximate is set if other windows may be
// nearer. ok is false if there is neither a similar window nor a line that pat shares.
func (s *windowSearch) nearest(pat *Pattern) (w Window, approximate, ok bool) {
	// A good first guess saves most of the work, and is the result if nothing is better.
	guess, found := s.guess(pat)
	if found > 0 {
		if s.rate(&guess, guess.length); !guess.exact { // too expensive: estimate the distance
			guess.bound = guess.length - min(found, guess.length)
		}
	}
	var start *candidate
	if guess.exact && s.window(guess).Similarity.Reaches(nearestFloor) {
		start = &guess
	}
	windows := s.collect(nearestFloor)
	if !s.exhausted {
		if best := s.best(windows, nearestFloor, start); best != nil {
			return *best, s.exhausted, true
		}
	}
	return s.window(guess), true, found > 0
}

// guess returns the window with the most rare lines of SEARCH, or else one with a line similar to
// the most distinctive line of SEARCH. found is the weight of the lines that the window shares with
// SEARCH. It is 1 for a similar line only, and 0 if there is no such window; the first window is
// then returned.
func (s *windowSearch) guess(pat *Pattern) (c candidate, found int) {
	regions := Regions(s.doc, pat, 1)
	if len(regions) == 0 {
		regions = SimilarRegions(s.doc, pat, 1, NewBudget(s.budget))
	}
	if len(regions) == 0 {
		return s.candidate(s.first), 0
	}
	first := min(max(regions[0].Low, s.first), s.last)
	return s.candidate(first), max(1, regions[0].Found)
}
