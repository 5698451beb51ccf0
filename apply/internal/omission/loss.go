package omission

import (
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// passage is what a block changes in one place: the SEARCH lines that it drops and the REPLACE
// lines that it adds. Brackets and blank lines shared by both sides don't end a passage.
type passage struct{ dropped, added []int }

// passages returns the passages of a block: its hunks, joined if there are only brackets and blank
// lines between them.
func passages(v *reading.Reading) []passage {
	var out []passage
	end := -1 // where the previous passage ends in SEARCH
	for _, c := range v.Hunks() {
		joined := end >= 0
		for i := end; i < c.S0 && joined; i++ {
			joined = !text.HasWord(v.Search.Line(i))
		}
		if !joined {
			out = append(out, passage{})
		}
		p := &out[len(out)-1]
		for i := c.S0; i < c.S1; i++ {
			p.dropped = append(p.dropped, i)
		}
		for i := c.R0; i < c.R1; i++ {
			p.added = append(p.added, i)
		}
		end = c.S1
	}
	return out
}

// loss describes what happens to the lines that a passage drops.
type loss struct {
	// lost are the meaningful dropped lines of code.
	lost []int
	// code are the added lines that aren't just a remark or a stub.
	code []int
	// definitions are the names of the definitions among the lost lines, or nil.
	definitions []string
}

// follows reports whether there is added code below REPLACE line i.
func (l *loss) follows(i int) bool { return len(l.code) > 0 && l.code[len(l.code)-1] > i }

// endsAt reports whether the passage ends with REPLACE line i although several lines are lost, many
// more than the lines of code that replace them.
func (l *loss) endsAt(i int) bool {
	return len(l.lost) >= enoughAlone && len(l.lost) >= 2*len(l.code) && !l.follows(i)
}

// loss returns what happens to the lines that p drops. A line that reappears elsewhere in the block
// has moved, and isn't counted.
func (r *review) loss(p passage) *loss {
	l := &loss{}
	for _, i := range p.dropped {
		line := r.v.Search.Line(i)
		comment := r.code && r.remarkOf(line).kind == commentLine
		if comment || !text.Telling(line) || r.back[r.v.Search.Key(i)] {
			continue
		}
		l.lost = append(l.lost, i)
		if name := text.Definition(line); name != nil {
			l.definitions = append(l.definitions, string(name))
		}
	}
	for _, i := range p.added {
		if r.hasCode(r.v.Replace.Line(i)) {
			l.code = append(l.code, i)
		}
	}
	return l
}

// hasCode reports whether an added line has code: it isn't just a remark, a stub or meaningless.
func (r *review) hasCode(line []byte) bool {
	switch m := r.remarkOf(line); m.kind {
	case commentLine:
		return false
	case bareText:
		if w := read(m, nil); w.unknown == 0 && w.strong+w.weak > 0 {
			return false // it only says that something is left out: "rest of the code"
		}
	case afterCode:
		line = m.code
	}
	return text.HasWord(line) && !isStub(line)
}
