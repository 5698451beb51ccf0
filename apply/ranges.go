package apply

import (
	"bytes"
	"sort"
)

// This file computes where in the two texts a block is, once all blocks of the file have their
// places. report.go has the rest of what is reported.

// tellRanges sets, for each block, which bytes of the file it changes and where its lines are
// afterwards. c is the change of the file. If a block was placed on what others wrote, c has no
// spans and nothing is set.
func (f *file) tellRanges(c *FileChange) {
	if len(c.spans) == 0 || len(c.spans) != len(f.owners) {
		return
	}
	for i, it := range f.owners {
		s := c.spans[i]
		it.report.Edits = append(it.report.Edits, Range{
			Before: [2]int{s.BeforeStart, s.BeforeEnd}, After: [2]int{s.AfterStart, s.AfterEnd},
		})
	}
	moves := f.moves()
	for _, it := range f.items {
		if it.report.Lines != nil && it.report.Status != BlockFailed {
			it.report.LinesAfter = moves.of(it, *it.report.Lines)
		}
	}
}

// moves computes how far spans move the lines below them.
type moves struct {
	owners []*item
	lines  []int  // of the span's beginning, from 1
	insert []bool // the span is an insertion in front of that line
	by     []int  // all spans before this one, together; one more than there are spans
}

func (f *file) moves() moves {
	m := moves{owners: f.owners, by: []int{0}}
	line, at := 1, 0
	for _, s := range f.spans {
		line += bytes.Count(f.text[at:s.BeforeStart], []byte("\n"))
		at = s.BeforeStart
		m.lines = append(m.lines, line)
		m.insert = append(m.insert, s.BeforeStart == s.BeforeEnd && (at == 0 || f.text[at-1] == '\n'))
		more := bytes.Count(f.current[s.AfterStart:s.AfterEnd], []byte("\n")) -
			bytes.Count(f.text[s.BeforeStart:s.BeforeEnd], []byte("\n"))
		m.by = append(m.by, m.by[len(m.by)-1]+more)
	}
	return m
}

// of returns the lines of a block after the run, including those that it adds at their ends. For a
// block that leaves none of its lines, the range ends before it begins, as for an insertion.
func (m *moves) of(it *item, lines [2]int) *[2]int {
	first := sort.SearchInts(m.lines, lines[0])
	for first < len(m.lines) && m.lines[first] == lines[0] && m.insert[first] && m.owners[first] != it {
		first++ // somebody else's lines above
	}
	end := sort.SearchInts(m.lines, lines[1]+1)
	for end < len(m.lines) && m.owners[end] == it {
		end++
	}
	end = max(first, end)
	return &[2]int{lines[0] + m.by[first], lines[1] + m.by[end]}
}
