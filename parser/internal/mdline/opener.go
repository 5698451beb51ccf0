package mdline

import "github.com/srpatch/srpatch/fsm"

// OpensBlock reports whether the line opens a marker block. In an envelope such a line can only be
// content.
func OpensBlock(raw []byte) bool {
	if len(raw) == 0 || raw[0] != '<' {
		return false // an opener with dashes may be a line of a diff
	}
	k := fsm.Classify(raw)
	return (k.Kind == fsm.Opener || k.Kind == fsm.NearOpener) && !k.Dialect.Tentative()
}
