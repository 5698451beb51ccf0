package parser

import (
	"bytes"
	"fmt"
	"slices"
)

// formatEnvelope writes blocks in a foreign format, one of EnvelopeFormats, such that reading the text gives the same
// blocks: operation, path, sides and hints. What the format cannot express is an error; nothing is dropped.
func formatEnvelope(format string, blocks []Block) ([]byte, error) {
	var out bytes.Buffer
	switch format {
	case formatV4A:
		formatV4APatch(&out, blocks)
	case formatDiff:
		formatUnifiedDiff(&out, blocks)
	case formatJSON:
		formatJSONLines(&out, blocks)
	case formatRoo:
		formatRooXML(&out, blocks)
	case formatZed:
		formatTagPairs(&out, zedTags, blocks)
	case formatSweep:
		formatTagPairs(&out, sweepTags, blocks)
	default:
		return nil, fmt.Errorf("unknown format %q, known are %q", format, EnvelopeFormats())
	}
	got, diags := readEnvelopes(out.Bytes(), 1, format)
	if len(diags) > 0 {
		return nil, fmt.Errorf("%s cannot express these blocks: line %d, %s", format, diags[0].Line, diags[0].Code)
	}
	if len(got) != len(blocks) {
		return nil, fmt.Errorf("%s cannot express these %d blocks: they read as %d", format, len(blocks), len(got))
	}
	for i := range blocks {
		if !sameEdit(&blocks[i], &got[i]) {
			return nil, fmt.Errorf("%s cannot express block %d (%s of %s)", format, i+1, blocks[i].Op, blocks[i].Path)
		}
	}
	return out.Bytes(), nil
}

// sameEdit says whether two blocks ask for the same.
func sameEdit(a, b *Block) bool {
	return a.Op == b.Op && a.Path == b.Path && a.NewPath == b.NewPath &&
		bytes.Equal(a.Search, b.Search) && bytes.Equal(a.Replace, b.Replace) &&
		a.StartLine == b.StartLine && a.EndLine == b.EndLine && slices.Equal(a.Scope, b.Scope) &&
		a.AtEOF == b.AtEOF && a.ReplaceAll == b.ReplaceAll && a.Expected == b.Expected && a.Substring == b.Substring
}
