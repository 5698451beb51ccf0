package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// evidence holds the information that a block gives about its lines, however they are indented.
type evidence struct {
	*Block
	// place is the margin of the outermost line of the place. home is the margin of the line where
	// REPLACE begins.
	place, home []byte
	// blank and tab are set if the file's margins use spaces or tabs.
	blank, tab bool
	lines      []lineFacts
	// shifts is set if the edit only changes margins.
	shifts bool
}

// lineFacts holds what is known about a line of REPLACE.
type lineFacts struct {
	// at is the pair of the line's counterpart: the SEARCH line that it keeps or replaces. has is
	// set if there is one.
	at  Pair
	has bool
	// opens is set if the line opens a block, and new if its counterpart doesn't open one.
	opens, new bool
	// unwrapped is set if a block that enclosed the line is gone.
	unwrapped bool
	// opener is the line of REPLACE that opens the block around the line's counterpart, or -1.
	opener int
	// bent is set if the line has its counterpart's margin in SEARCH but not the one in the file.
	bent bool
}

// evidence returns what is known about the lines of the block.
func (b *Block) evidence() *evidence {
	e := &evidence{Block: b, home: b.Pairs[0].File, place: b.outermost()}
	e.lines = make([]lineFacts, len(b.Replace))
	for _, p := range b.Pairs {
		e.blank = e.blank || bytes.IndexByte(p.File, ' ') >= 0
		e.tab = e.tab || bytes.IndexByte(p.File, '\t') >= 0
	}
	if p, ok := b.pair(b.Replace[0].For); ok && !b.Replace[0].Weak {
		e.home = p.File // REPLACE begins at the counterpart of its first line
	}
	opens := map[int]int{} // the line of REPLACE for each SEARCH line that still opens a block
	for i, l := range b.Replace {
		t := &e.lines[i]
		t.at, t.has = b.pair(l.For)
		t.opens = Opens(l.Text)
		t.new = t.opens && !l.Same && !b.opened(l)
		t.bent = t.has && !bytes.Equal(t.at.Search, t.at.File) && bytes.Equal(text.Margin(l.Text), t.at.Search)
		if t.opens || l.Same {
			opens[l.For] = i
		}
	}
	// shifts: all lines are those of SEARCH, so the edit only changes margins.
	e.shifts = len(b.Replace) == len(b.Search) &&
		!slices.ContainsFunc(b.Replace, func(l Line) bool { return !l.Same }) &&
		slices.ContainsFunc(e.lines, func(t lineFacts) bool { return t.bent })
	outer := b.outer()
	odd, isOdd := b.odd()
	for i, l := range b.Replace {
		t := &e.lines[i]
		t.opener = -1
		if !t.has || l.Weak && !l.Same || isOdd && l.Kept && l.For == odd.Line {
			continue // a line that alone has a wrong margin on both sides didn't move
		}
		// Each line that opened a block around the counterpart still does, or it's gone.
		for line, ok := outer[t.at.Line]; ok; line, ok = outer[line] {
			at, still := opens[line]
			if !still {
				t.unwrapped = true
			} else if t.opener < 0 {
				t.opener = at
			}
		}
	}
	return e
}

// outermost returns the shortest margin that a pair has in the file.
func (b *Block) outermost() []byte {
	return slices.MinFunc(b.Pairs, func(p, q Pair) int { return len(p.File) - len(q.File) }).File
}

// outer maps each line of SEARCH that is in a block in the file to the SEARCH line that opens the
// innermost such block.
func (b *Block) outer() map[int]int {
	out := map[int]int{}
	var around []Pair // the lines that enclose the current one, outermost first
	for _, p := range b.Pairs {
		for len(around) > 0 && !shallower(around[len(around)-1].File, p.File) {
			around = around[:len(around)-1]
		}
		for i := len(around) - 1; i >= 0; i-- {
			if around[i].Opens {
				out[p.Line] = around[i].Line
				break
			}
		}
		around = append(around, p)
	}
	return out
}

