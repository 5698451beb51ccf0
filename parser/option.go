package parser

// Option changes how a reply is read.
type Option func(*request)

// WithFormat restricts the reply to one format: a marker dialect ("aider", "cline",
// "original-updated", "head-updated") or one of [EnvelopeFormats]. If that format cannot delete and
// move files, V4A patches that do are accepted, too. Edits in other formats are [Noticed]. The
// default, "", accepts all formats.
func WithFormat(format string) Option { return func(r *request) { r.format = format } }

// WithMaxBlocks limits the number of blocks and diagnostics. The first one beyond the limit is a
// diagnostic that says so, and the rest of the reply is not read. The default, 0, is no limit.
func WithMaxBlocks(n int) Option { return func(r *request) { r.most = n } }

// WithWholeFiles turns whole files in the reply into blocks of [OpWrite] if the answer has no other
// edit or attempt at one. A whole file is in a fence below its name, or in an element that names
// it. Without this option, and next to other edits, whole files are [Noticed]. They come at the end
// of the answer.
func WithWholeFiles() Option { return func(r *request) { r.wholes = true } }

// WithComplete says that the reply was not cut off. Then a block without a closer ends with the
// fence around it.
func WithComplete() Option { return func(r *request) { r.complete = true } }

// WithFile names the file of a whole text in a fence without a name above it. It is used with
// [WithWholeFiles].
func WithFile(name string) Option { return func(r *request) { r.file = name } }

// Limits on the size of a block or envelope, and of a line, in bytes; beyond is a diagnostic.
const (
	defaultMaxBlock = 64 << 20
	defaultMaxLine  = 16 << 20
)
