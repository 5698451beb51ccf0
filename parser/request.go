package parser

import (
	"fmt"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// Option changes how a reply is read.
type Option func(*request)

// WithFormat restricts the reply to one format: a marker dialect ("aider", "cline",
// "original-updated", "head-updated") or one of [EnvelopeFormats]. If that format cannot delete and
// move files, V4A patches that delete or move them are also accepted. Edits in other formats become
// [Noticed] items. The default, "", accepts all formats.
func WithFormat(format string) Option { return func(r *request) { r.format = format } }

// WithMaxBlocks limits the number of blocks and diagnostics. A diagnostic about the limit replaces
// the first one beyond it, and the rest of the reply is not read. The default, 0, means no limit.
func WithMaxBlocks(n int) Option { return func(r *request) { r.most = n } }

// WithWholeFiles turns whole files in the reply into [OpWrite] blocks if the answer contains no
// other edit or attempt at one. A whole file is in a fence below its name, or in an element that
// names it. Without this option, or next to other edits, whole files are reported as [Noticed]. The
// blocks come at the end of the answer.
func WithWholeFiles() Option { return func(r *request) { r.wholes = true } }

// WithComplete says that the reply was not cut off. A block without a closer may then end where the
// fence around it does.
func WithComplete() Option { return func(r *request) { r.complete = true } }

// WithFile names the file for text in a fence that has no name above it. Use it with
// [WithWholeFiles].
func WithFile(name string) Option { return func(r *request) { r.file = name } }

// Limits on the size of a block or envelope, and of a line, in bytes. Anything larger is reported
// as a diagnostic.
const (
	defaultMaxBlock = envelope.MaxSize
	defaultMaxLine  = 16 << 20
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
		Expected: "shorter lines", Remedy: "leave lines of this length out of the blocks"}
}

// tooLarge returns the diagnostic for an edit that begins in line first, and exceeds the limit on
// blocks in line last.
func (r *request) tooLarge(first, last int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.TooLarge, Line: first,
		Found: fmt.Sprintf("an edit that is unfinished at line %d and longer than the limit of %d bytes",
			last, r.maxBlock),
		Expected: "its end", Remedy: "send the change in smaller blocks"}
}

// tooMany returns the diagnostic for the first block or diagnostic beyond the limit, in the line.
func (r *request) tooMany(line int) *Diagnostic {
	return &Diagnostic{Code: diagnosis.TooMany, Line: line,
		Found:    fmt.Sprintf("more than %d blocks and attempts at blocks; the rest was not read", r.most),
		Expected: fmt.Sprintf("at most %d", r.most), Remedy: "send fewer blocks in one reply"}
}
