package parser

import (
	"bytes"
	"slices"
)

// envelope consumes the lines of one foreign edit format (Roo XML, JSON, V4A, unified diff, ...) inside a reply.
//
// The scanner hands it line after line until line says done or the input ends, then calls finish and unread, once each.
type envelope interface {
	// line takes the next line with its line end, and its 1-based number; done says that the envelope needs no more.
	// raw may be reused after the call.
	line(raw []byte, number int) (done bool)
	// finish returns what was understood. The blocks carry no ID yet; a block without a Path belongs to the file
	// that the reply names above the envelope.
	finish() ([]Block, []Diagnostic)
	// unread returns the lines, the last ones that were handed in, that turned out to be no part of the envelope:
	// they are to be scanned as if they had not been read. The envelope's first line is never among them, so that
	// scanning always advances.
	unread() [][]byte
}

// envelopeKind is one foreign format: how a line is recognised as its beginning.
type envelopeKind struct {
	name  string
	start func(raw []byte, number int) envelope
}

// envelopeKinds lists the formats in the order in which they are tried. No line begins two of them.
func envelopeKinds() []envelopeKind {
	return []envelopeKind{}
}

// EnvelopeFormats lists the names of the foreign formats, as they stand in Block.Dialect.
func EnvelopeFormats() []string {
	var names []string
	for _, k := range envelopeKinds() {
		names = append(names, k.name)
	}
	return names
}

// startEnvelope says which envelope begins with this line, which stands outside of any block; nil for none. format
// restricts the choice ("" for any); the name of a marker dialect rules every envelope out. The line itself is handed
// to the envelope's line method afterwards.
func startEnvelope(raw []byte, number int, format string) envelope {
	text := bytes.TrimLeft(raw, " \t")
	if len(text) == 0 || !slices.Contains([]byte(`*<{[-@diIac$`), text[0]) {
		return nil
	}
	for _, k := range envelopeKinds() {
		if format != "" && format != k.name {
			continue
		}
		if e := k.start(raw, number); e != nil {
			return e
		}
	}
	return nil
}
