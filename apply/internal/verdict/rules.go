package verdict

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// The rules judge each place that is only similar to SEARCH. A place is taken if no rule objects. If
// several places are left, the block is ambiguous. A report gives the first objection, so the rules
// that explain a refusal best come first; srpatch why gives all objections.
//
// A hunk is a run of SEARCH lines that the block rewrites or deletes, or a point where it inserts
// lines. The block keeps all other lines of SEARCH. The rules are based on four ideas.
//
// First, twins. Files repeat themselves: they have records, sections, cases and tests with the same
// lines. So the line with the name of a definition ("func parse") or record ("[beta]", "- id: 7",
// "case 3:") counts more than all other lines together. If the file has another name there, the place
// belongs to something else, even if all other lines are equal. A typo isn't another name, unless
// the file contains the misspelled word. If the file lacks that line altogether, a line that is
// unique in the file may still show that the place is right.
//
// Second, the lines that a hunk rewrites or deletes must be the expected ones. They must match SEARCH
// except for a typo. Another number, string or operator is never a typo. There must be no other
// lines between the lines of a hunk, or between the two lines around an insertion, because otherwise
// nothing shows where the new lines belong. Kept lines directly above or below may differ.
//
// Third, the block may already be applied, in part or in another form. If its added lines occur
// near the place, or if nothing shows whether a deletion was made, applying the block could make the
// change twice.
//
// Fourth, lines may drift, because somebody may have edited the file. A line drifts if the file
// lacks it, or if it differs by more than a typo; one with another name or number counts twice. Extra
// lines of the file don't count. If more than a quarter of SEARCH's lines drift, the place is
// uncertain. More are accepted if each hunk is at a line that is unique in the file, and the lines
// found clearly outweigh the others.
//
// If a rule marked sure objects, the place is probably the right one, but a person should decide. So
// the result may be offered as a corrected block, see [Judge.MayOffer].
//
// The bounds are constants next to the functions that use them. They were tuned on blocks with known
// mistakes and checked on blocks from other sources. CONTRIBUTING.md says how to measure them again.
func rules() []rule {
	return []rule{
		// The similarity of all lines together, 0 to 1, is below [MinScore], which is 0.6; see also
		// [Judge.Remote].
		{code: TooLittle, says: "too little of SEARCH occurs there",
			raise: place(func(t *trial) bool { return t.score < MinScore && !t.isAlone() })},

		// Twins. A definition is a line such as "func f" or "class A"; a record's first line is a heading, a
		// key, a case or the start of a list item. The last of these rules finds another record's first
		// line between a hunk and the first line of its own record.
		{code: OtherDefinition, says: "something else is defined there",
			raise: line(contradictedAs(OtherDefinition))},
		{code: NoDefinition, says: "the definition that SEARCH names is not there",
			raise: line(contradictedAs(NoDefinition))},
		{code: OtherRecord, says: "the changed lines belong to something else there",
			raise: line(contradictedAs(OtherRecord))},
		{code: OtherRecord, says: "the changed lines belong to something else there",
			raise: hunk((*trial).otherBegins)},

		// What the block changes. A line differs if a similar one is at its position. If none is, the
		// line is missing.
		{code: LineDiffers, says: "a line that the block changes differs there", sure: true,
			raise: line((*trial).changesOther)},
		{code: LineMissing, says: "a line that the block changes is not there",
			raise: line(func(t *trial, i int) bool { return t.changed[i] && t.relation(i) == align.Missing })},
		{code: LinesBetween, says: "the file has lines that SEARCH lacks where the block makes its change", sure: true,
			raise: hunk((*trial).linesBetween)},
		{code: NoNeighbour, says: "neither line next to the insertion occurs there",
			raise: hunk((*trial).lacksNeighbour)},
		// A comma or semicolon at the end would be missing, or one too many.
		{code: LineDiffers, says: "the line above the insertion ends differently there",
			raise: hunk((*trial).unseparated)},
		{code: Adrift, says: "other lines separate what the block changes from its context, " +
			"so the place may be another copy",
			raise: hunk((*trial).adrift)},

		// Already there.
		{code: NeverThere, says: "what the block deletes is not there, and nothing shows whether it ever was",
			raise: place(func(t *trial) bool { return t.IsDone() && t.DoneAdds == 0 })},
		{code: PartlyThere, says: "part of the block's change is there already", raise: hunk((*trial).partlyThere)},
		{code: PartlyThere, says: "part of the block's change is there already", raise: (*trial).lacksEnd},
		{code: PartlyThere, says: "part of the block's change is there already", raise: hunk((*trial).halfDeleted)},

		// Drift.
		{code: TooMuchDrift, says: "too many lines of SEARCH differ there", sure: true,
			raise: place((*trial).driftsTooMuch)},
		{code: AddedElsewhere, says: "lines of SEARCH differ there, " +
			"and what the block adds occurs elsewhere in the file",
			raise: place(func(t *trial) bool { return t.drifts() && t.addedElsewhere() })},
		{code: BelowThreshold, says: "the similarity is below the requested threshold", sure: true,
			raise: place(func(t *trial) bool { return t.score < t.judge.Threshold })},

		// The policies strict and exact; see strictly in package apply.
		{code: NotExact, says: "the text differs from SEARCH, and only exact text is accepted", sure: true},

		// Only used if several places are left, and the file lacks the line with the name; see
		// [Judge.Nameless].
		{code: NoHead, says: "no line there distinguishes the place from others", raise: nil},
	}
}

// rule is one reason to object to a place.
type rule struct {
	code Code
	// says is the objection as the end of a sentence about the place.
	says string
	// sure is set if the place is probably the right one although the rule objects, so the result
	// can be offered to a person.
	sure  bool
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
