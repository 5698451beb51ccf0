package strategy

import (
	"cmp"
	"iter"
	"slices"
)

// Levenshtein is the fallback after the nine strategies: it compares SEARCH with every window of as
// many lines, by edit distance.
//
// The lines of both sides are joined with "\n", whatever their line ends, and typographic stand-ins
// are folded to plain characters. The similarity of a window is 1 - distance/longer length, in
// runes. Answers are those of comparing every window; sound bounds decide which windows need no
// comparing.
//
// Windows are visited from the hinted line outwards, or from the middle of the document where there
// is no hint. That order decides between equally similar windows, never which one is better.
type Levenshtein struct {
	// Threshold is the least similarity accepted; zero for nine tenths.
	Threshold Ratio
	// Budget pays for the work, in columns of 64 table cells, and ends it.
	Budget *Budget
	// Reference follows the rules of the reference cascade instead: all white space counts as one
	// space, the window at the hint is taken if it reaches Threshold, and windows are otherwise
	// looked for within 40 lines of the hint only.
	Reference bool
}

const (
	// NearestBudget is some hundredths of a second: a report must not cost more than the search it
	// is about.
	NearestBudget = 22_000_000
	// referenceBorder is how many lines before and after the hint the reference mode looks at.
	referenceBorder = 40
)

// nearestFloor is the similarity from which on Nearest is exact. Below, code resembles any other
// code.
var nearestFloor = Ratio{6, 10}

// Window is a range of lines of the document, 0-based, End exclusive, and how similar it is to the
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

// Windows lists all windows that reach the threshold, the most similar first, equally similar ones
// in visiting order. If the budget runs out, the rest is missing.
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
	for _, c := range s.prune(s.tally(s.collect(threshold), allows), allows) {
		if s.rate(&c, allows(c)); c.exact {
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

// Near is what [Levenshtein.Nearest] finds.
type Near struct {
	Window
	// Approximate says that other windows may be nearer.
	Approximate bool
	// Work is what the search cost.
	Work int64
}

// Nearest returns the window to show when nothing was found: the most similar one where its
// similarity is at least 0.6. Below that, or when the budget runs out, it is the one with the most
// text in lines that SEARCH has, too, and approximate; ok is false if there is no such line either.
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

func (s *windowSearch) nearest(pat *Pattern) (w Window, approximate, ok bool) {
	// A good guess to begin with spares most of the work, and is the answer if there is no better
	// one.
	guess, found := s.guess(pat)
	if found > 0 {
		if s.rate(&guess, guess.length); !guess.exact {
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

// guess returns the window in which most rare lines of SEARCH gather, or else one with a line that
// is similar to its most telling one, and how much text SEARCH has in common with it.
func (s *windowSearch) guess(pat *Pattern) (candidate, int) {
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
