package splice

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
)

// slide looks again at the insertions that are to be made before a closing bracket and begin with one. Such an insertion may as well
// be one after the bracket that ends with it, and where the file has other lines before the bracket that is what is meant: blocks
// of code end, not begin, with their bracket.
func (s *Splice) slide() {
	for k, c := range s.ToDo {
		if c.S0 < c.S1 || s.fitsBetween(c.S0) {
			continue
		}
		for d := c; d.S1 < s.Search.Len() && s.closes(d.S1) && bytes.Equal(s.Search.Line(d.S1), s.Replace.Line(d.R0)); {
			if d = d.Moved(1); s.fitsBetween(d.S0) {
				s.ToDo[k] = d
				break
			}
		}
	}
}

// closes reports whether SEARCH line i is neither blank nor has a word.
func (s *Splice) closes(i int) bool { return !s.Blank(i) && !text.HasWord(s.Search.Line(i)) }

// fitsBetween reports whether the file has the lines of SEARCH around the beginning of line i, one after the other. At the end of
// SEARCH there is only the one above.
func (s *Splice) fitsBetween(i int) bool {
	above := s.paired(i - 1)
	return above >= 0 && (i == s.Search.Len() || s.paired(i) == above+1)
}

// paired is the file line that SEARCH line i is paired with, -1 if there is none.
func (s *Splice) paired(i int) int {
	if i < 0 || i >= s.Search.Len() || s.Alignment[s.At[i]].Relation > align.Similar {
		return -1
	}
	return s.Alignment[s.At[i]].File
}
