package indent

import (
	"bytes"
	"slices"
)

// side is whose margins REPLACE goes by.
type side int

const (
	neither side = iota
	search
	file
)

// follows tells whose margins REPLACE goes by. Lines that it has at the file's margin and not at SEARCH's may have been indented so by
// the edit: they show that it goes by the file only where none goes by SEARCH. If REPLACE begins at another depth than SEARCH, or its
// outermost line is at another, most lines decide; but if only one of the two is, no line may be kept at SEARCH's margin.
func (b *Block) follows(written, translated Margins) side {
	bySearch, byFile, kept := 0, 0, false
	for i, l := range b.Replace {
		p, ok := b.pair(l.For)
		if !ok {
			continue
		}
		weight := 2
		if l.Edge {
			weight = 1
		}
		switch s, f := bytes.Equal(translated[i], p.File), bytes.Equal(written[i], p.File); {
		case s && !f:
			bySearch += weight
			kept = kept || l.Same
		case f && !s:
			byFile += weight
		}
	}
	begins := bytes.Equal(written[0], b.Search[0])
	encloses := bytes.Equal(outermost(written), outermost(b.Search))
	switch {
	case byFile > 0 && bySearch == 0:
		return file
	case begins && encloses, (begins || encloses) && kept, byFile < bySearch:
		return search
	case byFile > bySearch:
		return file
	}
	return neither
}

// atPlace counts whether the first and the outermost line of REPLACE are as deep as those of the place.
func (b *Block) atPlace(m Margins) int {
	n := 0
	if bytes.Equal(m[0], b.Pairs[0].File) {
		n++
	}
	if bytes.Equal(outermost(m), b.outermost()) {
		n++
	}
	return n
}

// outermost is the margin of the place's outermost line.
func (b *Block) outermost() []byte {
	return slices.MinFunc(b.Pairs, func(p, q Pair) int { return len(p.File) - len(q.File) }).File
}

// outermost is the shortest of some margins.
func outermost(margins [][]byte) []byte {
	return slices.MinFunc(margins, func(a, b []byte) int { return len(a) - len(b) })
}

// pair is what SEARCH line i is paired with.
func (b *Block) pair(i int) (Pair, bool) {
	at, ok := slices.BinarySearchFunc(b.Pairs, i, func(p Pair, i int) int { return p.Line - i })
	if !ok {
		return Pair{}, false
	}
	return b.Pairs[at], true
}

// unmoved counts the lines of REPLACE that are where their counterparts are, those aside that the edit itself indents otherwise.
func (b *Block) unmoved(m Margins) int {
	odd, isOdd := b.odd()
	return b.count(m, func(l Line, p Pair) bool {
		return !l.Same || bytes.Equal(Of(l.Text), p.Search) || isOdd && !b.Alone && p.Line == odd.Line
	})
}

// level counts all lines of REPLACE that are where their counterparts are.
func (b *Block) level(m Margins) int {
	return b.count(m, func(Line, Pair) bool { return true })
}

func (b *Block) count(m Margins, counts func(Line, Pair) bool) int {
	n := 0
	for i, l := range b.Replace {
		if p, ok := b.pair(l.For); ok && counts(l, p) && bytes.Equal(m[i], p.File) {
			n++
		}
	}
	return n
}

// inside is 0 if a line is shallower than the outermost one of the place, else 1.
func (b *Block) inside(m Margins) int {
	out := b.outermost()
	if slices.ContainsFunc(m, func(margin []byte) bool { return shallower(margin, out) }) {
		return 0
	}
	return 1
}

// opened rates how deep the lines are behind those that open a block: by one unit, at least deeper, or not.
func (b *Block) opened(m Margins) int {
	n := 0
	for i := 1; i < len(m); i++ {
		outer, inner := m[i-1], m[i]
		switch {
		case !opens(b.Replace[i-1].Text) || !shallower(outer, inner):
		case bytes.Equal(inner[len(outer):], b.Unit()):
			n += 2
		default:
			n++
		}
	}
	return n
}
