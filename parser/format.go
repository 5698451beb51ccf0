package parser

import (
	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// otherFormat is the code of a notice about an edit in a format other than the requested one.
const otherFormat = "other-format"

// The formats of diagnostics about markers of no known dialect and about envelopes.
const (
	inMarkers  = "markers"
	inEnvelope = "envelope"
)

// EnvelopeFormats returns the names of the formats of other tools that are read in addition to the
// marker dialects, as in Block.Dialect.
func EnvelopeFormats() []string { return envelope.Formats() }

// filter replaces edits in formats other than the requested one with notices. A deletion or move of
// a file with such an edit is replaced, too, because both belong to one change.
func (r *request) filter(items []item) {
	if r.format == "" {
		return
	}
	edited := map[string]bool{}
	for _, it := range items {
		if it.Block != nil && !r.wants(it.Block) {
			edited[it.Block.Path] = true
		}
	}
	for i, it := range items {
		switch b := it.Block; {
		case b != nil && !r.wants(b):
			items[i] = noticeOf(otherFormat, b, "an edit in the format %s, not the requested one", b.Dialect)
		case b != nil && edited[b.Path] && (b.Op == OpDelete || b.Op == OpMove):
			items[i] = noticeOf(otherFormat, b, "a deletion or move of a file that is edited in another format")
		case it.Diagnostic != nil && r.isOther(it.of): // a failed attempt, in another format
			line := it.Diagnostic.Line
			items[i] = item{Noticed: &Noticed{Code: otherFormat, Lines: [2]int{line, line},
				What: "text that looks like an edit in a format other than the requested one"}}
		}
	}
}

// wants reports whether a block is in the requested format.
func (r *request) wants(b *Block) bool {
	switch b.Op {
	case OpDelete, OpMove: // if the requested format can't express these, V4A patches may
		return b.Dialect == envelope.FormatOfFiles(r.format)
	case OpWrite: // a whole file has no format; WithWholeFiles asks for it
		return true
	}
	return b.Dialect == r.format || isMarkers(r.format) && !r.isOther(b.Dialect) // "roo" is "aider"
}

// isOther reports whether format is certainly not the requested one. format is a dialect's name,
// inMarkers, inEnvelope or, if it is unknown, "".
func (r *request) isOther(format string) bool {
	want, wantMarkers := fsm.DialectNamed(r.format)
	got, known := fsm.DialectNamed(format)
	switch {
	case format == "":
		return false
	case wantMarkers && known:
		return want != got
	case wantMarkers:
		return format != inMarkers // inMarkers may be any dialect
	}
	return known || format == inMarkers // inEnvelope may be any envelope's format
}

// isMarkers reports whether format is a marker dialect rather than an envelope's format.
func isMarkers(format string) bool {
	_, ok := fsm.DialectNamed(format)
	return ok
}
