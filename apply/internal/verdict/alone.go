package verdict

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
)

// isAlone reports whether no other place can be meant although a line of SEARCH has drifted,
// however short the block is. It must be the only such line, and what each hunk changes must be
// there and nowhere else. In addition, either a kept line is unique as well, or the drifted line
// was edited: it's similar or a comment, and SEARCH's form is nowhere in the file. A line without
// any counterpart may never have been in the file.
func (t *trial) isAlone() bool {
	lost := -1
	for i := range t.Search.Len() {
		if t.done[i] || t.Blank(i) || t.drifted(i) == 0 {
			continue
		}
		if lost >= 0 {
			return false
		}
		lost = i
	}
	if lost < 0 {
		return false
	}
	for _, c := range t.ToDo {
		if !t.changesOnly(c.S0, c.S1) {
			return false
		}
	}
	line := t.Search.Line(lost)
	edited := t.relation(lost) == align.Similar || text.IsComment(line)
	return t.keepsOnly() || edited && !t.Doc.HasLine(line)
}

// changesOnly reports whether one of SEARCH's lines from to to-1 is at its place and nowhere else
// in the file.
func (t *trial) changesOnly(from, to int) bool {
	for i := from; i < to; i++ {
		if t.only(i) {
			return true
		}
	}
	return false
}

// keepsOnly reports whether a kept line is at its place and nowhere else in the file.
func (t *trial) keepsOnly() bool {
	for i := range t.Search.Len() {
		if !t.changed[i] && t.only(i) {
			return true
		}
	}
	return false
}

// tooLittle reports whether so little of SEARCH is there that another place may be meant.
func (t *trial) tooLittle() bool { return t.score < MinScore && !t.isAlone() }
