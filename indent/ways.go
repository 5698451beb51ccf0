package indent

import (
	"bytes"
	"slices"
)

// ways are the margins that REPLACE may mean if it goes by SEARCH's, translated being those by all pairs alike; of ways as good as
// each other the first is to be taken.
func (b *Block) ways(translated Margins) []Margins {
	odd, ok := b.odd()
	if !ok {
		return []Margins{translated}
	}
	based := b.translated(Learn([]Pair{odd}, b.Step))
	rest := Learn(slices.DeleteFunc(slices.Clone(b.Pairs), func(p Pair) bool { return p.Line == odd.Line }), b.Step)
	switch {
	case b.Alone:
		return []Margins{b.firstBent(odd, rest, true), based}
	case odd.Line == b.Pairs[0].Line:
		return []Margins{b.firstBent(odd, rest, true), based, b.firstBent(odd, rest, false), b.translated(rest), translated}
	}
	return []Margins{b.except(odd, rest)}
}

// written are REPLACE's own margins.
func (b *Block) written() Margins {
	out := make(Margins, len(b.Replace))
	for i, l := range b.Replace {
		out[i] = Of(l.Text)
	}
	return out
}

// translated are the margins by a map.
func (b *Block) translated(m *Map) Margins {
	out := make(Margins, len(b.Replace))
	for i, l := range b.Replace {
		out[i] = m.Apply(Of(l.Text), l.Near)
	}
	return out
}

// rebased are the margins that put REPLACE's first line where the place begins, the others relative to it.
func (b *Block) rebased() Margins {
	return b.translated(Learn([]Pair{{Search: Of(b.Replace[0].Text), File: b.Pairs[0].File}}, b.Step))
}

// except are the margins by rest, but for the lines in the place of the odd one that are bent as it is.
func (b *Block) except(odd Pair, rest *Map) Margins {
	out := b.translated(rest)
	for i, l := range b.Replace {
		if l.For == odd.Line && !l.Edge && bytes.Equal(Of(l.Text), odd.Search) {
			out[i] = odd.File
		}
	}
	return out
}

// firstBent are the margins by rest, but for the first line, which goes by the odd first line of SEARCH, and if others do, too,
// those that have as little of a margin left as it has.
func (b *Block) firstBent(odd Pair, rest *Map, others bool) Margins {
	out := b.translated(rest)
	lost := len(odd.Search) < len(odd.File)
	for i, l := range b.Replace {
		if lost && others && bytes.Equal(Of(l.Text), odd.Search) {
			out[i] = odd.File
		}
	}
	if own := Of(b.Replace[0].Text); !lost || bytes.Equal(own, odd.Search) {
		out[0] = Learn([]Pair{odd}, b.Step).Apply(own, odd.Line)
	}
	return out
}

func (m Margins) equal(o Margins) bool { return slices.EqualFunc(m, o, bytes.Equal) }
