package apply

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/omission"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/strategy"
)

// The names of the stages below the strategies, as reports list them.
const (
	fallback     = "levenshtein"   // where rare lines of SEARCH gather, or a line resembles its most telling one
	cutLine      = "cut-line"      // SEARCH begins or ends inside of a line
	lineBreaks   = "line-breaks"   // the tokens of SEARCH, broken into other lines
	lineFragment = "line-fragment" // SEARCH is one line, and in the file a part of one
	alreadyThere = "already-there" // not SEARCH, but what the block makes of it
)

// cascade is everything that finds a place for the lines of a block, in the order in which it is
// asked. Text inside a line is looked for in text.go, and what only the policy loose takes in
// loose.go.
//
// All stages of a level propose places for each of its readings of the block. What they propose is
// aligned line by line and compared, and the first level with a place that nothing speaks against
// decides.
func cascade(o *Options) []level {
	return []level{
		// SEARCH, byte for byte: exact.
		{of: (*search).asWritten, stages: o.stages(strategy.Nothing, (*search).exactly),
			every: true, decide: (*search).decideExact},
		{of: (*search).asWritten, stages: stages{{alreadyThere, (*search).resultExactly}},
			decide: (*search).decideResult},

		// Every line of SEARCH, except for blanks, escapes, and blank lines at its ends:
		// line-trimmed, whitespace-normalized, indentation-flexible, escape-normalized,
		// trimmed-boundary, multi-occurrence.
		{
			enter: (*search).mayScan, of: (*search).unbent,
			stages: o.stages(strategy.Blanks, (*search).wholeLines), every: true, decide: (*search).decideLines,
		},
		{of: (*search).unbent, stages: stages{{cutLine, (*search).cutLine}}, every: true,
			decide: (*search).decideLines},
		// The same of the pieces between elisions.
		{
			enter: (*search).pays, of: (*search).withElisions,
			stages: o.stages(strategy.Blanks, (*search).elided), decide: (*search).decideReading,
		},
		{of: (*search).keeping, stages: stages{{alreadyThere, (*search).resultByLines}}, decide: (*search).decideFirst},
		{of: (*search).single, stages: stages{{lineBreaks, (*search).brokenInto}}, decide: (*search).decideAny},
		{of: (*search).single, stages: stages{{lineFragment, (*search).fragment}}, decide: (*search).decideAny},

		// Most of SEARCH, with slips, and among lines that changed: block-anchor, context-aware,
		// levenshtein.
		{
			enter: (*search).mayCompare, slow: true, of: (*search).unbent,
			stages: append(o.stages(strategy.Lines, (*search).resembling), stage{fallback, (*search).similarRegions}),
			decide: (*search).decideSimilar,
		},
		{of: (*search).unbent, stages: stages{{alreadyThere, (*search).resultByLines}},
			decide: (*search).decideUnlessNear},
	}
}

// stage is one way to find a block.
type stage struct {
	name string // in reports
	// find returns the places for a reading, the first ones if there are too many.
	find func(*search, *reading.Reading) []*placement
}

type stages []stage

// level is the stages that forgive the same.
type level struct {
	// enter makes the search ready for this level, and reports whether it goes on to it. It is nil
	// if there is nothing to do and the search always goes on.
	enter func(*search) bool
	// of returns the readings that the stages are asked for.
	of func(*search) []*reading.Reading
	stages
	// every says that a block which is to be applied to every place takes those of this level.
	every bool
	// slow says that this level and those after it take a share of the run's work, and wait until
	// all blocks have been through the levels above.
	slow bool
	// decide compares what was found. It reports whether the search is over, and leaves the places
	// in findings.
	decide func(*search, []*placement) bool
}

// strategies are those of the cascade, in order.
func (o *Options) strategies() []strategy.Strategy {
	if o.Strategies == nil {
		return strategy.Strategies()
	}
	return o.Strategies
}

// stages are the strategies of a tolerance.
func (o *Options) stages(
	t strategy.Tolerance, find func(*search, strategy.Strategy, *reading.Reading) []*placement,
) (out stages) {
	for _, s := range o.strategies() {
		if strategy.ToleranceOf(s) == t {
			out = append(out, stage{s.Name(), func(c *search, v *reading.Reading) []*placement {
				return find(c, s, v)
			}})
		}
	}
	return out
}

// search is the way of one block down the cascade, in one document.
type search struct {
	*locator
	*findings
	pick       func(*reading.Reading) selector
	collectors map[*reading.Reading]*collector // of the level that compares similar places
	more       bool                            // such places as good as the first were not looked at
	pieced     []*reading.Reading              // whose pieces between elisions a strategy has found
	// trace, if it is not nil, is told what each stage finds for a reading.
	trace func(stage string, v *reading.Reading, places []*placement)
}

// descend asks the levels from s.next on, as far as the first slow one unless slow is set, until
// one decides.
func (s *search) descend(slow bool) {
	for at := s.next; at < len(s.levels); at++ {
		l := &s.levels[at]
		if l.enter != nil && !l.enter(s) {
			break
		}
		if s.next = at; l.slow && !slow {
			return
		}
		if l.decide(s, s.ask(l)) {
			break
		}
	}
	s.next = 0
}

// ask has the stages of a level propose places.
func (s *search) ask(l *level) (found []*placement) {
	for _, v := range l.of(s) {
		for _, st := range l.stages {
			s.ran(st.name)
			places := st.find(s, v)
			if s.trace != nil {
				s.trace(st.name, v, places)
			}
			found = append(found, places...)
		}
	}
	return found
}

// asWritten are the ways to read the block, and unbent are those and each of them without habits of
// models.
func (s *search) asWritten() []*reading.Reading { return s.readings }
func (s *search) unbent() []*reading.Reading    { return s.undone }

// withElisions are the readings that leave lines out.
func (s *search) withElisions() (out []*reading.Reading) {
	for _, v := range s.readings {
		if omission.HasDots(v.Search.Text()) && s.remarks.Paired(v) {
			out = append(out, v)
		}
	}
	return out
}

// keeping are the readings that keep a line of SEARCH.
func (s *search) keeping() (out []*reading.Reading) {
	for _, v := range s.readings {
		if v.Keeps() {
			out = append(out, v)
		}
	}
	return out
}

// single is the only reading of the block; none if there are several.
func (s *search) single() []*reading.Reading {
	if len(s.readings) > 1 {
		return nil
	}
	return s.readings
}

// ran notes that a stage was asked.
func (f *findings) ran(name string) {
	if !slices.Contains(f.tried, name) {
		f.tried = append(f.tried, name)
	}
}
