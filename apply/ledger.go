package apply

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
)

// ledger holds the edits of several blocks, in order and without overlaps, and the item that each
// edit belongs to.
type ledger struct {
	edits  []splice.Edit
	owners []*item
	growth int // how many bytes the edits add to the text
}

// position returns the index at which the edit belongs in the ledger.
func (l *ledger) position(e splice.Edit) int {
	at, _ := slices.BinarySearchFunc(l.edits, e, func(a, b splice.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return at
}

// meets looks for the effect of e in the ledger. equal is set if an edit there changes text in the
// same way. If not, clash is the owner of the first edit that e collides with, or nil.
func (l *ledger) meets(text []byte, e splice.Edit) (equal bool, clash *item) {
	at := l.position(e) // the edit before may reach into e
	for i := max(0, at-1); i < len(l.edits) && l.edits[i].Start <= e.End; i++ {
		switch t := l.edits[i]; {
		case sameEffect(text, l.edits[i:i+1], []splice.Edit{e}):
			return true, nil
		case collide(t, e) && clash == nil:
			clash = l.owners[i]
		}
	}
	return false, clash
}

// open returns the edits of text that the ledger doesn't have yet: none if a block there already
// makes all of these changes. clash is the owner of an edit that they collide with, or nil.
func (l *ledger) open(text []byte, edits []splice.Edit) (open []splice.Edit, clash *item) {
	if l.makes(text, edits) {
		return nil, nil
	}
	for _, e := range edits {
		equal, other := l.meets(text, e)
		if clash == nil {
			clash = other
		}
		if !equal {
			open = append(open, e)
		}
	}
	return open, clash
}

// makes reports whether one block in the ledger makes all changes that edits make to text. The two
// blocks may divide the changes differently: a typo in SEARCH can turn two edits into one.
func (l *ledger) makes(text []byte, edits []splice.Edit) bool {
	if len(edits) == 0 {
		return false
	}
	var asked *item
	for i := max(0, l.position(edits[0])-1); i < len(l.edits) && l.edits[i].Start <= edits[len(edits)-1].End; i++ {
		if l.owners[i] == asked {
			continue
		}
		asked = l.owners[i]
		if sameEffect(text, asked.edits, edits) {
			return true
		}
	}
	return false
}

// drop removes the edits of an owner.
func (l *ledger) drop(owner *item) {
	for i := len(l.edits) - 1; i >= 0; i-- {
		if l.owners[i] == owner {
			l.growth -= grows(l.edits[i])
			l.edits, l.owners = slices.Delete(l.edits, i, i+1), slices.Delete(l.owners, i, i+1)
		}
	}
}

// grows returns how many bytes e adds to the text.
func grows(e splice.Edit) int { return len(e.Text) - (e.End - e.Start) }

// add adds edits, which collide with none of those in the ledger.
func (l *ledger) add(edits []splice.Edit, owner *item) {
	for _, e := range edits {
		at := l.position(e)
		l.edits = slices.Insert(l.edits, at, e)
		l.owners = slices.Insert(l.owners, at, owner)
		l.growth += grows(e)
	}
}

// sameEffect reports whether two lists of edits make the same changes at the same places of text.
// Each list must be in order, without overlaps, and not empty. The edits themselves may differ: if
// SEARCH has a typo, an edit rewrites a line with the same content. Equal lines at different places
// aren't the same place.
func sameEffect(text []byte, a, b []splice.Edit) bool {
	if slices.EqualFunc(a, b, func(x, y splice.Edit) bool {
		return x.Start == y.Start && x.End == y.End && bytes.Equal(x.Text, y.Text)
	}) {
		return true
	}
	if a[len(a)-1].End < b[0].Start || b[len(b)-1].End < a[0].Start {
		return false // they are apart, and each changes something
	}
	from, to := min(a[0].Start, b[0].Start), max(a[len(a)-1].End, b[len(b)-1].End)
	return slices.Equal(changedSpans(text, a), changedSpans(text, b)) &&
		bytes.Equal(written(text, from, to, a), written(text, from, to, b))
}

// written returns the bytes from to to-1 of text with the edits applied.
func written(text []byte, from, to int, edits []splice.Edit) []byte {
	var out []byte
	for _, e := range edits {
		out = append(append(out, text[from:e.Start]...), e.Text...)
		from = e.End
	}
	return append(out, text[from:to]...)
}

// changedSpans returns the spans of text that edits change, without lines that they rewrite with
// the same content.
func changedSpans(text []byte, edits []splice.Edit) []span {
	var out []span
	for _, e := range edits {
		v := reading.New(text[e.Start:e.End], e.Text, 0)
		for _, c := range v.Hunks() {
			out = append(out, span{e.Start + v.Search.Start(c.S0), e.Start + v.Search.Start(c.S1)})
		}
	}
	return out
}
