// Package warning lists what blocks are warned about. A warning is a sentence that begins with its
// code, so that people and programs read the same.
package warning

import "fmt"

// Code is the stable code of a warning.
type Code string

// Warnings on how the reply was read.
const (
	// OddMarkers: a closer, a divider or a tag is unlike its opener, missing or there twice, and
	// the block was read anyway.
	OddMarkers Code = "odd-markers"
	// Fence: a fence around the text was left out, or closed before REPLACE ended.
	Fence Code = "fence"
	// Margin: lines of the edit begin with signs of a quotation or a list, which are removed; or only some lines do.
	Margin Code = "margin"
	// NoOperator: a line of a diff or a patch lacks its sign.
	NoOperator Code = "no-operator"
	// FileMode: srpatch does not change file modes.
	FileMode Code = "file-mode"
	// WrittenEntities: the text has HTML entities, which are read as characters or left as they are.
	WrittenEntities Code = "written-entities"
	// AfterJSON: text after a JSON value is ignored.
	AfterJSON Code = "after-json"
	// ExpectedCount: an expected number of replacements is read as replace_all.
	ExpectedCount Code = "expected-count"
)

// Warnings on which file is meant, and which place in it.
const (
	// TakenFor: the file has another path than the reply writes; or a line or a label near the
	// block names it, and SEARCH occurs in it.
	TakenFor Code = "taken-for"
	// IgnoredHint: the file has no line with this number, or none like this anchor.
	IgnoredHint Code = "ignored-hint"
	// Chosen: several places match, and the line hint, the anchor or the neighbouring blocks decide.
	Chosen Code = "chosen"
	// Occurrences: how many occurrences were replaced.
	Occurrences Code = "occurrences"
	// OnEarlier: the block was placed on the text that earlier blocks wrote.
	OnEarlier Code = "on-earlier"
	// Loose: only the policy loose accepts this place.
	Loose Code = "loose"
	// Fragment: SEARCH is a part of a line, or ends in the middle of one.
	Fragment Code = "fragment"
	// InsideWord: the replaced text is part of a longer word.
	InsideWord Code = "inside-word"
	// FirstLineCut: the first line of SEARCH had lost its margin.
	FirstLineCut Code = "first-line-cut"
	// Elided: lines that the block replaces with dots were kept.
	Elided Code = "elided"
	// Repaired: a habit of models was undone; the warning names it.
	Repaired Code = "repaired"
	// Drift: the lines in which SEARCH and the file differ.
	Drift Code = "drift"
)

// Warnings on what is changed, and what is not.
const (
	// NoChange: SEARCH and REPLACE are the same, or the new name is the old one.
	NoChange Code = "no-change"
	// SameChange: another block makes the same change, so this one was left out.
	SameChange Code = "same-change"
	// PartlyDone: a part of the change is in the file already.
	PartlyDone Code = "partly-done"
	// PossibleOmission: a remark of REPLACE may stand for the lines that it replaces.
	PossibleOmission Code = "possible-omission"
	// Repeated: the new text begins or ends with the line that the file has next to it.
	Repeated Code = "repeated"
	// OddCharacter: the new text has an invisible character, or in code a curly quote, that the file has nowhere.
	OddCharacter Code = "odd-character"
	// MaybeAlreadyApplied: the lines that a refused block adds are in the file.
	MaybeAlreadyApplied Code = "maybe-already-applied"
	// NotPasteable: a line that a refused block changes has a character that is lost in a terminal,
	// a clipboard or a model.
	NotPasteable Code = "not-pasteable"
	// Encoding: the file's encoding is unknown, or changes.
	Encoding Code = "encoding"
)

// Warnings on the answer to a refused run.
const (
	// Unanswered: the answer has no block for this refused block.
	Unanswered Code = "unanswered"
	// Rewritten: a block of the answer changes lines that another block of the reply changes, too, and replaces it.
	Rewritten Code = "rewritten"
	// Misnumbered: a block of the answer has the number of one edit and the lines of another. The
	// lines decide.
	Misnumbered Code = "misnumbered"
	// ByOrder: only the words it adds show which edit a block of the answer corrects.
	ByOrder Code = "by-order"
)

// Warnings on what a person or a limit leaves out.
const (
	// LeftOut: from srpatch-mcp: parts of a result that is too large are missing.
	LeftOut Code = "left-out"
)

// Say returns the warning as a sentence.
func (c Code) Say(format string, args ...any) string {
	return string(c) + ": " + fmt.Sprintf(format, args...)
}
