package verdict

import (
	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
)

// isAlone reports whether no other place can be meant although a line of SEARCH has drifted, be the
// block as short as it may. It is the only such line, and what each hunk changes is there and
// nowhere else. Then either a line that stays is known only there, too, or the drifted one was
// edited: it is still like itself, or a comment, and the file has it nowhere as SEARCH does. A line
// without any counterpart may never have been the file's.
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

// changesOnly reports whether one of SEARCH's lines from to to-1 is in its place and nowhere else
// in the file.
func (t *trial) changesOnly(from, to int) bool {
	for i := from; i < to; i++ {
		if t.only(i) {
			return true
		}
	}
	return false
}

// keepsOnly reports whether a line that the block keeps is in its place and nowhere else in the
// file.
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
