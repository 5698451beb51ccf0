package verdict

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/align"
)

// substitutionCost is how many drifted lines a kept line counts for that names something else: context drifts, but a
// name in place of another one is how twins differ.
const substitutionCost = 2

// telling counts the lines of SEARCH that are not blank.
func (t *trial) telling() int {
	n := 0
	for i := range t.Search.Len() {
		if !t.Blank(i) {
			n++
		}
	}
	return n
}

// driftsTooMuch reports whether more than a quarter of SEARCH has drifted.
func (t *trial) driftsTooMuch() bool { return t.drifted() > t.telling()/4 }

// drifted counts the lines of SEARCH that drifted, apart from those which hunks that are done have replaced.
func (t *trial) drifted() int {
	n := 0
	for i := range t.Search.Len() {
		if t.done[i] || t.Blank(i) {
			continue
		}
		switch t.relation(i) {
		case align.Missing:
			n++
		case align.Similar:
			switch t.drift(i) {
			case drift:
				n++
			case substitution:
				n += substitutionCost
			}
		}
	}
	return n
}

// drift is how SEARCH line i differs from its partner, if it is taken for context.
func (t *trial) drift(i int) difference {
	if !t.changed[i] {
		return t.difference(i)
	}
	line, there := t.Search.Line(i), t.partner(i)
	if len(bytes.TrimSpace(line)) <= len(bytes.TrimSpace(there)) && meaningOf(line, there, t.AddedFor(i)) == mistyped {
		return slip // REPLACE shows it; about a line that is longer in SEARCH it shows nothing
	}
	return t.judge.words.compare(line, there, true)
}
