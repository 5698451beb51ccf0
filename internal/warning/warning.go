// Package warning lists what blocks are warned about. A warning is a sentence that begins with its
// code, so that people and programs read the same.
package warning

import "fmt"

// Code is the stable code of a warning.
type Code string

// Warnings on how the reply was read.
const (
	// OddMarkers: a marker or a tag is missing, repeated or unlike its opener. The block was read
	// anyway.
	OddMarkers Code = "odd-markers"
	// Fence: a code fence was removed, was taken as text, or ended too early.
	Fence Code = "fence"
	// NoOperator: a line of a diff or a patch lacks its leading blank, - or +.
	NoOperator Code = "no-operator"
	// FileMode: srpatch does not change file modes.
	FileMode Code = "file-mode"
	// WrittenEntities: the new text has HTML entities. They are left unchanged.
	WrittenEntities Code = "written-entities"
	// ExpectedCount: an expected number of replacements was read as replace_all.
	ExpectedCount Code = "expected-count"
)

// Warnings on which file is meant, and which place in it.
const (
	// TakenFor: srpatch guessed the file from a similar path, or from text near the block.
	TakenFor Code = "taken-for"
	// NewDirectory: a new file is in a new directory, and one file has a path that ends in its path.
	NewDirectory Code = "new-directory"
	// IgnoredHint: a line number or an anchor was ignored, usually because the file has no such line.
	IgnoredHint Code = "ignored-hint"
	// Chosen: several places match. The warning says how srpatch chose one.
	Chosen Code = "chosen"
	// Occurrences: says how many occurrences were replaced.
	Occurrences Code = "occurrences"
	// OnEarlier: the block was placed on the text that earlier blocks wrote.
	OnEarlier Code = "on-earlier"
	// Loose: only the loose policy accepts this place.
	Loose Code = "loose"
	// Fragment: SEARCH is part of a line, or ends in the middle of one.
	Fragment Code = "fragment"
	// InsideWord: the replaced text is part of a longer word.
	InsideWord Code = "inside-word"
	// FirstLineCut: the first line of SEARCH lacks its indentation.
	FirstLineCut Code = "first-line-cut"
	// Elided: the lines that the block abbreviates with dots were kept.
	Elided Code = "elided"
	// Repaired: srpatch corrected a typical mistake of models. The warning names it.
	Repaired Code = "repaired"
	// Drift: SEARCH and the file differ in some lines. The warning lists them.
	Drift Code = "drift"
)

// Warnings on what is changed, and what is not.
const (
	// NoChange: SEARCH and REPLACE are the same, or the new name is the old one.
	NoChange Code = "no-change"
	// SameChange: another block makes the same change, so this one was left out.
	SameChange Code = "same-change"
	// PartlyDone: part of the change is already in the file.
	PartlyDone Code = "partly-done"
	// NothingKept: the new text of a whole file shares no line with the old text.
	NothingKept Code = "nothing-kept"
	// Repeated: the new text repeats a line directly above or below it.
	Repeated Code = "repeated"
	// OddCharacter: the new text has an invisible character, or a curly quote in code. Neither SEARCH
	// nor the file has that character.
	OddCharacter Code = "odd-character"
	// MaybeAlreadyApplied: the file already has the lines that a refused block adds.
	MaybeAlreadyApplied Code = "maybe-already-applied"
	// Encoding: the file's encoding is unknown or changes.
	Encoding Code = "encoding"
)

// Warnings on the answer to a refused run.
const (
	// Unanswered: the answer doesn't correct this refused block.
	Unanswered Code = "unanswered"
	// Rewritten: a block of the answer changes the same lines as a block of the reply, and replaces
	// that block.
	Rewritten Code = "rewritten"
	// Misnumbered: a block of the answer has the number of one edit, but its lines match another.
	// The lines decide.
	Misnumbered Code = "misnumbered"
	// ByOrder: only the added words show which edit a block of the answer corrects.
	ByOrder Code = "by-order"
)

// Warnings on what a person or a limit leaves out.
const (
	// LeftOut: srpatch-mcp left out parts of a result because it was too large.
	LeftOut Code = "left-out"
)

// Say returns the warning as a sentence.
func (c Code) Say(format string, args ...any) string {
	return string(c) + ": " + fmt.Sprintf(format, args...)
}
