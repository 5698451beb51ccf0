package verdict

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// A place that fits only nearly is taken when nothing speaks against it. What may speak against it
// is in this table, and nowhere else. The first rule that objects decides, so the order is by what
// tells most about a refusal. It rests on four thoughts.
//
// First, twins. Files repeat themselves: records, sections, cases, tests with the same lines in
// them. The line by which SEARCH names its own (a definition, a heading, a key) is worth more than
// all the others together: where the file has another name, the place is another's, be the rest
// equal to the letter. A typing error in a name is no other name, as long as the file does not know
// the word; and one line that occurs only there confirms a place whatever its head says.
//
// Second, what the block changes must be what it thinks it changes. A line to be rewritten or
// deleted has to be there as SEARCH has it, but for a slip that cannot mean anything else; it has
// to be in its place, and nothing may stand between the lines of a hunk, as nothing then says where
// the new ones go.
//
// Third, the block may be there already, in part or in another form. Where its added lines occur
// near the place, or a deletion leaves no trace by which to know it, applying it would do it twice.
//
// Fourth, what the block only keeps may drift: somebody has edited the file since. But drift is
// counted, and too much of it is another place. The rules about it come last.
//
// A rule of the first thought says that the place is not the block's. The others leave it the
// place, as a rule, and ask a person: what the block may do there is offered as a corrected block.
//
// The bounds were set on blocks bent in known ways and checked on blocks from other sources;
// docs/architecture.md says how to measure them again.
func rules() []rule {
	return []rule{
		// Of less than [leastScore] it is asked before REPLACE is looked at, see [Judge.Remote].
		{code: TooLittle, says: "too little of SEARCH occurs there", raise: place((*trial).tooLittle)},

		// Twins.
		{code: OtherDefinition, says: "it defines something else", raise: line(isNamed(OtherDefinition))},
		{code: NoDefinition, says: "it lacks the definition that SEARCH names", raise: line(isNamed(NoDefinition))},
		{code: OtherRecord, says: "the lines inside belong to something else there", raise: line(isNamed(OtherRecord))},
		{code: OtherRecord, says: "the lines inside belong to something else there", raise: hunk((*trial).otherBegins)},

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
		{code: Adrift, says: "other lines separate what the block changes from its context, and it may be another copy",
			raise: hunk((*trial).adrift)},

		// There already.
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
		{code: BelowThreshold, says: "its similarity is below the threshold asked for", known: true,
			raise: place(func(t *trial) bool { return t.score < t.judge.Threshold })},

		// The policy's.
		{code: NotExact, says: "it differs from SEARCH, and only exact text is taken", known: true, raise: nil},

		// Asked only where several places are left, see [Judge.Nameless].
		{code: NoHead, says: "it lacks the line that would distinguish it from others", raise: nil},
	}
}

// rule is one thing that may speak against a place.
type rule struct {
	code Code
	// says is the objection as the end of a sentence about the place.
	says string
	// known: the place is the block's although the rule objects, so a person can be offered what
	// the splice makes there.
	known bool
	raise func(t *trial) *Objection
}

// place is a rule about the place as a whole.
func place(objects func(t *trial) bool) func(t *trial) *Objection {
	return func(t *trial) *Objection {
		if !objects(t) {
			return nil
		}
		return &Objection{}
	}
}

// line is a rule about a line of SEARCH that is not blank.
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

// hunk is a rule about a hunk that is to be made.
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
