package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// Block is what is known about the indentation of a block and its place in the file.
type Block struct {
	// Pairs are the aligned lines, ascending, without blank ones.
	Pairs []Pair
	// Search has the margins of all lines of SEARCH that aren't blank, in order. Replace has the
	// lines of REPLACE that aren't blank.
	Search  [][]byte
	Replace []Line
	// Step is described at [Learn].
	Step int
	// Alone is set if SEARCH has only one line, which occurs in the file as text up to the end of
	// its line.
	Alone bool
	// Unit returns what one level adds to a margin in the file, or nothing if that isn't known.
	Unit func() []byte
}

// Line is a line of REPLACE that is not blank.
type Line struct {
	Text []byte // with its margin
	Near int    // the SEARCH line whose margin it follows, 0-based
	// Apart is set if a blank line comes before it.
	Apart bool
	// For is the SEARCH line that it replaces or keeps, or -1. Same is set if the two are equal,
	// ignoring blanks at their ends.
	For  int
	Same bool
	// Kept is set if the line is SEARCH's, including its margin, so it stays the file's.
	Kept bool
	// Weak is set if the two may not belong together, because they are only the first lines of a
	// change, or only have brackets in common.
	Weak bool
}

// Margins are the margins of REPLACE's lines in the file, one for each of [Block.Replace].
type Margins [][]byte

// Choice is how REPLACE is indented in the file.
type Choice struct {
	// Margins are nil if REPLACE is used as it's written.
	Margins Margins
	// Rival returns other margins that are equally likely. It's nil if the choice is certain.
	Rival Margins
	// ByFile is set if REPLACE already has the file's margins, and only SEARCH had lost them.
	ByFile bool
}

// Choose decides how REPLACE is indented in the file.
//
// Models lose margins when they copy: of the whole block, of one side, of the first line (if the
// text was trimmed), or of a single line. What was lost on one side says little about the other,
// but it shows in the result. So all ways to read REPLACE are tried (see [Block.ways]), and the one
// with the least evidence against it is taken (see [evidence.against]). Ways that are equally good
// but give different bytes are rivals. So are the way that starts from REPLACE's first line, and a
// way that takes lines out of a block that REPLACE has them in. If SEARCH and the file agree,
// REPLACE is used as it's written.
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

// isKnown reports whether SEARCH or the place has a line with this margin. A single line proves
// nothing else about its depth.
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
