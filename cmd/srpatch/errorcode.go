package main

// errorCode is the stable code of what a whole run, or a line of filter, came to instead of a plan.
// The workspace has more of them.
type errorCode string

// Codes of runs.
const (
	// codeUsage: the command line cannot be understood.
	// Remedy: Read `srpatch --help`.
	codeUsage errorCode = "usage"
	// codeIO: a file or a stream cannot be read or written.
	// Remedy: Check the file, its permissions and the disk.
	codeIO errorCode = "io"
	// codeNoEdits: the reply holds nothing that looks like an edit.
	// Remedy: Ask for edits: `srpatch prompt` has instructions for a model.
	codeNoEdits errorCode = "no-edits"
	// codeTooLarge: the reply, or the line of filter, is larger than the limit.
	// Remedy: Hand in the last answer alone, or split the input.
	codeTooLarge errorCode = "too-large"
	// codeTimeout: finding the places took longer than --timeout allows.
	// Remedy: Raise --timeout, or send fewer blocks with SEARCH copied from the files.
	codeTimeout errorCode = "timeout"
	// codeInterrupted: the run was interrupted before it wrote anything, or while the command of
	// --verify ran, and was taken back.
	// Remedy: Run again.
	codeInterrupted errorCode = "interrupted"
	// codeCheckNotStarted: the command of --verify could not be started, and the run was taken
	// back.
	// Remedy: Correct the command of --verify.
	codeCheckNotStarted errorCode = "check-not-started"
	// codeNoAnswer: the answers to the questions ended before the last question.
	// Remedy: Answer all questions, or leave out the flag that asks them.
	codeNoAnswer errorCode = "no-answer"
	// codeNothingToRetry: no refused run is remembered for the tree.
	// Remedy: Apply the reply itself.
	codeNothingToRetry errorCode = "nothing-to-retry"
	// codeStale: another run was made while srpatch read the answer to the refused one.
	// Remedy: Run `srpatch retry` again.
	codeStale errorCode = "stale"
)

// Codes of lines of filter.
const (
	// codeInvalidJSON: the line is not JSON.
	// Remedy: Write one JSON object a line.
	codeInvalidJSON errorCode = "invalid-json"
	// codeInvalidUTF8: the line is not UTF-8.
	// Remedy: Write the line in UTF-8, and other bytes as `content_b64` or `files_b64`.
	codeInvalidUTF8 errorCode = "invalid-utf8"
	// codeLoneSurrogate: a string of the line has half of a surrogate pair.
	// Remedy: Write both halves of the pair, or the character itself.
	codeLoneSurrogate errorCode = "lone-surrogate"
	// codeInvalidRequest: the line is an object, but not a request.
	// Remedy: Correct the key that the message names; report.schema.json has the request.
	codeInvalidRequest errorCode = "invalid-request"
	// codeDeadline: the request took longer than it was given.
	// Remedy: Raise `deadline_ms` or --timeout.
	codeDeadline errorCode = "deadline"
	// codeInternal: srpatch itself failed; the stack is on stderr, and the other requests are
	// answered.
	// Remedy: Report the stack as a bug.
	codeInternal errorCode = "internal"
)
