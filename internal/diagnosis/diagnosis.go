// Package diagnosis lists the codes of diagnostics: what is wrong with an attempt at an edit that was
// not understood. Each diagnostic says in words what was found, what was expected, and what to do.
// It also words remedies for the users of a command.
package diagnosis

// Code is the stable code of a diagnostic.
type Code = string

// Diagnostics of edits.
const (
	// Malformed: an edit isn't written as its format has it: a marker, a tag, JSON or a hunk is
	// wrong, or the edit can be read in several ways.
	Malformed Code = "malformed"
	// MissingDivider: a block ends without a divider.
	MissingDivider Code = "missing-divider"
	// MissingCloser: another block begins before the closer, so the end of REPLACE is unknown.
	MissingCloser Code = "missing-closer"
	// MissingText: a call lacks the old or the new text, or a patch adds lines without any line of
	// the file next to them.
	MissingText Code = "missing-text"
	// MissingName: the edit names no file.
	MissingName Code = "missing-name"
	// UnexpectedCloser: a closer occurs outside of any block.
	UnexpectedCloser Code = "unexpected-closer"
	// Truncated: the reply ends inside an edit.
	Truncated Code = "truncated"
	// Unsupported: the edit is understood, but srpatch cannot make it: a tool it doesn't know, a
	// binary file, a copy, a link.
	Unsupported Code = "unsupported"
	// TooLarge: the edit is larger than the limit.
	TooLarge Code = "too-large"
	// TooLong: a line is longer than the limit.
	TooLong Code = "too-long"
	// TooMany: the reply has more blocks than the limit.
	TooMany Code = "too-many"
)

// Diagnostics of whole replies.
const (
	// ChatLog: the reply is a chat log with edits in several turns, may be one, or is one in JSON.
	ChatLog Code = "chat-log"
	// NotReversible: the edit doesn't say what was there before, so --reverse cannot undo it.
	NotReversible Code = "not-reversible"
)
