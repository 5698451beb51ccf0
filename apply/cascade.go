package apply

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/omission"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/strategy"
)

// Names of the stages that aren't strategies, as they appear in reports.
const (
	fallback     = "levenshtein"   // similar by edit distance
	cutLine      = "cut-line"      // SEARCH begins or ends inside a line
	lineBreaks   = "line-breaks"   // the tokens of SEARCH with different line breaks
	lineFragment = "line-fragment" // SEARCH is one line, and only part of a line in the file
	alreadyThere = "already-there" // the block's result: it was applied before, and nothing is written
)

// cascade returns all levels of the search for a block's lines, in the order in which they are
// tried. The search for text inside a line is in text.go, and the one under the policy loose is in
// loose.go.
//
// A reading is one way to understand the block, for example without the line numbers that were
// copied with its lines. The stages of a level propose places for each reading. A stage is a
// strategy, which users of the library can leave out, or one of the other searches above. The first
// level that finds a place decides, and the levels below aren't asked. If several stages find it,
// the first one gives it its name. If a level finds several equally good places, the block is
// ambiguous. Places that are only similar to SEARCH don't count if a rule of package verdict objects
// to them. Wherever a block is placed, it's already applied if its result is there.
func cascade(o *Options) []level {
	return []level{
		// SEARCH, byte for byte: exact.
		{of: (*search).asWritten, stages: o.stages(strategy.Nothing, (*search).exactly),
			every: true, decide: (*search).decideExact},
		{of: (*search).asWritten, stages: stages{{alreadyThere, (*search).resultExactly}},
			decide: (*search).decideResult},

		// All lines of SEARCH, in order:
		//   line-trimmed            ignoring blanks at both ends of a line
		//   whitespace-normalized   ignoring the number of blanks, and any blanks next to punctuation
		//   indentation-flexible    all lines have the same blanks added or removed before them
		//   escape-normalized       SEARCH has escapes such as \" or \n, and the file what they stand for
		//   trimmed-boundary        ignoring blank lines at both ends of SEARCH
		//   multi-occurrence        all exact places, for a block that changes every one
		{
			enter: (*search).enterScan, of: (*search).withoutHabits,
			stages: o.stages(strategy.Blanks, (*search).wholeLines), every: true, decide: (*search).decideLines,
		},
		{of: (*search).withoutHabits, stages: stages{{cutLine, (*search).cutLine}}, every: true,
			decide: (*search).decideLines},
		// The same for the pieces between elisions ("..."), if REPLACE has them, too.
		{
			enter: (*search).enterElisions, of: (*search).withElisions,
			stages: o.stages(strategy.Blanks, (*search).elided), decide: (*search).decideReading,
		},
		{of: (*search).keeping, stages: stages{{alreadyThere, (*search).resultByLines}}, decide: (*search).decideFirst},
		{of: (*search).single, stages: stages{{lineBreaks, (*search).brokenInto}}, decide: (*search).decideReading},
		{of: (*search).single, stages: stages{{lineFragment, (*search).fragment}}, decide: (*search).decideReading},

		// Most lines of SEARCH, exact or similar; the others may differ. Indentation is ignored, and
		// REPLACE gets that of the file.
		//   block-anchor    the first and last of at least three lines match, and those between are similar
		//   context-aware   the first and last lines match, and at least half of those between
		//   levenshtein     similar by edit distance; tried near lines of SEARCH that are rare in the file
		{
			enter: (*search).enterSimilar, slow: true, of: (*search).withoutHabits,
			stages: append(o.stages(strategy.Lines, (*search).resembling), stage{fallback, (*search).similarRegions}),
			decide: (*search).decideSimilar,
		},
		{of: (*search).withoutHabits, stages: stages{{alreadyThere, (*search).resultByLines}},
			decide: (*search).decideUnlessNear},
	}
}

// stage is one way to find a block.
type stage struct {
	name string // in reports
	// find returns the places for a reading, or only the first ones if there are too many.
	find func(*search, *reading.Reading) []*placement
}

type stages []stage

// level is a group of stages with the same tolerance.
type level struct {
	// enter prepares the search for this level. If it returns false, the search is over. Nil means
	// that there's nothing to prepare.
	enter func(*search) bool
	// of returns the readings to search for.
	of func(*search) []*reading.Reading
	stages
	// every is set if a block that changes all places (replace_all) may take those of this level.
	every bool
	// slow is set if this level and the ones below it compare many lines, which the run has a limited
	// budget for. They wait until all blocks have been through the levels above.
	slow bool
	// decide compares the places found, stores the result in the search's findings, and reports
	// whether the search is over.
	decide func(*search, []*placement) bool
}

// strategies returns the strategies of the cascade, in order.
func (o *Options) strategies() []strategy.Strategy {
	if o.Strategies == nil {
		return strategy.Strategies()
	}
	return o.Strategies
}

// stages returns a stage for each strategy with tolerance t.
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

// search takes one block through the cascade in one document.
type search struct {
	*locator
	*findings
	pick       func(*reading.Reading) selector
	collectors map[*reading.Reading]*collector // for the level that compares similar places
	more       bool                            // equally good similar places were not examined
	pieced     []*reading.Reading              // readings whose pieces a strategy has found
	// trace, unless nil, is called with what each stage finds for a reading.
	trace func(stage string, v *reading.Reading, places []*placement)
}

// descend tries the levels from s.next on until one decides or can't be entered. Then the search is
// over, and s.next is 0. Unless slow is set, it stops at the first slow level, and the next call
// continues there.
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

// ask collects the places that a level's stages propose.
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

// asWritten returns the readings of the block as it's written.
func (s *search) asWritten() []*reading.Reading { return s.readings }

// withoutHabits returns these readings, and each of them with models' habits undone, such as line
// numbers or HTML entities.
func (s *search) withoutHabits() []*reading.Reading { return s.undone }

// withElisions returns the readings whose SEARCH leaves lines out.
func (s *search) withElisions() (out []*reading.Reading) {
	for _, v := range s.readings {
		if omission.HasDots(v.Search.Text()) && s.remarks.Paired(v) {
			out = append(out, v)
		}
	}
	return out
}

// keeping returns the readings that keep at least one SEARCH line.
func (s *search) keeping() (out []*reading.Reading) {
	for _, v := range s.readings {
		if v.Keeps() {
			out = append(out, v)
		}
	}
	return out
}

// single returns the reading of the block if it has only one.
func (s *search) single() []*reading.Reading {
	if len(s.readings) > 1 {
		return nil
	}
	return s.readings
}

// ran records that a stage was tried.
func (f *findings) ran(name string) {
	if !slices.Contains(f.tried, name) {
		f.tried = append(f.tried, name)
	}
}