// against returns how much evidence there is against these margins for REPLACE. The strongest
// evidence is a line that keeps or replaces a line of the file at a different depth, unless the
// edit moves it into a new block or out of a deleted one. Next come lines whose relative depths
// differ from those in REPLACE, except for its first line, which is often copied without its
// margin. Next come lines that an editor wouldn't produce: a line that is deeper than the one above
// for no reason, a line outside the place, a line indented with characters that the place doesn't
// use, and finally a line between the file's levels.
//
// The numbers only rank the evidence. Any others in the same order would work.
func (e *evidence) against(m Margins) int {
	n := 0
	outside := false
	var around []int // the lines that enclose the current one, outermost first
	for i, l := range e.Replace {
		t := &e.lines[i]
		for len(around) > 0 && !shallower(m[around[len(around)-1]], m[i]) {
			around = around[:len(around)-1]
		}
		wrapped := slices.ContainsFunc(around, func(k int) bool { return e.lines[k].new })
		around = append(around, i)
		// A single line may be followed by a new block outside of the one that it's in.
		outside = outside || shallower(m[i], e.place) && !(e.Alone && t.new && l.Apart)
		n += e.againstMove(m, i, wrapped)
		if !e.blank && bytes.IndexByte(m[i], ' ') >= 0 || !e.tab && bytes.IndexByte(m[i], '\t') >= 0 {
			n += 2
		}
		switch {
		case e.shifts: // the edit only changes margins, so any step may be meant
		case i > 0:
			n += e.againstStep(m, i)
		case shallower(e.Pairs[0].File, m[0]):
			n += 2 // deeper than the first line of the place
		}
	}
	if outside && !e.shifts {
		n += 2
	}
	return n
}

// againstMove returns how much evidence there is against the margin of line i because its
// counterpart has a different one in the file: 0, 1 or 4. wrapped is set if a new line encloses the
// line. If the edit only changes margins, only lines that keep SEARCH's margin count (bent).
func (e *evidence) againstMove(m Margins, i int, wrapped bool) int {
	t := &e.lines[i]
	moved := len(m[i]) - len(t.at.File)
	switch {
	case !t.has || bytes.Equal(m[i], t.at.File) || e.shifts && !t.bent:
		return 0
	case wrapped && moved > 0 || t.unwrapped && moved < 0:
		return 0 // the edit moves the line into a new block or out of a deleted one
	case e.Replace[i].Weak, moved < 0 && t.opener >= 0 && t.opener < i && !shallower(m[t.opener], m[i]):
		return 1 // the edit may have moved the line out of the block
	}
	return 4
}

// againstStep returns how much evidence there is against the step from the margin of the line above
// to that of line i, which must be at least 1: a step that an editor wouldn't produce, or another
// one than in REPLACE.
func (e *evidence) againstStep(m Margins, i int) int {
	n := 0
	above, below := &e.lines[i-1], &e.lines[i]
	before, own := text.Margin(e.Replace[i-1].Text), text.Margin(e.Replace[i].Text)
	was, deeper := shallower(before, own), shallower(m[i-1], m[i])
	asInFile := above.has && below.has && !above.new && bytes.Equal(m[i-1], above.at.File) &&
		bytes.Equal(m[i], below.at.File)
	switch {
	case asInFile:
	case above.opens && was && !deeper:
		n += 3 // no longer inside the block
	case above.opens && deeper && !bytes.Equal(m[i][len(m[i-1]):], e.Unit()):
		n++ // not one level deeper
	case !above.opens && deeper && (i == 1 && !e.Alone || !was):
		n += 2 // deeper for no reason
	}
	// The first line is often copied without its margin, so only steps between others must agree.
	sameKind := Pair{Search: own, File: before}.sameKind()
	if i > 1 && !above.bent && !below.bent && sameKind &&
		(was != deeper || shallower(own, before) != shallower(m[i], m[i-1])) {
		n += 3
	}
	return n
}

// isSound returns false if these margins damage a new block: a line below its first line is inside
// it in REPLACE, but not with these margins, or the line has a counterpart, but the block begins
// outside of the place. REPLACE's own first line may lack its margin, so it proves only the latter.
func (e *evidence) isSound(m Margins) bool {
	for i, l := range e.Replace[1:] {
		if !e.lines[i].new {
			continue
		}
		outside := shallower(m[i], e.place) && e.lines[i+1].has
		inside := i > 0 && shallower(text.Margin(e.Replace[i].Text), text.Margin(l.Text))
		if outside || inside && !shallower(m[i], m[i+1]) {
			return false
		}
	}
	return true
}

// takesOut reports whether these margins take lines out of a block although they have the same
// margin in REPLACE as in SEARCH, and the edit deletes more than the line that opens the block. The
// lines may have been meant to stay where they are.
func (e *evidence) takesOut(m Margins) bool {
	for i, l := range e.Replace {
		if t := &e.lines[i]; l.Kept && t.has && t.unwrapped && len(m[i]) < len(t.at.File) {
			return e.dropsAbove(l.For)
		}
	}
	return false
}

// dropsAbove reports whether REPLACE lacks a line above SEARCH line i that doesn't open a block.
func (e *evidence) dropsAbove(i int) bool {
	return slices.ContainsFunc(e.Pairs, func(p Pair) bool {
		return p.Line < i && !p.Opens &&
			!slices.ContainsFunc(e.Replace, func(l Line) bool { return l.For == p.Line && l.Same })
	})
}
