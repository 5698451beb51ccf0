package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// side is whose margins REPLACE goes by.
type side int

const (
	neither side = iota
	search
	file
	either // no telling
)

// follows decides whose margins REPLACE follows. How deep it begins and how far out it reaches show it best, if they agree: there
// only one of the two ways gives the place's own margin. Otherwise the other lines are counted. Among those, a line at the file's
// margin may have been indented so by the edit, so it shows nothing if another line was kept at SEARCH's margin.
func (b *Block) follows(written Margins) side {
	bySearch, byFile, kept := b.votes()
	begin := b.comes(written[0], b.Pairs[0].Search, b.Pairs[0].File)
	if p, ok := b.pair(b.Replace[0].For); ok && !b.Replace[0].Edge && begin != search {
		// It may begin with a later line of SEARCH.
		switch own := b.comes(written[0], p.Search, p.File); {
		case begin != file:
			begin = own
		case own == search:
			begin = either
		}
	}
	searchs, files := b.outermost()
	reach := b.comes(outermost(written), searchs, files)
	reindents := len(b.Replace) == len(b.Search) && !slices.ContainsFunc(b.Replace, func(l Line) bool { return !l.Same })
	switch {
	case reindents && kept:
		return search // the edit is about margins, and would be none if these were the file's
	case begin == reach && begin.isDecisive():
		return begin
	case begin.isDecisive() && reach.isDecisive() && kept:
		return search
	case begin.isDecisive() && reach.isDecisive():
		return majority(bySearch, byFile, neither)
	case begin == search || reach == search:
		return search
	case begin == file || reach == file:
		return majority(bySearch, byFile, file)
	case byFile > byChance*bySearch:
		return file
	case bySearch > 0:
		return search
	case begin == neither || reach == neither:
		return neither
	}
	return search
}

// comes decides whose margins own must follow to become the file's margin, at a place where SEARCH has another one.
func (b *Block) comes(own, searchs, files []byte) side {
	s := bytes.Equal(own, searchs) || !(Pair{Search: own, File: searchs}).sameKind() && slices.ContainsFunc(b.Pairs, func(p Pair) bool {
		return bytes.Equal(own, p.Search) && bytes.Equal(p.File, files) // in the other characters of a mixed block
	})
	f := bytes.Equal(own, files)
	switch {
	case bytes.Equal(searchs, files), s && f:
		return either
	case s:
		return search
	case f:
		return file
	}
	return neither
}

func (s side) isDecisive() bool { return s == search || s == file }

// byChance is how many times the votes for SEARCH those for the file must be to count: a line or two may be at the file's margin by
// chance.
const byChance = 4

func majority(bySearch, byFile int, tie side) side {
	switch {
	case bySearch > byFile:
		return search
	case byFile > bySearch:
		return file
	}
	return tie
}

// votes weighs the lines of REPLACE that show whose margins they follow. kept says that one of those that follow SEARCH's is the
// same there.
func (b *Block) votes() (bySearch, byFile int, kept bool) {
	for _, l := range b.Replace {
		p, ok := b.pair(l.For)
		if !ok {
			continue
		}
		weight := 2
		if l.Edge {
			weight = 1
		}
		switch b.comes(text.Margin(l.Text), p.Search, p.File) {
		case search:
			bySearch += weight
			kept = kept || l.Same
		case file:
			byFile += weight
		}
	}
	return bySearch, byFile, kept
}

// atPlace counts whether the first and the outermost line of REPLACE are as deep as those of the place.
func (b *Block) atPlace(m Margins) int {
	n := 0
	if bytes.Equal(m[0], b.Pairs[0].File) {
		n++
	}
	if _, place := b.outermost(); bytes.Equal(outermost(m), place) {
		n++
	}
	return n
}

// outermost are the margins of the outermost lines of SEARCH and of the place. A first line that was cut is no such line.
func (b *Block) outermost() (search, file []byte) {
	pairs := b.Pairs
	if odd, ok := b.odd(); ok && len(pairs) > 1 && odd.Line == pairs[0].Line && lost(odd) {
		pairs = pairs[1:]
	}
	search = slices.MinFunc(pairs, func(p, q Pair) int { return len(p.Search) - len(q.Search) }).Search
	file = slices.MinFunc(pairs, func(p, q Pair) int { return len(p.File) - len(q.File) }).File
	return search, file
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

// unmoved counts the lines of REPLACE that are indented as their counterparts are, except for those that the edit itself
// re-indents.
func (b *Block) unmoved(m Margins) int {
	odd, isOdd := b.odd()
	isOdd = isOdd && !b.Alone
	reindents := isOdd && b.reindents(odd)
	return b.count(m, func(l Line, p Pair) bool {
		if isOdd && p.Line == odd.Line {
			return !reindents
		}
		return !l.Same || bytes.Equal(text.Margin(l.Text), p.Search)
	})
}

// reindents reports whether the edit moves all lines that it keeps, the odd one aside.
func (b *Block) reindents(odd Pair) bool {
	moved := false
	for _, l := range b.Replace {
		if p, ok := b.pair(l.For); ok && l.Same && p.Line != odd.Line {
			if bytes.Equal(text.Margin(l.Text), p.Search) {
				return false
			}
			moved = true
		}
	}
	return moved
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
	_, place := b.outermost()
	if slices.ContainsFunc(m, func(margin []byte) bool { return shallower(margin, place) }) {
		return 0
	}
	return 1
}

// opened rates how deep the lines are after those that open a block: by one unit, at least deeper, or not.
func (b *Block) opened(m Margins) int {
	n := 0
	for i := 1; i < len(m); i++ {
		outer, inner := m[i-1], m[i]
		switch {
		case !Opens(b.Replace[i-1].Text) || !shallower(outer, inner):
		case bytes.Equal(inner[len(outer):], b.Unit()):
			n += 2
		default:
			n++
		}
	}
	return n
}
