package verdict

import (
	"bytes"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// A line may say that the next one belongs to it: by a comma, a bracket that opens, an operator at
// its end; and a line that begins with an operator belongs to the one above. Whether a line is to
// end so depends on the line that follows. So where the file has a line that SEARCH lacks, directly
// next to what a hunk changes, the hunk must not change how the two are joined: it was written for
// another neighbour.

// joinedTo is the file line next to c that SEARCH lacks, and to which c changes the joint; -1 if
// there is none.
func (t *trial) joinedTo(c reading.Hunk) int {
	first, last := t.fileLines(c)
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

// changesJoint reports whether the line that follows file line last belongs to something else once
// c has changed the lines first to last. The element of a list may go, along with its comma.
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

// fileLines are the first and the last file line that c changes, -1 if there are none.
func (t *trial) fileLines(c reading.Hunk) (first, last int) {
	first, last = -1, -1
	for i := c.S0; i < c.S1; i++ {
		if f := t.Alignment[t.At[i]].File; f >= 0 {
			if last = f; first < 0 {
				first = f
			}
		}
	}
	return first, last
}

// unseen reports whether the file has a line f that is not blank, and no line of SEARCH is paired
// with it.
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

// jointAfter is the sign by which a line says that the next one belongs to it, 0 if it does not say
// so.
func jointAfter(line []byte) byte {
	if line = bytes.TrimSpace(line); len(line) > 0 &&
		strings.IndexByte(`,([{\+|&=:`, line[len(line)-1]) >= 0 && !text.IsComment(line) {
		return line[len(line)-1]
	}
	return 0
}

// jointBefore is the sign by which a line says that it belongs to the one above, 0 if it does not
// say so.
func jointBefore(line []byte) byte {
	if line = bytes.TrimSpace(line); len(line) > 0 && strings.IndexByte(",.|&?)]}", line[0]) >= 0 {
		return line[0]
	}
	return 0
}
