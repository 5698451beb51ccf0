package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// settleEscapes decides between readings that differ only in whether backslashes before markers in
// REPLACE are escapes. They count as escapes, unless the file has such a line with the backslash
// and none without it.
func (it *item) settleEscapes(doc *strategy.Document) {
	readings := it.block.Readings
	drop := make([]bool, len(readings))
	for i, plain := range readings {
		for j, literal := range readings {
			if !plain.Literal && literal.Literal && plain.Divider == literal.Divider &&
				bytes.Equal(plain.Search, literal.Search) {
				// isText: the file has such a line with the backslash.
				isText := hasEscaped(doc, plain.Replace, literal.Replace)
				drop[i], drop[j] = drop[i] || isText, drop[j] || !isText
			}
		}
	}
	if !slices.Contains(drop, true) {
		return
	}
	b := *it.block
	b.Readings = nil
	for i, r := range readings {
		if !drop[i] {
			b.Readings = append(b.Readings, r)
		}
	}
	b.Search, b.Replace = b.Readings[0].Search, b.Readings[0].Replace
	it.block = &b
}

// hasEscaped reports whether a document has a line that is in literal but not in plain, and lacks
// the line that plain has instead.
func hasEscaped(doc *strategy.Document, plain, literal []byte) bool {
	bare, raw := slices.Collect(bytes.Lines(plain)), slices.Collect(bytes.Lines(literal))
	for i := range min(len(bare), len(raw)) {
		if !bytes.Equal(bare[i], raw[i]) && doc.HasLine(text.Chomp(raw[i])) && !doc.HasLine(text.Chomp(bare[i])) {
			return true
		}
	}
	return false
}
