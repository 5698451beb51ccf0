// Package warning lists what blocks are warned about. A warning is a sentence that begins with its code, so that people and programs read
// the same.
package warning

import "fmt"

// Code is the stable code of a warning.
type Code string

// Warnings on how the reply was read.
const (
	// OddMarkers: a closer, a divider or a tag is unlike its opener, missing or there twice, and the block was read anyway.
	// Remedy: Check where the block begins and ends; write the markers as the format has them.
	OddMarkers Code = "odd-markers"
	// Fence: a fence around the text was left out, or closed before REPLACE ended.
	// Remedy: Check the first and last lines of what was written.
	Fence Code = "fence"
	// Margin: lines of the edit begin with signs of a quotation or a list, which are removed; or only some lines do.
	// Remedy: Check the indentation of what was written.
	Margin Code = "margin"
	// NoOperator: a line of a diff or a patch lacks its sign.
	// Remedy: Check that line; begin each line of a diff with a blank, `-` or `+`.
	NoOperator Code = "no-operator"
	// FileMode: srpatch does not change file modes.
	// Remedy: Change the mode with chmod.
	FileMode Code = "file-mode"
	// WrittenEntities: the text has HTML entities, which are read as characters or left as they are.
	// Remedy: Check `&lt;`, `&gt;` and `&amp;` in what was written.
	WrittenEntities Code = "written-entities"
	// AfterJSON: text after a JSON value is ignored.
	// Remedy: Check that nothing after the JSON was meant as an edit.
	AfterJSON Code = "after-json"
	// ExpectedCount: an expected number of replacements is read as replace_all.
	// Remedy: Check that all occurrences were meant.
	ExpectedCount Code = "expected-count"
)

// Warnings on which file is meant, and which place in it.
const (
	// TakenFor: the file has another path than the reply writes; or a line or a label near the block names it, and SEARCH occurs in it.
	// Remedy: Check the file; write its path as the tree has it.
	TakenFor Code = "taken-for"
	// IgnoredHint: the file has no line with this number, or none like this anchor.
	// Remedy: Check the place; leave line numbers and anchors out, or correct them.
	IgnoredHint Code = "ignored-hint"
	// Chosen: several places match, and the line hint, the anchor or the neighbouring blocks decide.
	// Remedy: Check the place; add lines to SEARCH that occur only there.
	Chosen Code = "chosen"
	// Occurrences: how many occurrences were replaced.
	// Remedy: Check that the number is right.
	Occurrences Code = "occurrences"
	// OnEarlier: the block was placed on the text that earlier blocks wrote.
	// Remedy: Nothing, if the blocks were meant in this order.
	OnEarlier Code = "on-earlier"
	// Loose: only the policy loose accepts this place.
	// Remedy: Read the diff before you keep it.
	Loose Code = "loose"
	// Fragment: SEARCH is a part of a line.
	// Remedy: Check the rest of the line; write whole lines.
	Fragment Code = "fragment"
	// InsideWord: the replaced text is part of a longer word.
	// Remedy: Check the word; include all of it in SEARCH.
	InsideWord Code = "inside-word"
	// FirstLineCut: the first line of SEARCH had lost its margin.
	// Remedy: Check the indentation of the first line.
	FirstLineCut Code = "first-line-cut"
	// Elided: lines that the block replaces with dots were kept.
	// Remedy: Check the lines that were kept; write them out.
	Elided Code = "elided"
	// Repaired: a habit of models was undone; the warning names it.
	// Remedy: Check the lines it names.
	Repaired Code = "repaired"
	// Drift: the lines in which SEARCH and the file differ.
	// Remedy: Check these lines; copy SEARCH from the file as it is now.
	Drift Code = "drift"
)

// Warnings on what is changed, and what is not.
const (
	// NoChange: SEARCH and REPLACE are the same, or the new name is the old one.
	// Remedy: Nothing, or write the change.
	NoChange Code = "no-change"
	// SameChange: another block makes the same change, so this one was left out.
	// Remedy: Nothing; leave one of the blocks out.
	SameChange Code = "same-change"
	// PartlyDone: a part of the change is in the file already.
	// Remedy: Check that nothing is there twice.
	PartlyDone Code = "partly-done"
	// PossibleOmission: a remark of REPLACE may stand for the lines that it replaces.
	// Remedy: Check that no lines are lost; write them out.
	PossibleOmission Code = "possible-omission"
	// Repeated: the new text begins or ends with the line that the file has next to it.
	// Remedy: Check that the line is meant to be there twice.
	Repeated Code = "repeated"
	// OddCharacter: the new text has an invisible character, or in code a curly quote, that the file has nowhere.
	// Remedy: Check the character; write it as an escape if it is meant.
	OddCharacter Code = "odd-character"
	// MaybeAlreadyApplied: the lines that a refused block adds are in the file.
	// Remedy: Look at the file; skip the block if it is done.
	MaybeAlreadyApplied Code = "maybe-already-applied"
	// NotPasteable: a line that a refused block changes has a character that is lost in a terminal, a clipboard or a model.
	// Remedy: Edit the line in an editor, or write the character as an escape.
	NotPasteable Code = "not-pasteable"
	// Encoding: the file's encoding is unknown, or changes.
	// Remedy: Pass --encoding, or convert the file to UTF-8.
	Encoding Code = "encoding"
)

// Warnings on the answer to a refused run.
const (
	// Unanswered: the answer has no block for this refused block.
	// Remedy: Ask again, or skip the block.
	Unanswered Code = "unanswered"
	// Rewritten: a block of the answer changes lines that another block of the reply changes, too, and replaces it.
	// Remedy: Check that the answer was meant to change that, too.
	Rewritten Code = "rewritten"
	// ByOrder: only its file shows which edit a block of the answer corrects.
	// Remedy: Check that each block of the answer replaces the right one.
	ByOrder Code = "by-order"
)

// Warnings on what a person or a limit leaves out.
const (
	// LeftOut: from srpatch-mcp: parts of a result that is too large are missing.
	// Remedy: Ask for less at once.
	LeftOut Code = "left-out"
)

// Say is the warning as a sentence.
func (c Code) Say(format string, args ...any) string {
	return string(c) + ": " + fmt.Sprintf(format, args...)
}
