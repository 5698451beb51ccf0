package main

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/parser"
)

// hunksOf are the hunks of an edit, between which SEARCH and REPLACE have lines in common; nil for other operations.
func hunksOf(b *parser.Block) []linediff.Change {
	if b.Op != parser.OpEdit {
		return nil
	}
	return linediff.Diff(linesOf(b.Search), linesOf(b.Replace))
}

// withHunks is the block without those of its hunks that are not kept: REPLACE has what SEARCH has there. SEARCH stays whole, so that
// the block means the same place.
func withHunks(b parser.Block, hunks []linediff.Change, kept func(hunk int) bool) parser.Block {
	search, replace := linesOf(b.Search), linesOf(b.Replace)
	var text [][]byte
	at := 0
	for i, h := range hunks {
		text = append(text, search[at:h.A0]...)
		if kept(i) {
			text = append(text, replace[h.B0:h.B1]...)
		} else {
			text = append(text, search[h.A0:h.A1]...)
		}
		at = h.A1
	}
	b.Replace = bytes.Join(append(text, search[at:]...), nil)
	return b
}

func linesOf(text []byte) linediff.Slice {
	return slices.Collect(bytes.Lines(text))
}
