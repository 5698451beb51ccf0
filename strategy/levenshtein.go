package strategy

import (
	"cmp"
	"iter"
	"slices"
)

// Levenshtein is the fallback after the nine strategies: it compares SEARCH with every window of as many lines, by
// edit distance.
//
// The lines of both sides are joined with "\n", whatever their line ends, and typographic stand-ins are folded to plain
// characters. The similarity of a window is 1 - distance/longer length, in runes. Answers are those of comparing every
// window; sound bounds decide which windows need no comparing.
//
// Windows are visited from the hinted line outwards, or from the middle of the document where there is no hint. That
// order decides between equally similar windows, never which one is better.
type Levenshtein struct {
	// Threshold is the least similarity accepted; zero for nine tenths.
	Threshold Ratio
	// RunnerUp is the least similarity at which a runner-up is looked for; zero for Threshold.
	RunnerUp Ratio
	// Budget bounds the work of one call in steps, see Result.Work; zero for DefaultBudget.
	Budget int64
	// Paid, unless nil, pays for the work of Candidates and Windows, and ends it as Budget does.
	Paid *Budget
	// Reference follows the rules of the reference cascade instead: all white space counts as one space, the window at
	// the hint is taken if it reaches Threshold, and windows are otherwise looked for within 40 lines of the hint only.
	Reference bool
}

const (
	// DefaultBudget is some tenths of a second of work.
	DefaultBudget = 100_000_000
	// NearestBudget is some hundredths of a second: a report must not cost more than the search it is about.
	NearestBudget = 22_000_000
	// referenceBorder is how many lines before and after the hint the reference mode looks at.
	referenceBorder = 40
)

// manyWindows is from how many windows on a guess at the nearest one, which takes a look at the whole text, spares more than it takes.
const manyWindows = 64

// nearestFloor is the similarity from which on Nearest is exact. Below, code resembles any other code.
var nearestFloor = Ratio{6, 10}

// Window is a range of lines of the document, 0-based, End exclusive, and how similar it is to the pattern.
type Window struct {
	First, End int
	Similarity Similarity
}

func (w Window) overlaps(v Window) bool { return w.First < v.End && v.First < w.End }

// Result is the outcome of a search.
type Result struct {
	// Best is the most similar window that reaches the threshold; nil if there is none.
	Best *Window
	// RunnerUp is the most similar window that has no line in common with Best; nil if none reaches the ratio asked for.
	RunnerUp *Window
	// First and End are the lines searched, 0-based, End exclusive.
	First, End int
	// Work is what the search cost, in columns of 64 table cells. It depends on the texts alone.
	Work int64
	// Exhausted says that the budget ran out: there may be better windows.
	Exhausted bool
}

// Name implements [Strategy].
func (Levenshtein) Name() string { return "levenshtein" }

// Search finds the best window and its runner-up.
func (l Levenshtein) Search(doc *Document, pat *Pattern) Result {
	s := l.start(doc, pat, l.Budget, DefaultBudget)
	var r Result
	if s == nil {
		return r
	}
	r.First, r.End = s.first, s.last+s.height
	threshold, runnerUp := l.threshold(), l.RunnerUp
	if runnerUp.Den == 0 {
		runnerUp = threshold
	}
	windows := s.collect(lower(threshold, runnerUp))
	r.Best = s.best(windows, threshold, s.tallGuess(threshold))
	if at := s.atHint(threshold); at != nil {
		r.Best = at
	}
	if r.Best != nil {
		windows = slices.DeleteFunc(windows, func(c candidate) bool { return s.window(c).overlaps(*r.Best) })
		r.RunnerUp = s.best(windows, runnerUp, nil)
	}
	r.Work, r.Exhausted = s.work(), s.exhausted
	return r
}

func lower(a, b Ratio) Ratio {
	if int64(a.Num)*int64(b.Den) < int64(b.Num)*int64(a.Den) {
		return a
	}
	return b
}

// Candidates implements [Strategy]: all windows that reach the threshold, the most similar first, equally similar ones
// in visiting order. When the budget runs out the rest is missing; callers for whom that matters use Windows or Search.
func (l Levenshtein) Candidates(doc *Document, pat *Pattern) iter.Seq[Candidate] {
	return func(yield func(Candidate) bool) {
		windows, _ := l.Windows(doc, pat)
		for _, w := range windows {
			if !yield(Candidate{doc.Start(w.First), doc.End(w.End - 1)}) {
				return
			}
		}
	}
}

// Windows lists what Candidates yields, with similarities, and reports whether the budget ran out before all windows were
// looked at.
func (l Levenshtein) Windows(doc *Document, pat *Pattern) (found []Window, exhausted bool) {
	s := l.start(doc, pat, min(cmp.Or(l.Budget, DefaultBudget), l.Paid.Left()), DefaultBudget)
	if s == nil {
		return nil, false
	}
	defer func() { l.Paid.Spend(s.work()) }()
	threshold := l.threshold()
	allows := func(c candidate) int { return threshold.allows(c.length) }
	for _, c := range s.prune(s.tally(s.collect(threshold), allows), allows) {
		if s.rate(&c, allows(c)); c.exact {
			found = append(found, s.window(c))
		}
	}
	at := s.atHint(threshold)
	slices.SortFunc(found, func(a, b Window) int {
		if at != nil && (a.First == at.First) != (b.First == at.First) {
			if a.First == at.First {
				return -1
			}
			return 1
		}
		return cmp.Or(b.Similarity.Compare(a.Similarity), cmp.Compare(s.order.rank(a.First), s.order.rank(b.First)))
	})
	return found, s.exhausted
}

// Near is what [Levenshtein.Nearest] finds.
type Near struct {
	Window
	// Approximate says that other windows may be nearer.
	Approximate bool
	// Work is what the search cost, see [Result.Work].
	Work int64
}

// Nearest is the window to show when nothing was found: the most similar one where its similarity is at least 0.6.
// Below that, or when the budget runs out, whose default is NearestBudget, it is the one with the most text in lines that SEARCH
// has, too, and approximate; ok is false if there is no such line either.
func (l Levenshtein) Nearest(doc *Document, pat *Pattern) (near Near, ok bool) {
	s := l.start(doc, pat, l.Budget, NearestBudget)
	if s == nil {
		return Near{}, false
	}
	near.Window, near.Approximate, ok = s.nearest()
	near.Work = max(1, s.work())
	return near, ok
}

func (s *windowSearch) nearest() (w Window, approximate, ok bool) {
	// A good guess to begin with spares most of the work, and is the answer where there is no better one.
	guess, common := s.mostInCommon()
	if common > 0 {
		if s.rate(&guess, guess.length); !guess.exact {
			guess.bound = guess.length - min(common, guess.length)
		}
	}
	near := func(c candidate) bool { return c.exact && s.window(c).Similarity.Reaches(nearestFloor) }
	windows := s.collect(nearestFloor)
	var start *candidate
	if near(guess) {
		start = &guess
	} else if len(windows) > manyWindows {
		other := s.mostGrams()
		if s.rate(&other, nearestFloor.allows(other.length)); near(other) {
			start = &other
		}
	}
	if !s.exhausted {
		if best := s.best(windows, nearestFloor, start); best != nil {
			return *best, s.exhausted, true
		}
	}
	return s.window(guess), true, common > 0
}

func (l Levenshtein) threshold() Ratio {
	if l.Threshold.Den == 0 {
		return Ratio{9, 10}
	}
	return l.Threshold
}
