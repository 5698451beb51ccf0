package parser

// use is the part of the reply that a line belongs to.
type use uint8

const (
	unaccounted use = iota // nothing is known yet
	prose
	naming    // the name of a block's file
	inQuote   // text that is only shown
	inBlock   // a marker block
	enveloped // an edit in an envelope
	inShell   // shell commands
	diagnosed // refused
)

// lineUses records how each line was used. At the end of the reply, prose is searched for traces of
// edits. A nil *lineUses records nothing.
type lineUses struct {
	above int // number of lines before the first one
	lines []use
}

// put records the use of the lines first to last, 1-based and inclusive. It overwrites earlier
// records, because the lines of an abandoned attempt are read again.
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
