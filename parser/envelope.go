package parser

// envelope consumes the lines of one foreign edit format (Roo XML, JSON, V4A, unified diff, ...) inside a reply.
type envelope interface {
	// line takes the next line with its line end, and its 1-based number; done says that the envelope ended with it.
	line(raw []byte, number int) (done bool)
	// finish is called once, after the last line or at the end of the input, and returns what was understood.
	// The blocks carry no ID yet.
	finish() ([]Block, []Diagnostic)
}

// startEnvelope says which envelope begins with this line, which stands outside of any block; nil for none. format
// restricts the choice ("" for any). The line itself is handed to the envelope's line method afterwards.
func startEnvelope(raw []byte, number int, format string) envelope { return nil }
