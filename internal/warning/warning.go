// Package warning lists what blocks are warned about. A warning is a sentence that begins with its code, so that people and programs read
// the same.
package warning

import "fmt"

// Code is the stable code of a warning.
type Code string

// Warnings on how the reply was read.
const (
	// UnlikeCloser: the closer is unlike the opener.
	UnlikeCloser Code = "unlike-closer"
	// UnlikeDivider: the divider is unlike the opener.
	UnlikeDivider Code = "unlike-divider"
	// MissingCloser: the closer is missing, and a second divider or the next opener ends the block.
	MissingCloser Code = "missing-closer"
	// SecondDivider: a second divider next to another marker counts for nothing.
	SecondDivider Code = "second-divider"
	// BareCloser: a closer without a label before the closer counts for nothing.
	BareCloser Code = "bare-closer"
	// QuotedInPart: some lines of the block have the margin of a quotation, and others do not.
	QuotedInPart Code = "quoted-in-part"
	// ClosedFence: the fence was closed within REPLACE.
	ClosedFence Code = "closed-fence"
	// Margin: each line of an edit began with the same signs, which are taken off.
	Margin Code = "margin"
	// NoOperator: a line of a diff or a patch lacks its sign.
	NoOperator Code = "no-operator"
	// PatchEnds: the first or the last line of a patch is missing.
	PatchEnds Code = "patch-ends"
	// FileMode: a change of a file's mode is not made.
	FileMode Code = "file-mode"
	// WrittenEntities: the text has HTML entities, which are taken for characters or left as they are.
	WrittenEntities Code = "written-entities"
	// OuterFence: a fence around the text of a file is left out.
	OuterFence Code = "outer-fence"
	// UnlikeTag: an element is closed by the tag of another one.
	UnlikeTag Code = "unlike-tag"
	// AfterJSON: text after a JSON value is ignored.
	AfterJSON Code = "after-json"
	// ExpectedCount: a number of expected replacements is taken for replace_all.
	ExpectedCount Code = "expected-count"
	// FailedCall: the log says that this call failed, or one before it, which is left out.
	FailedCall Code = "failed-call"
)

// Warnings on which file is meant, and which place in it.
const (
	// TakenFor: the file has another path than the reply writes; or a line or a label near the block names it, and SEARCH occurs in it.
	TakenFor Code = "taken-for"
	// IgnoredHint: a line number is none of the file's.
	IgnoredHint Code = "ignored-hint"
	// ByHint: several places fit, and the line hint or the anchor chose this one.
	ByHint Code = "by-hint"
	// ByNeighbours: several places fit, and the blocks around leave this one.
	ByNeighbours Code = "by-neighbours"
	// InOrder: identical blocks are bound to equal places in their order, or one makes the change of the others.
	InOrder Code = "in-order"
	// Occurrences: how many occurrences were replaced.
	Occurrences Code = "occurrences"
	// OnEarlier: the block was placed on the text that earlier blocks wrote.
	OnEarlier Code = "on-earlier"
	// Loose: the place is one that the policy loose alone takes.
	Loose Code = "loose"
	// Fragment: SEARCH is a part of a line.
	Fragment Code = "fragment"
	// InsideWord: the text that is replaced is a part of a longer word.
	InsideWord Code = "inside-word"
	// FirstLineCut: the first line of SEARCH had lost its margin.
	FirstLineCut Code = "first-line-cut"
	// Elided: lines that the block leaves out by dots were kept.
	Elided Code = "elided"
	// Repaired: a habit was undone, which is named.
	Repaired Code = "repaired"
	// Drift: the lines in which SEARCH and the file differ.
	Drift Code = "drift"
)

// Warnings on what is changed, and what is not.
const (
	// NoChange: SEARCH and REPLACE are the same, or the new name is the old one.
	NoChange Code = "no-change"
	// SameChange: an earlier block makes the same change.
	SameChange Code = "same-change"
	// PartlyDone: a part of the change is in the file already.
	PartlyDone Code = "partly-done"
	// PossibleOmission: a remark of REPLACE may stand for the lines that it replaces.
	PossibleOmission Code = "possible-omission"
	// Superseded: another block makes the same change and fits better, so that this one was left out.
	Superseded Code = "superseded"
	// MaybeAlreadyApplied: the lines that a refused block adds are in the file.
	MaybeAlreadyApplied Code = "maybe-already-applied"
	// NotPasteable: a line that a refused block changes has a character that is lost in a terminal, a clipboard or a model.
	NotPasteable Code = "not-pasteable"
	// Encoding: in which encoding the file is, is not known, or becomes another one.
	Encoding Code = "encoding"
)

// Warnings on what the run breaks in a file.
const (
	// StrayMarker: REPLACE brings a marker of an edit or of a conflict into a file that had none.
	StrayMarker Code = "stray-marker"
	// StrayFence: REPLACE brings the line of a fence into code, or leaves a fence open where all were closed.
	StrayFence Code = "stray-fence"
	// RepeatedLine: REPLACE ends with lines that the file has right after the place, so that they are there twice.
	RepeatedLine Code = "repeated-line"
	// NotParsed: the file is Go or JSON, could be parsed before, and cannot be any more.
	NotParsed Code = "not-parsed"
	// Unbalanced: the brackets of the file were balanced, and are not any more.
	Unbalanced Code = "unbalanced"
)

// Warnings on the answer to a refused run.
const (
	// Unanswered: the answer has no block for this refused one.
	Unanswered Code = "unanswered"
	// Rewritten: a block of the answer changes lines that another block of the reply changes, too, and is taken instead.
	Rewritten Code = "rewritten"
	// ByOrder: nothing but the order says what a block of the answer is for.
	ByOrder Code = "by-order"
)

// Warnings on what a person or a limit leaves out.
const (
	// LeftOut: hunks of the block were turned down; of a result of srpatch-mcp, also of one as a whole, that is too large, what is missing in it.
	LeftOut Code = "left-out"
)

// Say is the warning as a sentence.
func (c Code) Say(format string, args ...any) string {
	return string(c) + ": " + fmt.Sprintf(format, args...)
}
