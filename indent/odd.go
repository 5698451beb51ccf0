package indent

import (
	"bytes"
	"cmp"
	"slices"
)

// odd returns the only line of SEARCH that disagrees with the others: all others are shifted by the
// same amount, and this line by a different amount of the same characters. For example, SEARCH has
// lost the margin of its first line only. Lines in column 0 on both sides are consistent with any
// unit, so they can only make another line in column 0 odd. If SEARCH is a single line, it may have
// been cut out of a line of the file, so it can be odd on its own. ok is false if no line is odd.
func (b *Block) odd() (p Pair, ok bool) {
	if len(b.Pairs) == 1 {
		p := b.Pairs[0]
		return p, b.Alone && len(p.Search) < len(p.File) && bytes.HasSuffix(p.File, p.Search)
	}
	var found []Pair
	for i, p := range b.Pairs {
		other := b.Pairs[(i+1)%len(b.Pairs)] // any other one: all others must be shifted like it
		if p.shiftedAs(other) || p.anyUnit() || !p.sameKind() {
			continue
		}
		if slices.ContainsFunc(b.Pairs, func(q Pair) bool { return q.Line != p.Line && !q.shiftedAs(other) }) {
			continue
		}
		// If all others are in column 0 on both sides, p must be in column 0 on one.
		telling := len(p.Search) == 0 || len(p.File) == 0 ||
			slices.ContainsFunc(b.Pairs, func(q Pair) bool { return q.Line != p.Line && !q.anyUnit() })
		// Another unit could also explain p, unless two depths match the file, or p is the first
		// line, which is often copied without its margin, or p contradicts any unit.
		sameUnit := other.shift() == 0 && slices.ContainsFunc(b.Pairs, func(q Pair) bool {
			return q.Line != p.Line && len(q.Search) != len(other.Search)
		})
		first := i == 0 && (p.shift() == 0 && len(b.Pairs) > 2 || other.shift() == 0)
		if telling && (sameUnit || first || b.contradicts(p)) {
			found = append(found, p)
		}
	}
	if len(found) == 2 {
		// If two lines disagree, the one that matches the file is right.
		found = slices.DeleteFunc(found, func(p Pair) bool { return bytes.Equal(p.Search, p.File) })
	}
	if len(found) != 1 {
		return Pair{}, false
	}
	return found[0], true
}

// FirstCut reports whether SEARCH was copied without the margin of its first line: there are other
// lines, and all of them have the file's margins.
func (b *Block) FirstCut() bool {
	if len(b.Pairs) < 2 || len(b.Pairs[0].Search) >= len(b.Pairs[0].File) {
		return false
	}
	return !slices.ContainsFunc(b.Pairs[1:], func(p Pair) bool { return !bytes.Equal(p.Search, p.File) })
}

// contradicts reports whether no change of units explains p together with the others, because the
// deeper of two lines in SEARCH isn't deeper in the file.
func (b *Block) contradicts(p Pair) bool {
	return slices.ContainsFunc(b.Pairs, func(q Pair) bool {
		return cmp.Compare(len(p.Search), len(q.Search)) != cmp.Compare(len(p.File), len(q.File))
	})
}

// shiftedAs reports whether the lines of p and q are shifted by exactly the same characters.
func (p Pair) shiftedAs(q Pair) bool {
	return p.shift() == q.shift() && p.sameKind() && q.sameKind() && bytes.Equal(p.difference(), q.difference())
}

// anyUnit reports whether p is in column 0 on both sides, so that it shows nothing about units.
func (p Pair) anyUnit() bool { return len(p.Search) == 0 && len(p.File) == 0 }

// sameKind reports whether one of p's margins is a prefix of the other.
func (p Pair) sameKind() bool {
	return bytes.HasPrefix(p.File, p.Search) || bytes.HasPrefix(p.Search, p.File)
}

// difference returns the extra text of the longer of p's margins.
func (p Pair) difference() []byte {
	if len(p.Search) < len(p.File) {
		return p.File[len(p.Search):]
	}
	return p.Search[len(p.File):]
}
