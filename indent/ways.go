package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// way is one way to read the margins of REPLACE.
type way struct {
	margins Margins
	// unlikely is the general evidence against the way; see [evidence.against].
	unlikely int
}

// ways returns the ways to read REPLACE's margins, and how unlikely each is in general:
//
//   - as text, if only its first line may have been trimmed;
//   - by SEARCH's map, see [Map], without a line that alone disagrees with the others: that line
//     only says where its own replacement goes;
//   - as written;
//   - by the map of all lines;
//   - by the file's levels, which may be of another size;
//   - from its base: the first line goes where the place begins, the others are relative to it;
//   - by SEARCH's map, except for the first line, if only that may have kept its margin.
//
// At most one of the first and the last way is possible.
func (b *Block) ways(e *evidence) []way {
	all := Learn(b.Pairs, b.Step)
	own := text.Margin(b.Replace[0].Text)
	mapped := b.translated(all)
	trimmed, kept := 1, 1 // how unlikely it is that the first line alone lost, or kept, its margin
	if len(own) > 0 && !bytes.Equal(own, b.Pairs[0].Search) {
		trimmed = 3
	}
	if odd, ok := b.odd(); ok {
		if len(b.Pairs) > 1 {
			mapped = b.except(odd)
		}
		if odd.Line == b.Pairs[0].Line && bytes.Equal(own, odd.Search) {
			trimmed = 0
		}
	}
	if b.Alone {
		kept = 3
	}
	first := func(m Margins) Margins { return slices.Concat(Margins{e.home}, m[1:]) }
	out := []way{
		{mapped, 0},
		{b.written(), 0},
		{b.translated(all), 2},
		{b.leveled(), 1},
		{b.rebased(), 3},
	}
	switch {
	case shallower(own, e.home) && !(len(own) > 0 && bytes.Equal(own, b.Pairs[0].Search) && b.shifted()):
		out = append([]way{{first(b.written()), trimmed}}, out...)
	case bytes.Equal(own, e.home) && !b.opensLevel():
		out = append(out, way{first(mapped), kept})
	}
	return out
}

// shifted reports whether SEARCH's first two lines are both deeper or both shallower in the file by
// the same amount.
func (b *Block) shifted() bool {
	return len(b.Pairs) > 1 && b.Pairs[0].shift() != 0 && b.Pairs[0].shiftedAs(b.Pairs[1])
}

// written returns REPLACE's own margins.
func (b *Block) written() Margins {
	out := make(Margins, len(b.Replace))
	for i, l := range b.Replace {
		out[i] = text.Margin(l.Text)
	}
	return out
}

// translated returns the margins that a map gives. Kept lines have the file's margins.
func (b *Block) translated(m *Map) Margins {
	out := make(Margins, len(b.Replace))
	for i, l := range b.Replace {
		if p, ok := b.pair(l.Near); ok && l.Kept {
			out[i] = p.File
		} else {
			out[i] = m.Apply(text.Margin(l.Text), l.Near)
		}
	}
	return out
}

// leveled returns margins made of the file's levels, for a block that has levels of another size:
// if SEARCH uses 2 spaces for a level and the file 4, a line of REPLACE with 6 spaces gets 12. The
// levels are counted from column 0 or else from the first line of SEARCH that isn't odd. Kept
// lines, and all lines if the size of a level isn't known, have the margins by SEARCH's map.
func (b *Block) leveled() Margins {
	out := b.translated(Learn(b.Pairs, b.Step))
	level := b.Unit()
	base := b.Pairs[0]
	if odd, ok := b.odd(); ok && odd.Line == base.Line && len(b.Pairs) > 1 {
		base = b.Pairs[1]
	}
	from, ok := b.depth(base.Search)
	if !ok || len(level) == 0 {
		return out
	}
	if len(base.File) == from*len(level) { // both sides agree on its depth: count from column 0
		base, from = Pair{}, 0
	}
	for i, l := range b.Replace {
		n, ok := b.depth(text.Margin(l.Text))
		switch n -= from; {
		case l.Kept || !ok:
		case n >= 0:
			out[i] = slices.Concat(base.File, bytes.Repeat(level, n))
		default:
			out[i] = base.File[:max(0, len(base.File)+n*len(level))]
		}
	}
	return out
}

// depth returns how many levels of the block a margin has. ok is false if that isn't known.
func (b *Block) depth(margin []byte) (n int, ok bool) {
	switch char, n, pure := unit(margin); {
	case pure && (n == 0 || char == '\t'):
		return n, true
	case pure && b.Step > 0 && n%b.Step == 0:
		return n / b.Step, true
	}
	return 0, false
}

// rebased returns margins that put REPLACE's first line at the depth of the file line that is
// paired first, or at its own depth in the file if the line stays, and the other lines relative to
// it.
func (b *Block) rebased() Margins {
	first, base := b.Replace[0], b.Pairs[0].File
	if p, ok := b.pair(first.Near); ok && first.Kept {
		base = p.File
	}
	return b.translated(Learn([]Pair{{Search: text.Margin(first.Text), File: base}}, b.Step))
}

// except returns the margins by the map without the odd line (see odd). A line that replaces the
// odd line and has its margin in SEARCH gets the odd line's margin in the file.
func (b *Block) except(odd Pair) Margins {
	others := slices.Clone(b.Pairs)
	others = slices.DeleteFunc(others, func(p Pair) bool { return p.Line == odd.Line })
	out := b.translated(Learn(others, b.Step))
	for i, l := range b.Replace {
		if l.For == odd.Line && !l.Weak && bytes.Equal(text.Margin(l.Text), odd.Search) {
			out[i] = odd.File
		}
	}
	return out
}

// opensLevel reports whether REPLACE's first line opens a block and the next one is a level deeper.
// If so, the first line isn't the only one that kept its margin.
func (b *Block) opensLevel() bool {
	if len(b.Replace) < 2 || !Opens(b.Replace[0].Text) {
		return false
	}
	outer, inner := text.Margin(b.Replace[0].Text), text.Margin(b.Replace[1].Text)
	return shallower(outer, inner) && bytes.Equal(inner[len(outer):], b.Unit())
}
