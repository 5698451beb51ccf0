package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// Block is what a block and the file show of indentation, once SEARCH is aligned with the file's
// lines.
type Block struct {
	// Pairs are the aligned lines, ascending; blank ones are left out.
	Pairs []Pair
	// Search are the margins of all lines of SEARCH that are not blank, in order; Replace are
	// REPLACE's such lines.
	Search  [][]byte
	Replace []Line
	// Step is described at [Learn].
	Step int
	// Alone says that SEARCH has one line only, and that it occurs in the file as text up to its
	// line's end.
	Alone bool
	// Unit returns what one level adds to a margin in the file; empty where that is not known.
	Unit func() []byte
}

// Line is a line of REPLACE that is not blank.
type Line struct {
	Text []byte // with its margin
	Near int    // the SEARCH line whose margin it follows, 0-based
	// Apart says that a blank line comes before it.
	Apart bool
	// For is the SEARCH line that it replaces or keeps, -1 if there is none; Same says that the two
	// are equal except for blanks at their ends.
	For  int
	Same bool
	// Kept says that the line is SEARCH's, margin included: it stays the file's.
	Kept bool
	// Weak says that the two may not belong to each other: they are the first lines of a change, or
	// alike as brackets are.
	Weak bool
}

// Margins are the margins of REPLACE's lines in the file, one for each of [Block.Replace].
type Margins [][]byte

// Choice is how REPLACE is indented in the file.
type Choice struct {
	// Margins are nil for as written.
	Margins Margins
	// Rival gives other margins that are as likely; nil where the choice is sound.
	Rival Margins
	// ByFile says that REPLACE has the file's margins, and SEARCH alone lost them.
	ByFile bool
}

// Choose decides how REPLACE is indented in the file.
//
// A model copies from what it was shown and loses margins on the way: those of the whole block, of
// one side alone, of the first line (text that was trimmed), of a single line. What it lost on one
// side says little of the other, but it shows in the result. So all ways that REPLACE may be meant
// are tried, see [Block.ways], and the one is taken that the least speaks against, see
// [evidence.against]. Ways that are as good and write different bytes are rivals, as are the base
// of REPLACE and a way by which lines come out of the block that REPLACE has them in. Where SEARCH
// and the file agree, REPLACE is written as it is.
func (b *Block) Choose() Choice {
	if Learn(b.Pairs, b.Step).Identity() || len(b.Replace) == 0 {
		return Choice{}
	}
	if b.flat() {
		margins, rival := b.levels()
		return Choice{Margins: margins, Rival: rival}
	}
	if len(b.Replace) == 1 && !b.isKnown(text.Margin(b.Replace[0].Text)) {
		return Choice{Margins: b.rebased(), Rival: b.translated(Learn(b.Pairs, b.Step))}
	}
	var best []Margins
	least := 0
	e := b.evidence()
	for _, w := range b.ways(e) {
		doubt := w.unlikely + e.against(w.margins)
		if len(best) == 0 || doubt < least {
			best, least = nil, doubt
		}
		if doubt == least {
			best = append(best, w.margins)
		}
	}
	for _, m := range best[1:] {
		if !slices.EqualFunc(best[0], m, bytes.Equal) {
			return Choice{Margins: best[0], Rival: m}
		}
	}
	switch {
	case !e.isSound(best[0]):
		return Choice{Margins: best[0], Rival: b.rebased()}
	case e.takesOut(best[0]):
		return Choice{Margins: best[0], Rival: b.translated(Learn(b.Pairs, b.Step))}
	}
	margins, rival := b.settle(best[0])
	if rival == nil && slices.EqualFunc(margins, b.written(), bytes.Equal) {
		return Choice{ByFile: true}
	}
	return Choice{Margins: margins, Rival: rival}
}

// isKnown reports whether SEARCH or the place has a line with this margin. The depth of a single
// line shows nothing else.
func (b *Block) isKnown(margin []byte) bool {
	return slices.ContainsFunc(b.Pairs, func(p Pair) bool {
		return bytes.Equal(margin, p.Search) || bytes.Equal(margin, p.File)
	})
}

// pair returns what SEARCH line i is paired with.
func (b *Block) pair(i int) (Pair, bool) {
	at, ok := slices.BinarySearchFunc(b.Pairs, i, func(p Pair, i int) int { return p.Line - i })
	if !ok {
		return Pair{}, false
	}
	return b.Pairs[at], true
}
