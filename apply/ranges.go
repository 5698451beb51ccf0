package apply

import (
	"bytes"
	"sort"
)

// This file computes the ranges of a block in the two texts, once all blocks of the file are
// placed. The rest of a report is in report.go.

// tellRanges records, for each block, which bytes of the file it changes and where its lines are
// afterwards. c is the change to the file. If a block was placed in text that other blocks wrote, c
// has no spans and nothing is recorded.
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
	lines  []int  // the line where each span begins, from 1
	insert []bool // whether the span is an insertion before that line
	by     []int  // the total for the spans before each one, and at the end for all
}

// moves returns how far f.spans move lines. The file's blocks must all be in the original text.
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

// of returns the lines of a block after the run, including those that it adds at either end. If
// none of its lines are left, the range ends before it begins, as for an insertion.
func (m *moves) of(it *item, lines [2]int) *[2]int {
	first := sort.SearchInts(m.lines, lines[0])
	for first < len(m.lines) && m.lines[first] == lines[0] && m.insert[first] && m.owners[first] != it {
		first++ // lines that another block inserted above
	}
	end := sort.SearchInts(m.lines, lines[1]+1)
	for end < len(m.lines) && m.owners[end] == it {
		end++
	}
	end = max(first, end)
	return &[2]int{lines[0] + m.by[first], lines[1] + m.by[end]}
}
