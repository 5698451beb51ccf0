package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// way is one that REPLACE may be meant.
type way struct {
	margins Margins
	// unlikely is how much speaks against the way before anything is known of the block, see [evidence.against].
	unlikely int
}

// ways are those that REPLACE may be meant, and how unlikely each is by itself:
//
//   - as text: its first line alone was trimmed, as that of SEARCH may have been;
//   - by SEARCH's map, see [Map], from which a line that alone disagrees with the others is left out: it was bent by itself, and
//     speaks only for what replaces it;
//   - as written;
//   - by SEARCH's map, except for a first line that alone kept its margin; a SEARCH of one line shows nothing of the kind;
//   - by the map of all lines;
//   - in units of the file, counted from column 0;
//   - from its base: the first line is where the place begins, the others are relative to it.
func (b *Block) ways(e *evidence) []way {
	all := Learn(b.Pairs, b.Step)
	mapped, trimmed, kept := b.translated(all), 1, 1
	if odd, ok := b.odd(); ok {
		if len(b.Pairs) > 1 {
			mapped = b.except(odd)
		}
		if odd.Line == b.Pairs[0].Line {
			trimmed = 0
		}
	}
	if b.Alone {
		kept = 3
	}
	first := func(m Margins) Margins { return slices.Concat(Margins{e.home}, m[1:]) }
	origin := slices.Concat([]Pair{{Line: -1}}, b.Pairs)
	return []way{
		{first(b.written()), trimmed},
		{mapped, 0},
		{b.written(), 0},
		{first(mapped), kept},
		{b.translated(all), 2},
		{b.translated(Learn(origin, b.Step)), 1},
		{b.rebased(), 3},
	}
}

// written are REPLACE's own margins.
func (b *Block) written() Margins {
	out := make(Margins, len(b.Replace))
	for i, l := range b.Replace {
		out[i] = text.Margin(l.Text)
	}
	return out
}

// translated are the margins by a map. Lines that stay the file's have those of the file.
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

// rebased are the margins that put REPLACE's first line where the place begins, the others relative to it.
func (b *Block) rebased() Margins {
	return b.translated(Learn([]Pair{{Search: text.Margin(b.Replace[0].Text), File: b.Pairs[0].File}}, b.Step))
}

// except are the margins by the map without the odd line. What replaces that line and is bent alike gets its margin in the file.
func (b *Block) except(odd Pair) Margins {
	out := b.translated(Learn(slices.DeleteFunc(slices.Clone(b.Pairs), func(p Pair) bool { return p.Line == odd.Line }), b.Step))
	for i, l := range b.Replace {
		if l.For == odd.Line && !l.Weak && bytes.Equal(text.Margin(l.Text), odd.Search) {
			out[i] = odd.File
		}
	}
	return out
}
