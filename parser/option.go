package parser

import "github.com/srpatch/srpatch/parser/internal/envelope"

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
