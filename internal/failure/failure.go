// Package failure lists the stable codes of errors that end a whole run, or that answer a line of
// filter. It imports nothing. Package apply/workspace has more of them.
package failure

// Code is the `code` of an `error` in JSON.
type Code string

// Codes of runs.
const (
	// Usage: the command line cannot be understood.
	Usage Code = "usage"
	// IO: a file or a stream cannot be read or written.
	IO Code = "io"
	// NoEdits: the reply contains nothing that looks like an edit.
	NoEdits Code = "no-edits"
	// TooLarge: the reply is larger than the limit, or the line of filter is.
	TooLarge Code = "too-large"
	// Timeout: the search for places took longer than --timeout allows.
	Timeout Code = "timeout"
	// Interrupted: the run was interrupted. Nothing was written, or the run was rolled back.
	Interrupted Code = "interrupted"
	// CheckNotStarted: the command of --verify could not be started, so the run was rolled back.
	CheckNotStarted Code = "check-not-started"
	// NoAnswer: the input ended before the last question was answered.
	NoAnswer Code = "no-answer"
	// NothingToRetry: no refused run is remembered for the tree.
	NothingToRetry Code = "nothing-to-retry"
	// Stale: another run was made while srpatch read the model's answer.
	Stale Code = "stale"
)

// Codes of lines of filter.
const (
	// InvalidJSON: the line is not JSON.
	InvalidJSON Code = "invalid-json"
	// InvalidUTF8: the line is not UTF-8.
	InvalidUTF8 Code = "invalid-utf8"
	// LoneSurrogate: a string in the line has half of a surrogate pair.
	LoneSurrogate Code = "lone-surrogate"
	// InvalidRequest: the line is JSON, but not a valid request.
	InvalidRequest Code = "invalid-request"
	// Deadline: the request took longer than its deadline.
	Deadline Code = "deadline"
	// Internal: srpatch itself failed. The stack is on stderr. Other requests are still answered.
	Internal Code = "internal"
)
