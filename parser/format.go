package parser

import (
	"fmt"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// otherFormat is the code of an edit in another format than the requested one.
const otherFormat = "other-format"

// The format of a diagnostic about markers of no known dialect, and about an envelope.
const (
	inMarkers  = "markers"
	inEnvelope = "envelope"
)

// filter replaces edits in other formats than the requested one by notices, and renumbers the rest.
// If such an edit is for a file, that file is not deleted or moved either, because both belong to
// one change.
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
	blocks := 0
	for i, it := range items {
		switch b := it.Block; {
		case b != nil && !r.wants(b):
			items[i].replace("an edit in the format %s, which is not the one that was asked for", b.Dialect)
		case b != nil && edited[b.Path] && (b.Op == OpDelete || b.Op == OpMove):
			items[i].replace("a deletion or move of a file that another format edits")
		case b != nil:
			blocks++
			b.ID = blocks
		case it.Diagnostic != nil && r.isOther(it.of):
			line := it.Diagnostic.Line
			items[i] = item{Noticed: &Noticed{Code: otherFormat, Lines: [2]int{line, line},
				What: "text that looks like an edit in another format than the one that was asked for"}}
		}
	}
}

// replace replaces the item's block by a notice.
func (it *item) replace(format string, args ...any) {
	it.Noticed = &Noticed{Code: otherFormat, Lines: it.Block.Lines, Path: it.Block.Path,
		What: fmt.Sprintf(format, args...)}
	it.Block = nil
}

// wants reports whether a block is in the requested format. Most formats cannot delete or move
// files; then another format does.
func (r *request) wants(b *Block) bool {
	if b.Op == OpDelete || b.Op == OpMove {
		return b.Dialect == envelope.FormatOfFiles(r.format)
	}
	return b.Op == OpWrite || b.Dialect == r.format || isMarkers(r.format) && !r.isOther(b.Dialect)
}

// isOther reports whether format is surely not the requested one.
func (r *request) isOther(format string) bool {
	want, markers := fsm.DialectNamed(r.format)
	got, known := fsm.DialectNamed(format)
	if !markers || !known {
		return format != "" && markers != (known || format == inMarkers)
	}
	return want != got
}

func isMarkers(format string) bool {
	_, ok := fsm.DialectNamed(format)
	return ok
}
