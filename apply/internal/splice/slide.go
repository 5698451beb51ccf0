package splice

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
)

// slide looks again at the insertions that are to be made. One that begins like the line after it, or ends like the line before
// it, may as well be a line further down or up. Where lines of the file that SEARCH lacks come between, the two are not the same:
// then it goes where the file has the lines of SEARCH on both sides of it, next to each other.
func (s *Splice) slide() {
	for k, c := range s.ToDo {
		if c.S0 < c.S1 || s.fitsBetween(c.S0) {
			continue
		}
		if to, ok := s.slid(c); ok {
			s.ToDo[k] = to
		}
	}
}

// slid is the hunk c at the nearest line further down, or else up, where it fits.
func (s *Splice) slid(c reading.Hunk) (reading.Hunk, bool) {
	for d := c; d.S1 < s.Search.Len() && d.R1 < s.Replace.Len() && bytes.Equal(s.Search.Line(d.S1), s.Replace.Line(d.R0)); {
		if d = d.Moved(1); s.fitsBetween(d.S0) {
			return d, true
		}
	}
	for d := c; d.S0 > 0 && d.R0 > 0 && bytes.Equal(s.Search.Line(d.S0-1), s.Replace.Line(d.R1-1)); {
		if d = d.Moved(-1); s.fitsBetween(d.S0) {
			return d, true
		}
	}
	return c, false
}

// fitsBetween reports whether the file has the lines of SEARCH around the beginning of line i, one after the other, and one of them
// is not blank. At an end of SEARCH there is one such line.
func (s *Splice) fitsBetween(i int) bool {
	above, below := s.paired(i-1), s.paired(i)
	switch {
	case i == s.Search.Len():
		return above >= 0 && !s.Blank(i-1)
	case i == 0:
		return below >= 0 && !s.Blank(i)
	}
	return above >= 0 && below == above+1 && !(s.Blank(i-1) && s.Blank(i))
}

// paired is the file line that SEARCH line i is paired with, -1 if there is none or SEARCH has no such line.
func (s *Splice) paired(i int) int {
	if i < 0 || i >= s.Search.Len() || s.Alignment[s.At[i]].Relation > align.Similar {
		return -1
	}
	return s.Alignment[s.At[i]].File
}
