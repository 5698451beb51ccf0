package indent

import (
	"bytes"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// flat reports whether both sides of the block have lost their levels: all lines of both sides have
// the same margin, although the file has several levels there. In column 0, it's enough that a line
// of REPLACE opens a level.
func (b *Block) flat() bool {
	if len(b.Replace) < 2 {
		return false
	}
	one := b.Search[0]
	if slices.ContainsFunc(b.Search, func(m []byte) bool { return !bytes.Equal(m, one) }) ||
		slices.ContainsFunc(b.Replace, func(l Line) bool { return !bytes.Equal(text.Margin(l.Text), one) }) {
		return false
	}
	if slices.ContainsFunc(b.Pairs, func(p Pair) bool { return !bytes.Equal(p.File, b.Pairs[0].File) }) {
		return true
	}
	for i, l := range b.Replace[1:] {
		above := b.Replace[i]
		_, ok := b.known(i + 1)
		asInFile := ok && b.opened(above) // there, the line below isn't deeper, either
		if len(one) == 0 && Opens(above.Text) && !asInFile && !closes(l.Text) {
			return true
		}
	}
	return false
}

// opened reports whether l keeps or replaces a line that opened a block.
func (b *Block) opened(l Line) bool {
	p, ok := b.pair(l.For)
	return ok && p.Opens && (l.Same || !l.Weak)
}

// closes reports whether line begins with text that closes a block.
func closes(line []byte) bool {
	t := bytes.TrimSpace(line)
	return len(t) > 0 && bytes.IndexByte([]byte("})]"), t[0]) >= 0
}

// changed reports whether l keeps or replaces exactly one SEARCH line.
func (b *Block) changed(l Line) bool {
	_, ok := b.pair(l.For)
	return ok && !l.Weak
}

// levels returns the margins of a flat block. Lines that are in SEARCH, or that replace SEARCH
// lines one by one, get the margins that those lines have in the file. Other lines get the depth of
// their neighbours if that leaves only one choice. Otherwise rival has the second choice. rival is
// nil if all margins are certain.
func (b *Block) levels() (margins, rival Margins) {
	margins, rival = make(Margins, len(b.Replace)), make(Margins, len(b.Replace))
	sure := true
	outermost := b.outermost()
	for i := range b.Replace {
		if p, ok := b.known(i); ok {
			margins[i], rival[i] = p.File, p.File
		}
	}
	for first, end := range b.newLines() {
		gone := b.gone(first, end)
		lineForLine := len(gone) == end-first
		var here, other []byte
		if !lineForLine {
			here, other = b.newMargin(first, end, gone, outermost)
		}
		for k := first; k < end; k++ {
			switch {
			case lineForLine:
				margins[k], rival[k] = gone[k-first].File, gone[k-first].File
			case other != nil:
				margins[k], rival[k], sure = here, other, false
			default:
				margins[k], rival[k] = here, here
			}
		}
	}
	for i, l := range b.Replace[1:] {
		above := b.Replace[i]
		// Below a line that newly opens a level, a line that isn't deeper is doubtful.
		if Opens(above.Text) && !b.opened(above) && !shallower(margins[i], margins[i+1]) &&
			!closes(l.Text) {
			rival[i+1], sure = slices.Concat(margins[i], b.Unit()), false
		}
	}
	if sure {
		rival = nil
	}
	return margins, rival
}

// newLines yields each run of REPLACE lines with unknown margins, as the first line and the
// exclusive end.
func (b *Block) newLines() iter.Seq2[int, int] {
	return func(yield func(first, end int) bool) {
		for first := 0; first < len(b.Replace); first++ {
			end := first
			for ; end < len(b.Replace); end++ {
				if _, ok := b.known(end); ok {
					break
				}
			}
			if end > first && !yield(first, end) {
				return
			}
			first = end
		}
	}
}

// known returns the pair that determines the margin of line i of REPLACE: that of the SEARCH line
// that it keeps or replaces. ok is false if there is none, or if i is out of range.
func (b *Block) known(i int) (p Pair, ok bool) {
	if i < 0 || i >= len(b.Replace) || !b.Replace[i].Same && !b.changed(b.Replace[i]) {
		return Pair{}, false
	}
	return b.pair(b.Replace[i].For)
}

// gone returns the pairs of the lines that REPLACE's lines first to end-1 replace: those between
// the counterparts of lines first-1 and end.
func (b *Block) gone(first, end int) []Pair {
	low, high := -1, b.Pairs[len(b.Pairs)-1].Line+1
	if p, ok := b.known(first - 1); ok {
		low = p.Line
	}
	if p, ok := b.known(end); ok {
		high = p.Line
	}
	at := func(line int) int {
		i, _ := slices.BinarySearchFunc(b.Pairs, line, func(p Pair, line int) int { return p.Line - line })
		return i
	}
	return b.Pairs[at(low+1):max(at(low+1), at(high))]
}

// newMargin returns the margin of REPLACE's lines first to end-1, which replace the lines of gone,
// a different number. other is an equally likely margin, or nil. outermost is the margin of the
// outermost file line in a pair.
func (b *Block) newMargin(first, end int, gone []Pair, outermost []byte) (margin, other []byte) {
	deeper := func(m []byte) []byte { return slices.Concat(m, b.Unit()) }
	above, hasAbove := b.known(first - 1)
	below, hasBelow := b.known(end)
	opens := hasAbove && Opens(b.Replace[first-1].Text)
	margin = outermost
	isOther := func(l Line) bool { return !bytes.Equal(l.Text, b.Replace[first-1].Text) }
	switch {
	case hasAbove && !slices.ContainsFunc(b.Replace[first:end], isOther):
		return above.File, nil // a repetition of the line above
	case len(gone) > 0:
		margin = gone[0].File
		if i := slices.IndexFunc(gone, func(p Pair) bool { return !bytes.Equal(p.File, margin) }); i >= 0 {
			return margin, gone[i].File
		}
	case hasAbove && hasBelow && !opens && bytes.Equal(above.File, below.File),
		hasAbove && hasBelow && opens && shallower(above.File, below.File):
		margin = below.File // between two equally deep lines, or at the beginning of a block
	case hasAbove && hasBelow && !bytes.Equal(above.File, below.File):
		return above.File, below.File
	case hasAbove && opens: // alone in a new block, or after an empty one
		return deeper(above.File), above.File
	case hasAbove && !bytes.Equal(above.File, outermost):
		return above.File, outermost // at the end, inside the block above or after it
	case hasAbove:
		margin = above.File
	case hasBelow:
		margin = below.File
	}
	if slices.ContainsFunc(b.Replace[first:end], func(l Line) bool { return Opens(l.Text) }) {
		return margin, deeper(margin) // some of the lines may be inside the new block
	}
	return margin, nil
}
