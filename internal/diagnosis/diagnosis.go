// Package diagnosis lists the codes of diagnostics: what is wrong with an attempt at an edit that was
// not understood. Each diagnostic says in words what was found, what was expected, and what to do.
// It also words remedies for the users of a command.
package diagnosis

// Code is the stable code of a diagnostic.
type Code = string

// Diagnostics of edits.
const (
	// Malformed: an edit isn't written as its format has it: a marker, a tag, JSON or a hunk is wrong, or the edit can be read in several ways.
	// Remedy: Write the edit again as `remedy` shows it, and escape lines of its text that look like markers.
	Malformed Code = "malformed"
	// MissingDivider: a block ends without a divider.
	// Remedy: Write the block again, with a divider between SEARCH and REPLACE.
	MissingDivider Code = "missing-divider"
	// MissingCloser: another block begins before the closer, so the end of REPLACE is unknown.
	// Remedy: End each block with its closer.
	MissingCloser Code = "missing-closer"
	// MissingText: a call lacks the old or the new text, or a patch adds lines without any line of the file next to them.
	// Remedy: Send the edit again, with both texts, or with the lines around the new ones.
	MissingText Code = "missing-text"
	// MissingName: the edit names no file.
	// Remedy: Write the path of the file above the block, or into the call.
	MissingName Code = "missing-name"
	// UnexpectedCloser: a closer occurs outside of any block.
	// Remedy: Write the block again, with its opener, or escape the line if it is text.
	UnexpectedCloser Code = "unexpected-closer"
	// Truncated: the reply ends inside an edit.
	// Remedy: End the block with its closer if it is complete; otherwise ask for the edit again.
	Truncated Code = "truncated"
	// Unsupported: the edit is understood, but srpatch cannot make it: a tool it doesn't know, a binary file, a copy, a link.
	// Remedy: Write the change as a SEARCH/REPLACE block, or make it yourself.
	Unsupported Code = "unsupported"
	// TooLarge: the edit is larger than the limit.
	// Remedy: Split it into smaller edits.
	TooLarge Code = "too-large"
	// TooLong: a line is longer than the limit.
	// Remedy: Break the line, or leave it out of the block.
	TooLong Code = "too-long"
	// TooMany: the reply has more blocks than the limit.
	// Remedy: Apply the reply in parts.
	TooMany Code = "too-many"
)

// Diagnostics of whole replies.
const (
	// ChatLog: the reply is a chat log with edits in several turns, may be one, or is one in JSON.
	// Remedy: Pass --last for a log that is text; of one in JSON, hand in the last answer as text.
	ChatLog Code = "chat-log"
	// NotReversible: the edit doesn't say what was there before, so --reverse cannot take it back.
	// Remedy: Take the run back with `srpatch undo`, git or an editor.
	NotReversible Code = "not-reversible"
)
