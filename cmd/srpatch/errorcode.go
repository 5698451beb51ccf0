package main

// errorCode is the stable code of what a whole run, or a line of filter, came to instead of a plan.
// The workspace has more of them.
type errorCode string

// Codes of runs.
const (
	// codeUsage: the command line cannot be understood.
	codeUsage errorCode = "usage"
	// codeIO: a file or a stream cannot be read or written.
	codeIO errorCode = "io"
	// codeNoEdits: the reply holds nothing that looks like an edit.
	codeNoEdits errorCode = "no-edits"
	// codeTooLarge: the reply, or the line of filter, is larger than the limit.
	codeTooLarge errorCode = "too-large"
	// codeTimeout: finding the places took longer than --timeout allows.
	codeTimeout errorCode = "timeout"
	// codeInterrupted: the run was interrupted before it wrote anything, or while the command of
	// --verify ran, and was taken back.
	codeInterrupted errorCode = "interrupted"
	// codeCheckNotStarted: the command of --verify could not be started, and the run was taken
	// back.
	codeCheckNotStarted errorCode = "check-not-started"
	// codeNoAnswer: the answers to the questions ended before the last question.
	codeNoAnswer errorCode = "no-answer"
	// codeNothingToRetry: no refused run is remembered for the tree.
	codeNothingToRetry errorCode = "nothing-to-retry"
	// codeStale: another run was made while srpatch read the answer to the refused one.
	codeStale errorCode = "stale"
)

// Codes of lines of filter.
const (
	// codeInvalidJSON: the line is not JSON.
	codeInvalidJSON errorCode = "invalid-json"
	// codeInvalidUTF8: the line is not UTF-8.
	codeInvalidUTF8 errorCode = "invalid-utf8"
	// codeLoneSurrogate: a string of the line has half of a surrogate pair.
	codeLoneSurrogate errorCode = "lone-surrogate"
	// codeInvalidRequest: the line is an object, but not a request.
	codeInvalidRequest errorCode = "invalid-request"
	// codeDeadline: the request took longer than it was given.
	codeDeadline errorCode = "deadline"
	// codeInternal: srpatch itself failed; the stack is on stderr, and the other requests are
	// answered.
	codeInternal errorCode = "internal"
)
