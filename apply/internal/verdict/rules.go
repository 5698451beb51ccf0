package verdict

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// A place that only nearly fits is taken if no rule in this table objects. There are no other
// objections. The first rule that objects decides, so the rules that best explain a refusal come
// first. The rules are based on four ideas.
//
// First, twins. Files repeat themselves: they have records, sections, cases and tests with the same
// lines. The line in which SEARCH names its record (a definition, a heading, a key) counts more
// than all other lines together. If the file has another name there, the place belongs to another
// record, even if everything else is equal. But a typo in a name isn't another name unless the file
// contains the misspelled word, and a single line that occurs only at one place confirms that place
// whatever name it has.
//
// Second, the lines that the block changes must be the expected ones. A line that is rewritten or
// deleted must match SEARCH, except for a typo with only one possible meaning. It must be at its
// place, and there must be no other lines between the lines of a hunk, because otherwise nothing
// shows where the new lines belong.
//
// Third, the block may already be applied, in part or in another form. If its added lines occur
// near the place, or if a deletion leaves no trace, applying the block could do it twice.
//
// Fourth, lines that the block only keeps may drift, because somebody may have edited the file. But
// drift is counted, and too much of it indicates another place. The rules about it come last.
//
// A rule of the first kind says that the place is wrong. The other rules mostly mean that the place
// is right, but that a person should decide. In that case, the result is offered as a corrected
// block.
//
// The bounds were tuned on blocks with known mistakes and checked on blocks from other sources.
// CONTRIBUTING.md says how to measure them again.
func rules() []rule {
	return []rule{
		// Below [leastScore], this rule is checked before REPLACE is examined; see [Judge.Remote].
		{code: TooLittle, says: "too little of SEARCH occurs there", raise: place((*trial).tooLittle)},

		// Twins.
		{code: OtherDefinition, says: "something else is defined there", raise: line(contradictedAs(OtherDefinition))},
		{code: NoDefinition, says: "the definition that SEARCH names is not there", raise: line(contradictedAs(NoDefinition))},
		{code: OtherRecord, says: "the changed lines belong to something else there",
			raise: line(contradictedAs(OtherRecord))},
		{code: OtherRecord, says: "the changed lines belong to something else there",
			raise: hunk((*trial).otherBegins)},

		// What the block changes.
		{code: LineDiffers, says: "a line that the block changes differs there", known: true,
			raise: line((*trial).changesOther)},
		{code: LineMissing, says: "a line that the block changes is not there",
			raise: line(func(t *trial, i int) bool { return t.changed[i] && t.relation(i) == align.Missing })},
		{code: LinesBetween, says: "the file has lines that SEARCH lacks where the block makes its change", known: true,
			raise: hunk((*trial).linesBetween)},
		{code: NoNeighbour, says: "neither line next to the insertion occurs there",
			raise: hunk((*trial).lacksNeighbour)},
		{code: LineDiffers, says: "the line above the insertion ends differently there",
			raise: hunk((*trial).unseparated)},
		{code: Adrift, says: "other lines separate what the block changes from its context, " +
			"so the place may be another copy",
			raise: hunk((*trial).adrift)},

		// Already there.
		{code: NeverThere, says: "what the block deletes is not there, and nothing shows whether it ever was",
			raise: place(func(t *trial) bool { return t.IsDone() && t.DoneAdds == 0 })},
		{code: PartlyThere, says: "part of what the block adds is there already", raise: hunk((*trial).partlyThere)},
		{code: PartlyThere, says: "part of what the block adds is there already", raise: (*trial).lacksEnd},
		{code: PartlyThere, says: "part of what the block adds is there already", raise: hunk((*trial).halfDeleted)},

		// Drift.
		{code: TooMuchDrift, says: "too many lines of SEARCH differ there", known: true,
			raise: place((*trial).driftsTooMuch)},
		{code: AddedElsewhere, says: "lines of SEARCH differ there, " +
			"and what the block adds occurs elsewhere in the file",
			raise: place(func(t *trial) bool { return t.drifts() && t.addedElsewhere() })},
		{code: BelowThreshold, says: "the similarity is below the requested threshold", known: true,
			raise: place(func(t *trial) bool { return t.score < t.judge.Threshold })},

		// The policy.
		{code: NotExact, says: "the text differs from SEARCH, and only exact text is accepted", known: true},

		// Only used if several places are left; see [Judge.Nameless].
		{code: NoHead, says: "no line there distinguishes the place from others", raise: nil},
	}
}

// rule is one reason to object to a place.
type rule struct {
	code Code
	// says is the objection as the end of a sentence about the place.
	says string
	// known is set if the place is right although the rule objects, so the result can be offered to
	// a person.
	known bool
	raise func(t *trial) *Objection
}

// place returns a rule about the place as a whole.
func place(objects func(t *trial) bool) func(t *trial) *Objection {
	return func(t *trial) *Objection {
		if !objects(t) {
			return nil
		}
		return &Objection{}
	}
}

// line returns a rule about each line of SEARCH that isn't blank.
func line(objects func(t *trial, i int) bool) func(t *trial) *Objection {
	return func(t *trial) *Objection {
		for i := range t.changed {
			if !text.Blank(t.Search.Line(i)) && objects(t, i) {
				return t.about(i)
			}
		}
		return nil
	}
}

// hunk returns a rule about each hunk that is still to be made.
func hunk(objects func(t *trial, c reading.Hunk) *Objection) func(t *trial) *Objection {
	return func(t *trial) *Objection {
		for _, c := range t.ToDo {
			if o := objects(t, c); o != nil {
				return o
			}
		}
		return nil
	}
}
