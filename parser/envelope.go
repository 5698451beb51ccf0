package parser

import (
	"bytes"
	"slices"
)

// The names of the foreign formats, as Block.Dialect has them.
const (
	formatV4A   = "v4a"
	formatDiff  = "diff"
	formatJSON  = "json"
	formatRoo   = "roo-xml"
	formatZed   = "zed"
	formatSweep = "sweep"
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
	// unread is how many of the last lines turned out to be no part of the envelope, at most maxUnread: they are to be
	// scanned as if they had not been read. The envelope's first line is never among them, so that scanning always
	// advances.
	unread() int
}

// maxUnread is the most lines that an envelope gives back: those below a fence that may be a line of a diff.
const maxUnread = 8

// EnvelopeFormats lists the names of the foreign formats that are understood along with the marker dialects, as
// Block.Dialect has them.
func EnvelopeFormats() []string {
	return []string{formatV4A, formatDiff, formatJSON, formatRoo, formatZed, formatSweep}
}

// startEnvelope says which envelope begins with this line, which is outside of any block; nil for none. format
// restricts the choice ("" for any); the name of a marker dialect rules every envelope out. The line itself is handed
// to the envelope's line method afterwards.
func startEnvelope(raw []byte, number int, format string) envelope {
	text := bytes.TrimLeft(raw, " \t")
	if len(text) == 0 {
		return nil
	}
	may := func(name string) bool { return format == "" || format == name }
	switch text[0] {
	case '*', 'a', 'c', '$':
		if may(formatV4A) {
			if e := startV4A(raw); e != nil {
				return e
			}
		}
	}
	switch text[0] {
	case 'd', '-', '@':
		if may(formatDiff) {
			if e := startDiff(raw); e != nil {
				return e
			}
		}
	case '<':
		if may(formatRoo) {
			if e := startRoo(raw); e != nil {
				return e
			}
		}
		for _, tags := range []tagNames{zedTags, sweepTags} {
			if may(tags.format) {
				if e := startTagPairs(raw, tags); e != nil {
					return e
				}
			}
		}
	case '{', '[':
		if may(formatJSON) {
			return startJSON(raw, number)
		}
	}
	return nil
}

// numbered is a line of the reply, copied, with its line end and its 1-based number.
type numbered struct {
	text   []byte
	number int
}

// readEnvelopes understands a text that has only envelopes, such as the patch in the arguments of a tool
// call. firstLine is the number of its first line.
func readEnvelopes(text []byte, firstLine int, format string) (blocks []Block, diags []Diagnostic) {
	lines := slices.Collect(bytes.Lines(text))
	for at := 0; at < len(lines); {
		e := startEnvelope(lines[at], firstLine+at, format)
		if e == nil {
			at++
			continue
		}
		for done := false; !done && at < len(lines); at++ {
			done = e.line(lines[at], firstLine+at)
		}
		b, d := e.finish()
		blocks, diags = append(blocks, b...), append(diags, d...)
		at -= e.unread()
	}
	return blocks, diags
}
