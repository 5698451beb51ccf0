package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// evidence is what a block shows of its lines, whichever way they are indented.
type evidence struct {
	*Block
	// place is the margin of the outermost line of the place, home that of the line where REPLACE begins.
	place, home []byte
	lines       []told
	// shifts says that the edit changes nothing but margins.
	shifts bool
}

// told is what is known of a line of REPLACE.
type told struct {
	// at is where the line has its counterpart.
	at  Pair
	has bool
	// opens says that the line opens a block, new that its counterpart does not.
	opens, new bool
	// wrapped says that a line around it opens a block that is new, unwrapped that a block which was around it is gone.
	wrapped, unwrapped bool
	// bent says that the line has the margin that its counterpart has in SEARCH and not in the file.
	bent bool
}

func (b *Block) evidence() *evidence {
	e := &evidence{Block: b, home: b.Pairs[0].File, place: b.Pairs[0].File, lines: make([]told, len(b.Replace))}
	for _, p := range b.Pairs {
		if len(p.File) < len(e.place) {
			e.place = p.File
		}
	}
	if p, ok := b.pair(b.Replace[0].For); ok && !b.Replace[0].Weak {
		e.home = p.File
	}
	still := map[int]bool{} // SEARCH lines that open a block in REPLACE, too
	var around []int        // lines, each of which is around the next one
	for i, l := range b.Replace {
		t := &e.lines[i]
		own := text.Margin(l.Text)
		t.at, t.has = b.pair(l.For)
		t.opens = Opens(l.Text)
		t.new = t.opens && !b.opened(l)
		t.bent = t.has && !bytes.Equal(t.at.Search, t.at.File) && bytes.Equal(own, t.at.Search)
		if t.opens || l.Same {
			still[l.For] = true
		}
		for len(around) > 0 && !shallower(text.Margin(b.Replace[around[len(around)-1]].Text), own) {
			around = around[:len(around)-1]
		}
		if len(around) > 0 {
			outer := e.lines[around[len(around)-1]]
			t.wrapped = outer.new || outer.wrapped
		}
		around = append(around, i)
	}
	e.shifts = len(b.Replace) == len(b.Search) && !slices.ContainsFunc(b.Replace, func(l Line) bool { return !l.Same }) &&
		slices.ContainsFunc(e.lines, func(t told) bool { return t.bent })
	gone := b.unwrapped(still)
	for i := range e.lines {
		t := &e.lines[i]
		t.unwrapped = t.has && b.Replace[i].Same && gone[t.at.Line]
	}
	return e
}

// unwrapped are the lines of SEARCH around which a line opens a block that REPLACE does not open still.
func (b *Block) unwrapped(still map[int]bool) map[int]bool {
	out := map[int]bool{}
	var around []Pair
	for _, p := range b.Pairs {
		for len(around) > 0 && !shallower(around[len(around)-1].File, p.File) {
			around = around[:len(around)-1]
		}
		if len(around) > 0 {
			outer := around[len(around)-1]
			out[p.Line] = outer.Opens && !still[outer.Line] || out[outer.Line]
		}
		around = append(around, p)
	}
	return out
}

// against is how much speaks against REPLACE having these margins. What weighs most is that a line which is in the file already, or
// replaces one line of it, is elsewhere than that one, unless the edit moved it: into a block that is new, or out of one that is
// gone. Next come lines that relate to each other otherwise than in REPLACE; only its first line may do so, as it is the one that is
// copied without its margin. Then there is what no editor leaves behind: a line deeper than the one above for no reason, one that is
// outside of the place, and at last one that is not as deep as the file's levels are.
//
// The figures order these; any that do so serve.
func (e *evidence) against(m Margins) int {
	n := 0
	outside := false
	for i, l := range e.Replace {
		t := &e.lines[i]
		outside = outside || shallower(m[i], e.place)
		switch moved := len(m[i]) - len(t.at.File); {
		case !t.has || bytes.Equal(m[i], t.at.File) || e.shifts && !t.bent:
		case t.wrapped && moved > 0 || t.unwrapped && moved < 0:
		case l.Weak:
			n++
		default:
			n += 4
		}
		switch {
		case e.shifts || e.Literal:
		case i > 0:
			n += e.between(m, i)
		case shallower(e.Pairs[0].File, m[0]):
			n += 2
		}
	}
	if outside && !e.shifts {
		n += 2
	}
	return n
}

// between is how much speaks against the margin of line i next to that of the line above.
func (e *evidence) between(m Margins, i int) int {
	n := 0
	above, below := &e.lines[i-1], &e.lines[i]
	before, own := text.Margin(e.Replace[i-1].Text), text.Margin(e.Replace[i].Text)
	was, deeper := shallower(before, own), shallower(m[i-1], m[i])
	asInFile := above.has && below.has && !above.new && bytes.Equal(m[i-1], above.at.File) && bytes.Equal(m[i], below.at.File)
	switch {
	case asInFile:
	case above.opens && was && !deeper:
		n += 3
	case above.opens && deeper && !bytes.Equal(m[i][len(m[i-1]):], e.Unit()):
		n++
	case !above.opens && deeper && (i == 1 && !e.Alone || !was):
		n += 2
	}
	sameKind := Pair{Search: own, File: before}.sameKind()
	if i > 1 && !above.bent && !below.bent && sameKind && (was != deeper || shallower(own, before) != shallower(m[i], m[i-1])) {
		n += 3
	}
	return n
}

// isSound reports whether the lines that REPLACE has inside of a new block are so with these margins, and the block does not begin outside
// of the place if it is around lines of it.
func (e *evidence) isSound(m Margins) bool {
	for i, l := range e.Replace[1:] {
		if outer := &e.lines[i]; outer.new && (shallower(m[i], e.place) && e.lines[i+1].has ||
			i > 0 && shallower(text.Margin(e.Replace[i].Text), text.Margin(l.Text)) && !shallower(m[i], m[i+1])) {
			return false
		}
	}
	return true
}
