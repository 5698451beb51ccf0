package verdict

import (
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// isAlone reports whether no other place can be meant although a line of SEARCH has drifted,
// however short the block is. Only one line may have drifted, and the lines that each hunk changes
// must occur only at this place. In addition, either a kept line must also be unique, or the
// drifted line must have been edited: it's similar or a comment, and SEARCH's version of it is
// nowhere in the file. A line without any counterpart may never have been in the file.
func (t *trial) isAlone() bool {
	lost, n, keepsUnique := 0, 0, false
	for i := range t.Search.Len() {
		keepsUnique = keepsUnique || !t.changed[i] && t.isUnique(i)
		if t.drifted(i) > 0 {
			lost, n = i, n+1
		}
	}
	if n != 1 || slices.ContainsFunc(t.ToDo, func(c reading.Hunk) bool { return !t.hasUnique(c.S0, c.S1) }) {
		return false
	}
	line := t.Search.Line(lost)
	edited := t.relation(lost) == align.Similar || text.IsComment(line)
	return keepsUnique || edited && !t.Doc.HasLine(line)
}

// hasUnique reports whether one of SEARCH's lines from from to to-1 occurs at its place and nowhere
// else in the file.
func (t *trial) hasUnique(from, to int) bool {
	for i := from; i < to; i++ {
		if t.isUnique(i) {
			return true
		}
	}
	return false
}
