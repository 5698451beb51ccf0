package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// ways are the margins that REPLACE may mean if it goes by SEARCH's. Of ways that are equally good the first is to be taken.
// translated are the margins by all pairs alike.
func (b *Block) ways(translated Margins) []Margins {
	odd, ok := b.odd()
	switch {
	case ok:
	case slices.ContainsFunc(b.Pairs, func(p Pair) bool { return !p.shiftedAs(b.Pairs[0]) }):
		return []Margins{translated, b.translated(Learn(b.Pairs[:1], b.Step))} // the same shift for all
	default:
		return []Margins{translated}
	}
	based := b.translated(Learn([]Pair{odd}, b.Step))
	rest := Learn(slices.DeleteFunc(slices.Clone(b.Pairs), func(p Pair) bool { return p.Line == odd.Line }), b.Step)
	switch {
	case b.Alone:
		return []Margins{b.asText(odd, rest), based}
	case odd.Line == b.Pairs[0].Line:
		return []Margins{b.asText(odd, rest), based, b.firstBent(odd, rest), b.translated(rest), translated}
	}
	return []Margins{b.except(odd, rest)}
}

// written are REPLACE's own margins.
func (b *Block) written() Margins {
	out := make(Margins, len(b.Replace))
	for i, l := range b.Replace {
		out[i] = text.Margin(l.Text)
	}
	return out
}

// translated are the margins by a map.
func (b *Block) translated(m *Map) Margins {
	out := make(Margins, len(b.Replace))
	for i, l := range b.Replace {
		out[i] = m.Apply(text.Margin(l.Text), l.Near)
	}
	return out
}

// rebased are the margins that put REPLACE's first line where the place begins, the others relative to it.
func (b *Block) rebased() Margins {
	return b.translated(Learn([]Pair{{Search: text.Margin(b.Replace[0].Text), File: b.Pairs[0].File}}, b.Step))
}

// except are the margins by rest, except for lines that are bent as the odd one is: they replace it, or follow such a line, and have
// its margin. They get that of the file. Where the edit re-indents all other lines, REPLACE is not bent.
func (b *Block) except(odd Pair, rest *Map) Margins {
	out := b.translated(rest)
	if b.reindents(odd) {
		return out
	}
	// own: no other line of SEARCH has the odd one's margin.
	own := !slices.ContainsFunc(b.Pairs, func(p Pair) bool { return p.Line != odd.Line && bytes.Equal(p.Search, odd.Search) })
	bent := false // the line before is bent as the odd one is
	for i, l := range b.Replace {
		switch {
		case !bytes.Equal(text.Margin(l.Text), odd.Search):
			bent = false
		case l.For == odd.Line:
			bent = own || !l.Edge
		default:
			bent = own && (bent && l.For < 0 || lost(odd) && len(b.Pairs) == 2)
		}
		if bent {
			out[i] = odd.File
		}
	}
	return out
}

// firstBent are the margins by rest, except for the first line, which is shifted as the odd first line of SEARCH is: it belongs
// where that one is, or, if it is another line of SEARCH and not inside the first one, where that line is.
func (b *Block) firstBent(odd Pair, rest *Map) Margins {
	out := b.translated(rest)
	first := b.Replace[0]
	own := text.Margin(first.Text)
	if lost(odd) && !bytes.Equal(own, odd.Search) {
		return out // REPLACE has its margin
	}
	if p, ok := b.pair(first.For); ok && first.Same && lost(odd) && !b.Opens {
		out[0] = p.File
	} else {
		out[0] = Learn([]Pair{odd}, b.Step).Apply(own, odd.Line)
	}
	return out
}

// asText are those of firstBent, where lines near the first that have as little of a margin left as it has come with it.
func (b *Block) asText(odd Pair, rest *Map) Margins {
	out := b.firstBent(odd, rest)
	if !lost(odd) || !bytes.Equal(text.Margin(b.Replace[0].Text), odd.Search) {
		return out
	}
	all := Learn(b.Pairs, b.Step)
	for i, l := range b.Replace[1:] {
		own := text.Margin(l.Text)
		p, ok := all.nearest(l.Near, func(p Pair) bool { return bytes.Equal(p.Search, own) })
		if ok && p.Line == odd.Line {
			out[i+1] = odd.File
		}
	}
	return out
}

// lost reports whether a line lacks the begin of its margin in SEARCH.
func lost(p Pair) bool { return len(p.Search) < len(p.File) }

// equal reports whether two ways write the same: of lines that stay the file's it does not matter.
func (b *Block) equal(v, w Margins) bool {
	for i, l := range b.Replace {
		if !l.Kept && !bytes.Equal(v[i], w[i]) {
			return false
		}
	}
	return true
}
