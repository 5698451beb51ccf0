package parser

// Option changes how a reply is read.
type Option func(*request)

// WithFormat restricts the reply to one format: a marker dialect ("aider", "cline",
// "original-updated", "head-updated") or one of [EnvelopeFormats], and to V4A patches that delete
// and move files, if it has nothing for that. Edits in other formats are [Noticed]. The default,
// "", understands all of them.
func WithFormat(format string) Option { return func(r *request) { r.format = format } }

// WithMaxBlocks bounds the number of blocks and diagnostics: the first one beyond it is a
// diagnostic that says so, and the rest of the reply is not read. The default, 0, is no limit.
func WithMaxBlocks(n int) Option { return func(r *request) { r.most = n } }

// WithWholeFiles takes files that the reply gives as a whole, in a fence below a name or in an
// element that names the file, as blocks of [OpWrite] where the answer has no other edit and no
// attempt at one. Without it, and next to other edits, they are [Noticed]. They are handed out at
// the end of the answer.
func WithWholeFiles() Option { return func(r *request) { r.wholes = true } }

// WithComplete says that nothing of the reply was cut off: a block whose closer is missing ends with
// the fence around it.
func WithComplete() Option { return func(r *request) { r.complete = true } }

// WithFile names the file of a whole text in a fence that no name stands above. It goes with
// [WithWholeFiles].
func WithFile(name string) Option { return func(r *request) { r.file = name } }

// How long a block, or an envelope, and a line may be, in bytes. A longer one is a diagnostic.
const (
	defaultMaxBlock = 64 << 20
	defaultMaxLine  = 16 << 20
)
