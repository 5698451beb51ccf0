package mdline

import "github.com/srpatch/srpatch/fsm"

// OpensBlock says whether the line opens a marker block, which no envelope can have outside of its
// content.
func OpensBlock(raw []byte) bool {
	if len(raw) == 0 || raw[0] != '<' {
		return false // those of dashes begin lines of a diff
	}
	k := fsm.Classify(raw)
	return (k.Kind == fsm.Opener || k.Kind == fsm.NearOpener) && !k.Dialect.Tentative()
}
