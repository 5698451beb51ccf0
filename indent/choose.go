package indent

import "slices"

// Block is what a block and the file show of indentation, once SEARCH is aligned with the file's lines.
type Block struct {
	// Pairs are the aligned lines, ascending; blank ones are left out.
	Pairs []Pair
	// Search are the margins of all lines of SEARCH that are not blank, in order; Replace are REPLACE's such lines.
	Search  [][]byte
	Replace []Line
	// Step is described at [Learn].
	Step int
	// Alone says that SEARCH has one line only, and that it occurs in the file as text up to its line's end.
	Alone bool
	// Unit tells what one level adds to a margin in the file; empty where that is not known.
	Unit func() []byte
}

// Line is a line of REPLACE that is not blank.
type Line struct {
	Text []byte // with its margin
	Near int    // the SEARCH line that it goes by, 0-based
	// For is the SEARCH line that it stands for, -1 if there is none; Same says that the two are equal but for blanks at their
	// ends.
	For  int
	Same bool
	// Edge says that it merely is the first or the outermost of the lines that replace others, as line For is of those.
	Edge bool
}

// Margins are the margins of REPLACE's lines in the file, one for each of [Block.Replace]; nil for as written.
type Margins [][]byte

// Choose decides how REPLACE is indented in the file. Rival is another way, which gives other margins and has as much to be said
// for it; nil where the decision is sound.
//
// A model copies from what it was shown and loses margins on the way: those of the whole block, of SEARCH alone, of the first line
// (text that was trimmed), of a single line. What it lost shows in the lines that both sides have a counterpart for, so the
// rule is: take the way that leaves most lines of REPLACE where their counterparts are in the file.
//
//  1. Where SEARCH and the file agree, REPLACE is written as it is.
//  2. Lines of REPLACE whose counterpart is indented otherwise in SEARCH than in the file tell by which of the two REPLACE goes.
//     If by the file's margins, it is written as it is.
//  3. If by SEARCH's margins, it is translated by what SEARCH and the file pair, see [Map]. A single line that disagrees with
//     the others was bent by itself, and speaks for its own counterpart only. Where that is the first line, REPLACE may
//     have its first line bent alike, or all of its lines go by the first one's depth: their counterparts tell, and next to
//     them that a line seldom leaves the block around it.
//  4. A SEARCH of one line proves neither; there, what the lines of REPLACE open counts as well, and ways that are as good after
//     that are rivals.
func (b *Block) Choose() (margins, rival Margins) {
	all := Learn(b.Pairs, b.Step)
	if all.Identity() || len(b.Replace) == 0 {
		return nil, nil
	}
	written, translated := b.written(), b.translated(all)
	ways := b.ways(translated)
	switch b.follows(written, translated) {
	case file:
		return nil, nil
	case neither:
		if at := best(append([]Margins{written}, ways...), b.atPlace); b.atPlace(at[0]) > 0 {
			ways = at[:1]
		} else {
			ways = []Margins{b.rebased(), ways[len(ways)-1]}
		}
	case search:
		ways = best(ways, b.unmoved, b.opened, b.inside, b.level)
		if !b.Alone {
			ways = ways[:1]
		}
	}
	for _, w := range ways[1:] {
		if !w.equal(ways[0]) {
			return ways[0], w
		}
	}
	if ways[0].equal(written) {
		return nil, nil
	}
	return ways[0], nil
}

// best are the ways that have most of some evidence, weightier evidence first, in their order.
func best(ways []Margins, evidence ...func(Margins) int) []Margins {
	for _, count := range evidence {
		most := 0
		for _, m := range ways {
			most = max(most, count(m))
		}
		ways = slices.DeleteFunc(ways, func(m Margins) bool { return count(m) < most })
	}
	return ways
}
