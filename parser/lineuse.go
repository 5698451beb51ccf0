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

// lineUses keeps the account of lines: what is prose at the end is looked at once more. A nil
// lineUses keeps none.
type lineUses struct {
	above int // lines before the first one
	lines []use
}

// put accounts for the lines first to last, 1-based and inclusive. A later account of a line
// replaces an earlier one: lines are read twice where an attempt was given up.
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

// name accounts for a line that names a block's file; 0 is none.
func (t *lineUses) name(line int) {
	if line > 0 {
		t.put(naming, line, line)
	}
}
