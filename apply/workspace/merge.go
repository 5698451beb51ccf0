package workspace

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/internal/linediff"
)

// mergeText merges the changes from base to ours and from base to theirs, line by line. It fails
// if both changed the same lines or adjacent ones, unless they made the same change. The error
// names the line of ours. The result has the encoding of ours.
func mergeText(base, ours, theirs []byte) ([]byte, error) {
	f := formOf(ours, nil) // nil: only a byte order mark makes it UTF-16
	var lines [3][][]byte
	for i, raw := range [][]byte{base, ours, theirs} {
		text, err := formOf(raw, nil).decode(raw)
		if err != nil {
			return nil, err
		}
		lines[i] = slices.Collect(bytes.Lines(text))
	}
	merged, err := mergeLines(lines[0], lines[1], lines[2])
	if err != nil {
		return nil, err
	}
	return f.encode(merged)
}

// region is a range of lines of base (0-based, end exclusive) and the lines that replace it.
type region struct {
	start, end int
	lines      [][]byte
	at         int // index of the first of lines in their file
}

// regions returns the regions of base that side changes, in order.
func regions(base, side [][]byte) []region {
	var out []region
	for _, c := range linediff.Diff(linediff.Slice(base), linediff.Slice(side)) {
		out = append(out, region{c.A0, c.A1, side[c.B0:c.B1], c.B0})
	}
	return out
}

// mergeLines is mergeText for texts split into lines. It takes the changes of both sides in the
// order of base: the next one is the change that ends before the other side's next one begins, with
// a line of base between them.
func mergeLines(base, ours, theirs [][]byte) ([]byte, error) {
	var out []byte
	emit := func(lines [][]byte) {
		for _, l := range lines {
			out = append(out, l...)
		}
	}
	a, b := regions(base, ours), regions(base, theirs)
	done := 0 // how many lines of base are merged
	for len(a) > 0 || len(b) > 0 {
		var next region
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].end < b[0].start:
			next, a = a[0], a[1:]
		case len(a) == 0 || b[0].end < a[0].start:
			next, b = b[0], b[1:]
		case a[0].start == b[0].start && a[0].end == b[0].end && slices.EqualFunc(a[0].lines, b[0].lines, bytes.Equal):
			next, a, b = a[0], a[1:], b[1:]
		default:
			return nil, fmt.Errorf("the run and a later edit changed the same or adjacent lines at line %d", a[0].at+1)
		}
		emit(base[done:next.start])
		emit(next.lines)
		done = next.end
	}
	emit(base[done:])
	return out, nil
}
