package reading

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// Reading is one way to read a block: SEARCH and REPLACE as lines, possibly with models' habits
// undone.
type Reading struct {
	// Habits are the names of the undone habits. It's empty for the block as written.
	Habits  []string
	Search  *strategy.Pattern
	Replace *strategy.Document
	// Divider is the line of the reply that this reading treats as the divider, or 0 if there is
	// only one reading.
	Divider int

	hunks []Hunk        // see Hunks
	lines []indent.Line // see Counterparts
	bare  *Reading      // see Bare
}

// Hunks returns the changes from SEARCH to REPLACE, in order and without overlaps. They are
// computed once; don't modify them.
func (v *Reading) Hunks() []Hunk {
	if v.hunks == nil {
		v.hunks = hunksOf(v.Search.Document, v.Replace)
	}
	return v.hunks
}

// AsOne returns v with SEARCH's lines from from to end-1 changed in a single hunk, if any of them
// is changed. The kept lines among them become part of the hunk. Hunks that only touch these lines
// stay separate.
func (v *Reading) AsOne(from, end int) *Reading {
	var hunks []Hunk
	joined := -1 // index of the hunk with those lines
	for _, c := range v.Hunks() {
		switch {
		case c.S1 <= from || c.S0 >= end:
			hunks = append(hunks, c)
		case joined < 0:
			joined = len(hunks)
			// As many lines of REPLACE are above c as kept lines of SEARCH.
			hunks = append(hunks, Hunk{min(c.S0, from), c.S1, c.R0 - max(0, c.S0-from), c.R1})
		default:
			hunks[joined].S1, hunks[joined].R1 = c.S1, c.R1
		}
	}
	if joined < 0 {
		return v
	}
	c := &hunks[joined]
	c.S1, c.R1 = max(c.S1, end), c.R1+max(0, end-c.S1)
	out := *v
	out.hunks, out.lines, out.bare = hunks, nil, nil
	return &out
}

// Weight returns the sum of the weights of SEARCH's lines.
func (v *Reading) Weight() float64 {
	sum := 0
	for i := range v.Search.Len() {
		sum += text.Weight(v.Search.Line(i))
	}
	return float64(sum)
}

// New returns the block as it's written.
func New(search, replace []byte, hint int) *Reading {
	return &Reading{Search: strategy.NewPattern(search, hint), Replace: strategy.NewDocument(replace)}
}

// Result returns a reading for finding the block's result: its SEARCH is v's REPLACE.
func (v *Reading) Result() *Reading {
	return &Reading{
		Habits: v.Habits, Divider: v.Divider,
		Search: &strategy.Pattern{Document: v.Replace, Hint: v.Search.Hint}, Replace: v.Replace,
	}
}

// WithSearch returns v with other lines of SEARCH.
func (v *Reading) WithSearch(lines [][]byte) *Reading { return v.with(join(lines), v.Replace) }

// with returns v with other sides, in which the habits are undone, too.
func (v *Reading) with(search []byte, replace *strategy.Document, habits ...string) *Reading {
	return &Reading{
		Habits: append(slices.Clip(v.Habits), habits...), Divider: v.Divider,
		Search: strategy.NewPattern(search, v.Search.Hint), Replace: replace,
	}
}

// Keeps reports whether SEARCH and REPLACE share a line that has a word.
func (v *Reading) Keeps() bool {
	for i := range v.Replace.Len() {
		if line := v.Replace.Line(i); text.HasWord(line) && v.Search.HasLine(line) {
			return true
		}
	}
	return false
}

// AddsLine reports whether the block adds a line for which is returns true.
func (v *Reading) AddsLine(is func(line []byte) bool) bool {
	return slices.ContainsFunc(v.Hunks(), func(c Hunk) bool { return v.AddsIn(c, is) })
}

// AddsIn reports whether the hunk c adds a line for which is returns true.
func (v *Reading) AddsIn(c Hunk, is func(line []byte) bool) bool {
	for r := c.R0; r < c.R1; r++ {
		if is(v.Replace.Line(r)) {
			return true
		}
	}
	return false
}

// AddsWord reports whether the block adds a line that has a word and isn't in SEARCH, ignoring
// blanks.
func (v *Reading) AddsWord() bool {
	return v.AddsLine(func(line []byte) bool { return text.HasWord(line) && !v.Search.HasLine(line) })
}

// Inserts reports whether the block deletes nothing, and what it inserts has a clear place: a hunk
// at the beginning or end of REPLACE must have a nonblank line.
func (v *Reading) Inserts() bool {
	return !slices.ContainsFunc(v.Hunks(), func(c Hunk) bool {
		atEnd := c.R0 == 0 || c.R1 == v.Replace.Len()
		return c.S0 < c.S1 || atEnd && firstOf(v.Replace, c.R0, c.R1, nil) < 0
	})
}

// DeletesOneLine reports whether the block only deletes one line, not counting blank lines.
func (v *Reading) DeletesOneLine() bool {
	lines := 0
	for i := range v.Search.Len() {
		if !text.Blank(v.Search.Line(i)) {
			lines++
		}
	}
	return lines == 1 && len(bytes.TrimSpace(v.Replace.Text())) == 0
}

// Adds reports whether the block adds a line. A block that only deletes leaves nothing that could
// identify its result.
func (v *Reading) Adds() bool {
	return v.AddsLine(func([]byte) bool { return true })
}

// Bare returns the reading with SEARCH as strategies expect it: every line ends with "\n", except
// for the last one, which has no line end. It's computed once.
func (v *Reading) Bare() *Reading {
	if v.bare == nil {
		out := *v
		out.Search = strategy.NewPattern(join(Lines(v.Search.Document)), v.Search.Hint)
		if n := out.Search.Len(); n > 0 {
			out.Search = strategy.NewPattern(out.Search.Text()[:out.Search.End(n-1)], v.Search.Hint)
		}
		v.bare = &out
	}
	return v.bare
}

// join returns the lines with "\n" after each, or nil if there are none.
func join(lines [][]byte) []byte {
	if len(lines) == 0 {
		return nil
	}
	return append(bytes.Join(lines, []byte{'\n'}), '\n')
}

// Lines returns the lines of d, without their ends.
func Lines(d *strategy.Document) [][]byte {
	out := make([][]byte, d.Len())
	for i := range out {
		out[i] = d.Line(i)
	}
	return out
}
