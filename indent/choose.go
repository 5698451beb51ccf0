package indent

import (
	"bytes"
	"slices"
)

// Block is what a block and the file show of indentation, once SEARCH is aligned with the file's lines.
type Block struct {
	// Pairs are the aligned lines, ascending; blank ones are left out.
	Pairs []Pair
	// Search are the margins of all lines of SEARCH that are not blank, in order; Replace are REPLACE's such lines.
	Search  [][]byte
	Replace []Line
	// Opens says that SEARCH's first line opens a block, see [Opens].
	Opens bool
	// Step is described at [Learn].
	Step int
	// Alone says that SEARCH has one line only, and that it occurs in the file as text up to its line's end.
	Alone bool
	// Literal says that one of the sides has a literal, whose margins are text.
	Literal bool
	// Unit returns what one level adds to a margin in the file; empty where that is not known.
	Unit func() []byte
}

// Line is a line of REPLACE that is not blank.
type Line struct {
	Text []byte // with its margin
	Near int    // the SEARCH line whose margin it follows, 0-based
	// For is the SEARCH line that it replaces or keeps, -1 if there is none; Same says that the two are equal except for
	// blanks at their ends.
	For  int
	Same bool
	// Kept says that the line is SEARCH's, margin included: it stays the file's.
	Kept bool
	// Edge says that it merely is the first or the outermost of the lines that replace others, as line For is of those.
	Edge bool
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
// A model copies from what it was shown and loses margins on the way: those of the whole block, of SEARCH alone, of the first line
// (text that was trimmed), of a single line. What it lost shows in the lines that both sides have a counterpart for, so the
// rule is: take the way that leaves most lines of REPLACE where their counterparts are in the file.
//
//  1. Where SEARCH and the file agree, REPLACE is written as it is.
//  2. Else it is asked by whose margins REPLACE goes: by how deep it begins and how far out it reaches, then by its other lines. If by
//     the file's, it is written as it is.
//  3. If by SEARCH's, it is translated by what SEARCH and the file pair, see [Map]. A single line that disagrees with
//     the others was bent by itself, and speaks for its own counterpart only. Where that is the first line, REPLACE may
//     have its first line bent alike, or all of its lines go by the first one's depth: their counterparts tell, then what
//     its lines open, then that a line seldom leaves the block around it.
//  4. A SEARCH of one line proves neither. Ways that are as good on all this evidence are rivals.
func (b *Block) Choose() Choice {
	all := Learn(b.Pairs, b.Step)
	if all.Identity() || len(b.Replace) == 0 {
		return Choice{}
	}
	if b.flat() {
		margins, rival := b.levels()
		return Choice{Margins: margins, Rival: rival}
	}
	written, translated := b.written(), b.translated(all)
	ways := b.ways(translated)
	switch b.follows(written) {
	case file:
		return Choice{ByFile: true}
	case neither:
		if b.equal(written, translated) {
			ways = []Margins{written}
		} else if at := best(append([]Margins{written}, ways...), b.atPlace); b.atPlace(at[0]) > 0 {
			ways = at[:1]
		} else {
			ways = []Margins{b.rebased(), translated}
		}
	case search:
		ways = best(ways, b.unmoved, b.opened, b.inside)
		if b.Alone {
			ways = best(ways, b.level)
		} else {
			ways = ways[:1]
		}
	}
	for _, w := range ways[1:] {
		if !b.equal(ways[0], w) {
			return Choice{Margins: ways[0], Rival: w}
		}
	}
	if slices.EqualFunc(ways[0], written, bytes.Equal) {
		return Choice{ByFile: true}
	}
	return Choice{Margins: ways[0]}
}

// best are the ways that have most of some evidence, weightier evidence first, in their order.
func best(ways []Margins, evidence ...func(Margins) int) []Margins {
	for _, count := range evidence {
		if len(ways) < 2 {
			break
		}
		most := 0
		for _, m := range ways {
			most = max(most, count(m))
		}
		ways = slices.DeleteFunc(ways, func(m Margins) bool { return count(m) < most })
	}
	return ways
}
