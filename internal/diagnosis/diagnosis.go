// Package diagnosis lists the codes of diagnostics: what is wrong with an attempt at an edit that was
// not understood. Each diagnostic says in words what was found, what was expected, and what to do.
// It also words remedies for the users of a command.
package diagnosis

// Code is the stable code of a diagnostic.
type Code = string

// Diagnostics of edits.
const (
	// Malformed: the edit breaks the rules of its format, or can be read in several ways.
	Malformed Code = "malformed"
	// MissingDivider: the block has no divider between SEARCH and REPLACE.
	MissingDivider Code = "missing-divider"
	// MissingCloser: another block begins before the closer, so the end of REPLACE is unknown.
	MissingCloser Code = "missing-closer"
	// MissingText: a tool call lacks the old or the new text, or a patch adds lines without any
	// context.
	MissingText Code = "missing-text"
	// MissingName: the edit names no file.
	MissingName Code = "missing-name"
	// UnexpectedCloser: a closer occurs outside any block.
	UnexpectedCloser Code = "unexpected-closer"
	// Truncated: the reply ends inside an edit.
	Truncated Code = "truncated"
	// Unsupported: srpatch cannot make this edit: it uses an unknown tool, changes a binary file,
	// copies a file or makes a link.
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
	// ChatLog: the reply seems to be a chat log, perhaps in JSON, with edits in several turns.
	ChatLog Code = "chat-log"
	// NotReversible: the edit doesn't contain the old text, so --reverse cannot undo it.
	NotReversible Code = "not-reversible"
)
