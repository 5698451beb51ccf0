package reading

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
)

// Counterparts returns the lines of REPLACE, each with the SEARCH line that it keeps or replaces. A
// kept line is paired with the equal line, ignoring blanks. A changed line is paired with the line
// at the same position if both sides of the hunk have the same number of lines, not counting a unit
// that the hunk adds (see [Reading.Unit]). Otherwise, only the first line of a hunk is paired, with
// the first SEARCH line of the same depth or else the first line. The result is cached.
func (v *Reading) Counterparts() []indent.Line {
	if v.lines != nil {
		return v.lines
	}
	v.lines = make([]indent.Line, v.Replace.Len())
	for r := range v.lines {
		v.lines[r] = indent.Line{Text: v.Replace.Line(r), Apart: r > 0 && text.Blank(v.Replace.Line(r-1)), For: -1}
	}
	kept := make([]bool, v.Search.Len())
	// pair makes SEARCH line i the counterpart of REPLACE line r, unless r has one, i is blank, or
	// another line keeps i. same and weak are the fields Same and Weak.
	pair := func(r, i int, same, weak bool) {
		if l := &v.lines[r]; l.For < 0 && !text.Blank(v.Search.Line(i)) && (same || !kept[i]) {
			l.For, l.Same, l.Weak = i, same, weak
			kept[i] = kept[i] || same
		}
	}
	n := v.Search.Len()
	Unchanged(v.Hunks(), n, func(r, i int) { v.lines[r].Near, v.lines[r].Kept = i, true })
	// Lines that are equal only without their margins aren't Kept, but Same.
	Unchanged(TrimmedHunks(v.Search, v.Replace), n, func(r, i int) {
		pair(r, i, true, !text.HasWord(v.Search.Line(i)))
	})
	for _, c := range v.Hunks() {
		for r := c.R0; r < c.R1; r++ {
			v.lines[r].Near = c.Near(r)
		}
		first, newFirst := firstOf(v.Search, c.S0, c.S1, nil), firstOf(v.Replace, c.R0, c.R1, nil)
		if first >= 0 && newFirst >= 0 {
			depth := text.Margin(v.Replace.Line(newFirst))
			asDeep := func(line []byte) bool { return bytes.Equal(text.Margin(line), depth) }
			if i := firstOf(v.Search, c.S0, c.S1, asDeep); i > first {
				pair(newFirst, i, false, true)
			}
			// change is c without the unit, or all of c if it adds none.
			if change, _, _ := v.Unit(c); change.S1-change.S0 == change.R1-change.R0 {
				for k := range change.R1 - change.R0 {
					pair(change.R0+k, change.S0+k, false, false)
				}
			}
			pair(newFirst, first, false, true)
		}
	}
	return v.lines
}

// Unchanged calls f for each line that the changes keep, with its index r in REPLACE and i in
// SEARCH. n is the number of SEARCH lines.
func Unchanged(changes []Hunk, n int, f func(r, i int)) {
	r, i := 0, 0
	for _, c := range append(slices.Clone(changes), Hunk{S0: n, S1: n}) {
		for ; i < c.S0; i, r = i+1, r+1 {
			f(r, i)
		}
		i, r = c.S1, c.R1
	}
}

// TrimmedHunks compares SEARCH with REPLACE line by line, ignoring blanks at the ends of lines.
func TrimmedHunks(search, replace linediff.Lines) []Hunk {
	trimmed := func(d linediff.Lines) linediff.Slice {
		out := make(linediff.Slice, d.Len())
		for i := range out {
			out[i] = bytes.TrimSpace(d.Line(i))
		}
		return out
	}
	var out []Hunk
	for _, c := range linediff.Diff(trimmed(search), trimmed(replace)) {
		out = append(out, Hunk{c.A0, c.A1, c.B0, c.B1})
	}
	return out
}

// firstOf returns the first of the lines from to to-1 that isn't blank and for which is, unless it's
// nil, returns true. It returns -1 if there is none.
func firstOf(d linediff.Lines, from, to int, is func(line []byte) bool) int {
	for i := from; i < to; i++ {
		if line := d.Line(i); !text.Blank(line) && (is == nil || is(line)) {
			return i
		}
	}
	return -1
}
