package unified

import (
	"bytes"
	"sort"

	"github.com/srpatch/srpatch/internal/linediff"
)

// edit replaces lines a0 to a1 of the text before by lines b0 to b1 of the text after, 0-based,
// ends exclusive.
type edit struct{ a0, a1, b0, b1 int }

// text is a text with the offsets at which its lines start, and its length after them.
type text struct {
	bytes  []byte
	starts []int
}

// index finds the lines of b. The last one may lack its "\n". An empty text has no line.
func index(b []byte) text {
	t := text{b, make([]int, 1, bytes.Count(b, []byte{'\n'})+2)}
	for at := 0; at < len(b); {
		n := bytes.IndexByte(b[at:], '\n')
		if n < 0 {
			n = len(b) - at - 1
		}
		at += n + 1
		t.starts = append(t.starts, at)
	}
	return t
}

func (t text) len() int          { return len(t.starts) - 1 }
func (t text) line(i int) []byte { return t.bytes[t.starts[i]:t.starts[i+1]] }

// lines returns the lines from first to end, exclusive.
func (t text) lines(first, end int) linediff.Slice {
	lines := make(linediff.Slice, 0, end-first)
	for i := first; i < end; i++ {
		lines = append(lines, t.line(i))
	}
	return lines
}

// above returns the number of lines that end at or before offset.
func (t text) above(offset int) int {
	return sort.Search(t.len(), func(i int) bool { return t.starts[i+1] > offset })
}

// holding returns the line that contains the byte at offset. At the end of the text it returns the
// line that an appended byte would belong to.
func (t text) holding(offset int) int {
	i := t.above(offset)
	if offset == len(t.bytes) && i > 0 && t.bytes[offset-1] != '\n' { // the last line goes on
		i--
	}
	return i
}

// begins reports whether a line begins, or the text ends, at offset.
func (t text) begins(offset int) bool {
	return offset == len(t.bytes) || t.starts[t.above(offset)] == offset
}

// edits returns the edits that turn t into after, in order, with an equal line between two of them.
// It only compares the lines that the spans touch, or all if spans is nil.
func (t text) edits(after text, spans []Span) []edit {
	regions := []edit{{0, t.len(), 0, after.len()}}
	if spans != nil {
		regions = t.regions(after, spans)
	}
	var edits []edit
	for _, r := range regions {
		for _, c := range linediff.Diff(t.lines(r.a0, r.a1), after.lines(r.b0, r.b1)) {
			e := edit{r.a0 + c.A0, r.a0 + c.A1, r.b0 + c.B0, r.b0 + c.B1}
			// The last edit of one region may touch the first of the next.
			if n := len(edits) - 1; n >= 0 && edits[n].a1 == e.a0 && edits[n].b1 == e.b0 {
				edits[n].a1, edits[n].b1 = e.a1, e.b1
				continue
			}
			edits = append(edits, e)
		}
	}
	return edits
}

// regions returns the spans extended to whole lines of t and after. Spans that meet in a line
// become one region.
func (t text) regions(after text, spans []Span) []edit {
	var regions []edit
	for _, s := range spans {
		// The bytes before a span are equal on both sides, so a line begins at the same distance.
		r := edit{a0: t.holding(s.BeforeStart), b0: after.holding(s.AfterStart)}
		r.a1, r.b1 = t.above(s.BeforeEnd), after.above(s.AfterEnd)
		if !t.begins(s.BeforeEnd) || !after.begins(s.AfterEnd) { // the span ends within a line
			r.a1, r.b1 = min(r.a1+1, t.len()), min(r.b1+1, after.len())
		}
		if n := len(regions) - 1; n >= 0 && (r.a0 < regions[n].a1 || r.b0 < regions[n].b1) {
			regions[n].a1, regions[n].b1 = r.a1, r.b1
			continue
		}
		regions = append(regions, r)
	}
	return regions
}
