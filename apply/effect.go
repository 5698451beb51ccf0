package apply

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
)

// sameEffect reports whether two lists of edits make the same changes at the same places of text.
// Each list must be in order, without overlaps, and not empty. The edits themselves may differ: if
// SEARCH has a typo, an edit rewrites a line with the same content. Equal lines at different places
// aren't the same place.
func sameEffect(text []byte, a, b []splice.Edit) bool {
	if slices.EqualFunc(a, b, func(x, y splice.Edit) bool {
		return x.Start == y.Start && x.End == y.End && bytes.Equal(x.Text, y.Text)
	}) {
		return true
	}
	if a[len(a)-1].End < b[0].Start || b[len(b)-1].End < a[0].Start {
		return false // they are apart, and each changes something
	}
	from, to := min(a[0].Start, b[0].Start), max(a[len(a)-1].End, b[len(b)-1].End)
	return slices.Equal(changedSpans(text, a), changedSpans(text, b)) &&
		bytes.Equal(written(text, from, to, a), written(text, from, to, b))
}

// written returns the bytes from to to-1 of text with the edits applied.
func written(text []byte, from, to int, edits []splice.Edit) []byte {
	var out []byte
	for _, e := range edits {
		out = append(append(out, text[from:e.Start]...), e.Text...)
		from = e.End
	}
	return append(out, text[from:to]...)
}

// changedSpans returns the spans of text that edits change, without lines that they rewrite with
// the same content.
func changedSpans(text []byte, edits []splice.Edit) []span {
	var out []span
	for _, e := range edits {
		v := reading.New(text[e.Start:e.End], e.Text, 0)
		for _, c := range v.Hunks() {
			out = append(out, span{e.Start + v.Search.Start(c.S0), e.Start + v.Search.Start(c.S1)})
		}
	}
	return out
}
