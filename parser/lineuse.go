package parser

// use says what a line of the reply belongs to.
type use uint8

const (
	unaccounted use = iota
	prose
	naming
	inQuote
	inBlock
	enveloped
	inShell
	diagnosed
)

// lineUses records what each line was used for. In the end, prose is searched for traces of edits.
// A nil lineUses records nothing.
type lineUses struct {
	above int // lines before the first one
	lines []use
}

// put records the use of the lines first to last, 1-based and inclusive. It replaces an earlier
// record: after an attempt is given up, its lines are read again.
func (t *lineUses) put(u use, first, last int) {
	if t == nil {
		return
	}
	for len(t.lines) < last-t.above {
		t.lines = append(t.lines, unaccounted)
	}
	for i := first; i <= last; i++ {
		t.lines[i-1-t.above] = u
	}
}

// name records that a line names a block's file. It does nothing if line is 0.
func (t *lineUses) name(line int) {
	if line > 0 {
		t.put(naming, line, line)
	}
}
