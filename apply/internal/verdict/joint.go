package verdict

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/text"
)

// A line can be joined to the next by a comma, an opening bracket or an operator at its end, or to
// the one above by an operator at its beginning. Whether a line should be joined depends on its
// neighbour. So if the file has a line next to a hunk that isn't in SEARCH, the hunk must not
// change how the two are joined, because it was written for another neighbour.

// joinedTo returns a file line that SEARCH lacks, directly below or above c, if c changes whether
// that line and its neighbour in c are joined, for example by a comma. It returns -1 if there is
// none.
func (t *trial) joinedTo(c reading.Hunk) int {
	first, last := fileLines(t.Splice, c)
	if first < 0 {
		return -1
	}
	if c.S1 < t.Search.Len() && t.unseen(last+1) && t.changesJoint(c, first, last) {
		return last + 1
	}
	if c.S0 > 0 && c.R0 < c.R1 && t.unseen(first-1) &&
		jointBefore(t.Replace.Line(c.R0)) != jointBefore(t.Doc.Line(first)) {
		return first - 1
	}
	return -1
}

// changesJoint reports whether the line after file line last is joined differently once c has
// changed the lines from first to last. A list item may be deleted together with its comma.
func (t *trial) changesJoint(c reading.Hunk, first, last int) bool {
	before := jointAfter(t.Doc.Line(last))
	switch {
	case c.R0 < c.R1:
		return jointAfter(t.Replace.Line(c.R1-1)) != before
	case before == 0 || before == ',':
		return false
	}
	return first == 0 || jointAfter(t.Doc.Line(first-1)) != before
}

// fileLines returns the first and the last file line that c changes, or -1 if there are none.
func fileLines(s *splice.Splice, c reading.Hunk) (first, last int) {
	first, last = -1, -1
	for i := c.S0; i < c.S1; i++ {
		if f := s.Alignment[s.At[i]].File; f >= 0 {
			if last = f; first < 0 {
				first = f
			}
		}
	}
	return first, last
}

// unseen reports whether file line f exists, isn't blank, and isn't paired with a line of SEARCH.
func (t *trial) unseen(f int) bool {
	if f < 0 || f >= t.Doc.Len() || text.Blank(t.Doc.Line(f)) {
		return false
	}
	for _, q := range t.Alignment {
		if q.File == f {
			return t.foreign(q)
		}
	}
	return true
}

// jointAfter returns the character that joins a line to the next line, or 0.
func jointAfter(line []byte) byte {
	if line = bytes.TrimSpace(line); len(line) > 0 &&
		strings.IndexByte(`,([{\+|&=:`, line[len(line)-1]) >= 0 && !text.IsComment(line) {
		return line[len(line)-1]
	}
	return 0
}

// jointBefore returns the character that joins a line to the line above, or 0.
func jointBefore(line []byte) byte {
	if line = bytes.TrimSpace(line); len(line) > 0 && strings.IndexByte(",.|&?)]}", line[0]) >= 0 {
		return line[0]
	}
	return 0
}
