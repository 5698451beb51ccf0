package indent

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// settle adjusts the margins m, which are as written or by SEARCH's map, for new lines where SEARCH
// has lost a level, so that the file has two depths for the same margin. The surrounding lines may
// rule out one of the two. If they don't, rival has the other one.
//
//	if ready:
//	send()        <- one level deeper in the file
//	log()         <- new, inside of the if or after it
//	close()
func (b *Block) settle(m Margins) (margins, rival Margins) {
	if b.keptFirst() {
		return m, nil
	}
	margins, rival = slices.Clone(m), slices.Clone(m)
	sure := true
	for i, end := range b.newLines() {
		depths := b.depths(m, i, end)
		if len(depths) == 0 {
			continue
		}
		sure = sure && len(depths) == 1
		own := text.Margin(b.Replace[i].Text)
		for k := i; k < end; k++ { // lines deeper than the first stay relative to it
			if more, ok := bytes.CutPrefix(text.Margin(b.Replace[k].Text), own); ok {
				margins[k] = slices.Concat(depths[0], more)
				rival[k] = slices.Concat(depths[len(depths)-1], more)
			}
		}
	}
	if sure {
		rival = nil
	}
	return margins, rival
}

// keptFirst reports whether the first line of SEARCH is odd, because it's deeper than another line
// that is at least as deep in the file. If so, all other lines have lost a margin that the first
// line kept, but no level.
func (b *Block) keptFirst() bool {
	first := b.Pairs[0]
	odd, ok := b.odd()
	return ok && odd.Line == first.Line && slices.ContainsFunc(b.Pairs, func(p Pair) bool {
		return shallower(p.Search, first.Search) && !shallower(p.File, first.File)
	})
}

// depths returns the margins, from shallow to deep, that the first of REPLACE's new lines first to
// end-1 may have in the file if SEARCH has lost a level there; see settle for an example. m are the
// margins without regard to this. It returns none if they should stay: no neighbouring line has
// lost a level, or the edit moves one, or nothing is known.
func (b *Block) depths(m Margins, first, end int) [][]byte {
	own := text.Margin(b.Replace[first].Text)
	known := b.depthsOf(own, b.Pairs)
	if len(known) < 2 { // the margin has one meaning
		return nil
	}
	if gone := b.gone(first, end); len(gone) > 0 { // the replaced lines show the depth
		if all := b.depthsOf(own, gone); len(all) == 1 {
			return all
		}
		return nil
	}
	above, ok := b.stays(m, first-1)
	if !ok || !bytes.Equal(above.Search, own) {
		return nil
	}
	below, hasBelow := b.stays(m, end)
	opens := Opens(b.Replace[first-1].Text)
	switch {
	case end < len(b.Replace) && !hasBelow: // the line below is moved
	case hasBelow && bytes.Equal(below.Search, own):
		switch {
		case opens && shallower(above.File, below.File):
			return [][]byte{below.File} // inside the block that the line above opens
		case !opens && shallower(below.File, above.File) && closes(b.Replace[end].Text):
			return [][]byte{above.File} // inside the block that the line below closes
		case !opens && shallower(below.File, above.File):
			return [][]byte{below.File, above.File} // inside the block above or after it
		}
	// The line above has lost a level, and no line below with the same margin tells more. The new
	// line is as deep as the line above, or less deep, but deeper than the line below.
	case !opens && shallower(above.Search, above.File) && (!hasBelow || shallower(below.Search, own)):
		return slices.DeleteFunc(known, func(m []byte) bool {
			return !bytes.Equal(m, above.File) && !shallower(m, above.File) || hasBelow && !shallower(below.File, m)
		})
	}
	return nil
}

// stays returns the pair that determines the margin of line i of REPLACE, which may be out of
// range. ok is false if there is none, or if the edit moves the line: it doesn't have its
// counterpart's margin in SEARCH, or m doesn't give it the one in the file.
func (b *Block) stays(m Margins, i int) (p Pair, ok bool) {
	p, ok = b.known(i)
	return p, ok && bytes.Equal(text.Margin(b.Replace[i].Text), p.Search) && bytes.Equal(m[i], p.File)
}

// depthsOf returns the different margins, from shallow to deep, that pairs have in the file for one
// margin of SEARCH.
func (b *Block) depthsOf(margin []byte, pairs []Pair) (out [][]byte) {
	for _, p := range pairs {
		if bytes.Equal(p.Search, margin) &&
			!slices.ContainsFunc(out, func(m []byte) bool { return bytes.Equal(m, p.File) }) {
			out = append(out, p.File)
		}
	}
	slices.SortFunc(out, func(a, b []byte) int { return len(a) - len(b) })
	return out
}
