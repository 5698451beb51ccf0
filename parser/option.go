package parser

// Option changes how a reply is read.
type Option func(*Scanner)

// WithFormat restricts the reply to one format: a marker dialect ("aider", "cline", "original-updated",
// "head-updated") or one of [EnvelopeFormats], and to what [FormatOfFiles] deletes and moves files in. Edits in other formats are
// [Noticed], at the end; for that a [Scanner] keeps the text that it reads. The default, "", understands all of them.
func WithFormat(format string) Option { return func(s *Scanner) { s.req.format = format } }

// WithMaxBlock bounds the size of a block, or of an envelope, in bytes: a larger one is a diagnostic. The default is
// [DefaultMaxBlock].
func WithMaxBlock(bytes int) Option { return func(s *Scanner) { s.req.maxBlock = bytes } }

// WithMaxLine bounds the length of a line, in bytes: a longer one is passed over and becomes a diagnostic, with the block
// it is in. The default is [DefaultMaxLine].
func WithMaxLine(bytes int) Option { return func(s *Scanner) { s.req.maxLine = bytes } }

// WithMaxBlocks bounds the number of blocks and diagnostics: the first one beyond it is a diagnostic that says so, and
// the rest of the reply is not read. The default, 0, is no limit.
func WithMaxBlocks(n int) Option { return func(s *Scanner) { s.req.most = n } }

// WithWholeFiles takes files that the reply gives as a whole, in a fence below a name or in an element that names the file, as blocks of
// [OpWrite] where the answer has no other edit and no attempt at one. Without it, and next to other edits, they are [Noticed]. They are
// handed out at the end of the answer.
func WithWholeFiles() Option { return func(s *Scanner) { s.req.wholes = true } }

// WithPauses makes Scan return true, with an [Item] in which nothing is set, each time all that has come in is read and more of the
// reply is to be waited for. Then [Scanner.Draft] has what the block at hand has come to. There is no pause before the first line
// is read.
func WithPauses() Option { return func(s *Scanner) { s.req.pauses = true } }

// WithMaxReply bounds what [ParseLast] keeps in memory, in bytes: of a log in JSON one answer, of any other text all of it.
// The default, 0, is no limit.
func WithMaxReply(bytes int64) Option { return func(s *Scanner) { s.req.maxReply = bytes } }

// What is read unless an option says otherwise, in bytes.
const (
	DefaultMaxBlock = 64 << 20
	DefaultMaxLine  = 16 << 20
)
