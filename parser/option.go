package parser

// Option changes how a reply is read.
type Option func(*Scanner)

// WithFormat restricts the reply to one format: a marker dialect ("aider", "cline", "original-updated",
// "head-updated") or one of [EnvelopeFormats]. The default, "", understands all of them.
func WithFormat(format string) Option { return func(s *Scanner) { s.format = format } }

// WithMaxBlock bounds the size of a block and the length of a line, in bytes. The default is [DefaultMaxBlock].
func WithMaxBlock(bytes int) Option { return func(s *Scanner) { s.maxBlock = bytes } }

// DefaultMaxBlock is the largest block and the longest line that are read, in bytes.
const DefaultMaxBlock = 64 << 20
