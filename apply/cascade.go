package apply

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// The names under which reports list what proposes places besides the strategies of the cascade.
const (
	sameTokens   = "same-tokens"   // all lines are equal except for blanks between tokens, and typography
	blankBorders = "blank-borders" // the same without the blank lines at SEARCH's ends
	cutLine      = "cut-line"      // the same with a first line that is the end of a line
	lineFragment = "line-fragment" // SEARCH is one line, and in the file a part of one
	lineBreaks   = "line-breaks"   // the tokens of SEARCH, broken into other lines
	elidedLines  = "elided-lines"  // the parts of SEARCH between its elisions, in their order
	fallback     = "levenshtein"   // where rare lines of SEARCH gather, or a line is similar to its most telling one
)

// maxProposals bounds how many places a strategy proposes for one reading.
const maxProposals = 256

// span is a range of file lines, 0-based, end exclusive.
type span struct{ first, end int }

// proposal is a place that a strategy proposes. It says where to look closer, and nothing of how well the place fits.
type proposal struct {
	span
	strategy string
}

// strategies are those of the cascade, in order.
func (o *Options) strategies() []strategy.Strategy {
	if o.Strategies == nil {
		return strategy.Strategies()
	}
	return o.Strategies
}

// ask lists the places that the strategies of one tolerance propose for a reading, each place once, by the first that proposes it.
func (l *locator) ask(f *findings, v *reading.Reading, tolerance strategy.Tolerance) []proposal {
	var out []proposal
	known := map[span]bool{}
	search := v.Bare().Search
	for _, s := range l.opt.strategies() {
		if strategy.ToleranceOf(s) != tolerance {
			continue
		}
		f.ran(s.Name())
		n := 0
		for c := range strategy.Proposals(s, l.doc, search) {
			if n++; n > maxProposals {
				break
			}
			place, ok := l.spanOf(c)
			if ok && !known[place] {
				known[place] = true
				out = append(out, proposal{place, s.Name()})
			}
		}
	}
	return out
}

// spanOf is the span of the candidate; ok is false where it begins or ends inside a line, or outside of the document.
func (l *locator) spanOf(c strategy.Candidate) (s span, ok bool) {
	if c.Start < 0 || c.End <= c.Start || c.End > len(l.doc.Text()) {
		return span{}, false
	}
	first, last := l.doc.LineAt(c.Start), l.doc.LineAt(c.End-1)
	return span{first, last + 1}, c.Start == l.doc.Start(first) && c.End >= l.doc.End(last)
}

// ran notes that a strategy was asked.
func (f *findings) ran(name string) {
	if !slices.Contains(f.tried, name) {
		f.tried = append(f.tried, name)
	}
}

// proposer is the first strategy that proposed the place, or what is left of it without blank lines at its ends; otherwise where
// none did.
func (l *locator) proposer(ps []proposal, place span, otherwise string) string {
	blank := func(from, to int) bool {
		for i := from; i < to; i++ {
			if !text.Blank(l.doc.Line(i)) {
				return false
			}
		}
		return from <= to
	}
	for _, p := range ps {
		if blank(place.first, p.first) && blank(p.end, place.end) {
			return p.strategy
		}
	}
	return otherwise
}
