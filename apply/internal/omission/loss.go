package omission

import (
	"bytes"
	"slices"

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
	// lost are the meaningful dropped lines of code that have no counterpart.
	lost []int
	// total counts the meaningful dropped lines of code, with or without a counterpart.
	total int
	// fresh is the last added line of new code, or -1: no remark, no stub, and not just a dropped line
	// with more on it.
	fresh int
	// definitions are the names of the definitions among the lost lines, or nil.
	definitions []string
}

// follows reports whether there is new code below REPLACE line i, which a remark there may describe.
func (l *loss) follows(i int) bool { return l.fresh > i }

// loss returns what happens to the lines that p drops. A line that reappears elsewhere in the block
// has moved, and isn't counted. Each added line accounts for one of the other dropped lines, if the
// two share enough names; see counterpart.
func (r *review) loss(p passage) *loss {
	l := &loss{fresh: -1}
	left := map[string][]int{} // dropped lines by their names
	for _, i := range p.dropped {
		line := r.v.Search.Line(i)
		comment := r.code && r.remarkOf(line).kind == commentLine
		if comment || !text.Telling(line) || r.back[r.v.Search.Key(i)] {
			continue
		}
		l.total++
		l.lost = append(l.lost, i)
		for _, name := range names(line) {
			left[name] = append(left[name], i)
		}
	}
	accounted := map[int]bool{}
	for _, i := range p.added {
		line := r.codeOf(r.v.Replace.Line(i))
		if line == nil {
			continue
		}
		if !slices.ContainsFunc(p.dropped, func(d int) bool { return extends(line, r.v.Search.Line(d)) }) {
			l.fresh = i
		}
		if r.gone[r.v.Replace.Key(i)] {
			continue // moved: the line is its own counterpart
		}
		if d, ok := counterpart(names(line), left, accounted); ok {
			accounted[d] = true
		}
	}
	l.lost = slices.DeleteFunc(l.lost, func(i int) bool { return accounted[i] })
	for _, i := range l.lost {
		if name := text.Definition(r.v.Search.Line(i)); name != nil {
			l.definitions = append(l.definitions, string(name))
		}
	}
	return l
}

// counterpart returns the dropped line that shares the most names with an added line, whose names
// are own, but at least a third of them. left maps names to dropped lines. Lines in accounted have
// a counterpart already. ok is false if there is no such line.
func counterpart(own []string, left map[string][]int, accounted map[int]bool) (best int, ok bool) {
	shared := map[int]int{}
	for _, name := range own {
		for _, d := range left[name] {
			if !accounted[d] {
				shared[d]++
			}
		}
	}
	for d, n := range shared {
		if 3*n >= len(own) && (!ok || n > shared[best] || n == shared[best] && d < best) {
			best, ok = d, true
		}
	}
	return best, ok
}

// extends reports whether line has the tokens of old, which has a word, in the same order.
func extends(line, old []byte) bool {
	if !text.HasWord(old) {
		return false
	}
	rest := slices.Collect(text.EachToken(old))
	for t := range text.EachToken(line) {
		if len(rest) > 0 && bytes.Equal(t, rest[0]) {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// codeOf returns the code of an added line, or nil if the line is a remark, a stub or meaningless.
func (r *review) codeOf(line []byte) []byte {
	switch m := r.remarkOf(line); m.kind {
	case commentLine:
		return nil
	case bareText:
		if w := read(m, nil); w.unknown == 0 && w.strong+w.weak > 0 {
			return nil // it only says that something is left out: "rest of the code"
		}
	case afterCode:
		line = m.code
	}
	if !text.HasWord(line) || isStub(line) {
		return nil
	}
	return line
}

// maxNaming is how many bytes of a line are searched for names.
const maxNaming = 400

// names returns the words of line that aren't keywords, each once.
func names(line []byte) []string {
	var out []string
	for t := range text.EachToken(line[:min(len(line), maxNaming)]) {
		if text.BeginsWithWord(t) && !text.IsKeyword(string(t)) && !slices.Contains(out, string(t)) {
			out = append(out, string(t))
		}
	}
	return out
}
