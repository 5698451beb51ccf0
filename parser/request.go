package parser

import (
	"fmt"

	"github.com/srpatch/srpatch/internal/diagnosis"
)

// request holds the caller's options.
type request struct {
	format   string
	file     string // file for text in a fence without a name
	maxBlock int
	maxLine  int
	most     int  // maximum number of blocks and diagnostics; 0 means no limit
	complete bool // the reply was not cut off
	wholes   bool // whole files are edits if there is no other edit
	shown    bool // the text is a quote, searched for edits anywhere in it
	bare     bool // markers only: no names, no envelopes, no shell blocks
}

// maxFence returns the maximum size, in bytes, of text in a fence or element that may be an edit.
func (r *request) maxFence() int {
	if r.wholes {
		return r.maxBlock
	}
	return maxShell
}

// tooLong returns the diagnostic for a line that exceeds the limit on lines.
func (r *request) tooLong(line int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.TooLong, Line: line,
		Found:    fmt.Sprintf("a line of more than %d bytes, line %d", r.maxLine, line),
		Expected: "shorter lines", Remedy: "raise the limit on the length of lines"}
}

// tooMany returns the diagnostic for the first block or diagnostic beyond the limit, in the line.
func (r *request) tooMany(line int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.TooMany, Line: line,
		Found:    fmt.Sprintf("more than %d blocks and attempts at blocks; the rest was not read", r.most),
		Expected: fmt.Sprintf("at most %d", r.most), Remedy: "raise the limit on blocks, or split the reply"}
}
