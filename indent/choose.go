package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// Block is what is known about the indentation of a block and its place in the file.
type Block struct {
	// Pairs are the aligned lines that aren't blank, in ascending order.
	Pairs []Pair
	// Search holds the margins of all nonblank lines of SEARCH, in order. Replace holds the
	// nonblank lines of REPLACE.
	Search  [][]byte
	Replace []Line
	// Step is the step passed to [Learn].
	Step int
	// Alone is set if SEARCH has only one line, whose text occurs in the file up to the end of a
	// line.
	Alone bool
	// Unit returns the text that one level adds to a margin in the file, or nothing if it's
	// unknown.
	Unit func() []byte
}

// Line is a nonblank line of REPLACE.
type Line struct {
	Text []byte // with its margin
	Near int    // the SEARCH line that its margin is based on, 0-based
	// Apart is set if a blank line precedes the line.
	Apart bool
	// For is the SEARCH line that the line replaces or keeps, or -1. Same is set if the two lines
	// are equal, ignoring blanks at their ends.
	For  int
	Same bool
	// Kept is set if the line equals a SEARCH line, including the margin, so the file's line stays.
	Kept bool
	// Weak is set if the two lines may not correspond, because they are only the first lines of a
	// change or have only brackets in common.
	Weak bool
}

// Margins are the margins of REPLACE's lines in the file, one for each of [Block.Replace].
type Margins [][]byte

// Choice says how REPLACE is indented in the file.
type Choice struct {
	// Margins are the chosen margins, or nil if REPLACE is used as it's written.
	Margins Margins
	// Rival holds other margins that are equally likely. It's nil if the choice is certain.
	Rival Margins
	// ByFile is set if REPLACE already has the file's margins and only SEARCH has lost them.
	ByFile bool
}

// Choose decides how REPLACE is indented in the file.
//
// When models copy text, they may lose the margins of the whole block, of one side, of the first
// line (if the text was trimmed), or of a single line. A loss on one side says little about the
// other side, but it's visible in the result. So all ways to read REPLACE are tried (see
// [Block.ways]), and the one with the least evidence against it is chosen (see [evidence.against]).
// Ways that are equally good but give different bytes are rivals. A way that starts from REPLACE's
// first line is also a rival, and so is one that takes lines out of a block that contains them in
// REPLACE. If SEARCH and the file agree, REPLACE is used as it's written.
func (b *Block) Choose() Choice {
	if Learn(b.Pairs, b.Step).Identity() || len(b.Replace) == 0 {
		return Choice{}
	}
	if b.flat() { // both sides have lost all their levels
		margins, rival := b.levels()
		return Choice{Margins: margins, Rival: rival}
	}
	// The margin of a single line proves nothing if no line of SEARCH or the file has it.
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

// isKnown reports whether one of the pairs has the given margin, in SEARCH or in the file.
func (b *Block) isKnown(margin []byte) bool {
	return slices.ContainsFunc(b.Pairs, func(p Pair) bool {
		return bytes.Equal(margin, p.Search) || bytes.Equal(margin, p.File)
	})
}

// pair returns the pair of SEARCH line i. ok is false if there is none, in particular if i is -1.
func (b *Block) pair(i int) (p Pair, ok bool) {
	at, ok := slices.BinarySearchFunc(b.Pairs, i, func(p Pair, i int) int { return p.Line - i })
	if !ok {
		return Pair{}, false
	}
	return b.Pairs[at], true
}
