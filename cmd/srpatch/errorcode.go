package main

// errorCode is the stable code of what a whole run, or a line of filter, came to instead of a plan. The workspace has more of them.
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
	// codeTimeout: finding the places took longer than --timeout says.
	codeTimeout errorCode = "timeout"
	// codeInterrupted: the run was interrupted before it wrote anything, or while the command of --verify ran, and was taken back.
	codeInterrupted errorCode = "interrupted"
	// codeVerifyFailed: the command of --verify did not pass, and the run was taken back: nothing is changed.
	codeVerifyFailed errorCode = "verify-failed"
	// codeVerifyKept: the command of --verify did not pass, and the run stays, as files of it were changed meanwhile.
	codeVerifyKept errorCode = "verify-kept"
	// codeVerifyNotStarted: the command of --verify could not be started, and the run was taken back.
	codeVerifyNotStarted errorCode = "verify-not-started"
	// codeNoAnswer: the answers to the questions ended before the last question.
	codeNoAnswer errorCode = "no-answer"
	// codeNothingToRetry: no refused run is remembered of the tree.
	codeNothingToRetry errorCode = "nothing-to-retry"
	// codeStale: another run was made while the answer to the refused one was read.
	codeStale errorCode = "stale"
)

// Codes of lines of filter.
const (
	// codeInvalidJSON: the line is no JSON.
	codeInvalidJSON errorCode = "invalid-json"
	// codeInvalidUTF8: the line is not UTF-8.
	codeInvalidUTF8 errorCode = "invalid-utf8"
	// codeLoneSurrogate: a string of the line has half of a surrogate pair.
	codeLoneSurrogate errorCode = "lone-surrogate"
	// codeInvalidRequest: the line is an object, and no request.
	codeInvalidRequest errorCode = "invalid-request"
	// codeDeadline: the request took longer than it was given.
	codeDeadline errorCode = "deadline"
	// codeInternal: the engine failed, which is a fault of srpatch.
	codeInternal errorCode = "internal"
)
