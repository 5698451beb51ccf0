package apply

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// merge makes the edits of all placed blocks and applies them to the snapshot. A block whose edits collide with those of an
// earlier one is left for later. One whose edits all are in the plan already, or come to the same there, counts as applied.
func (f *file) merge() {
	var taken ledger
	size := len(f.text) // with the edits taken
	for _, it := range f.items {
		if it.done || it.placed == nil {
			continue
		}
		if f.fitsExactlyIn(&taken, it) {
			it.placed, it.edits, it.found = nil, nil, findings{}
			continue // SEARCH occurs exactly in the changed text, and only nearly in the file
		}
		if f.splice(it, f.snapshot); it.done {
			continue
		}
		all := len(it.edits)
		open, clash := taken.open(f.text, it.edits)
		for clash != nil && it.fitsBetter(clash) {
			size -= taken.drop(clash)
			clash.supersede(it)
			open, clash = taken.open(f.text, it.edits)
		}
		if clash != nil && clash.fitsBetter(it) {
			it.supersede(clash)
			continue
		}
		it.edits = open
		switch {
		case clash != nil:
			it.placed = nil
			it.found = findings{}
			it.fail(Overlap, fmt.Sprintf("it changes lines that block %d changes as well; merge the two blocks into one", clash.block.ID))
			it.done = false // tried again on the changed text
		case len(it.edits) == 0 && all > 0:
			it.settle(BlockAlready)
			it.warn(warning.SameChange.Say("an earlier block makes the same change"))
		case !f.holds(it, f.snapshot.doc, it.edits), f.run.vetoed(it, f.text, it.edits), !f.run.fits(it, size, it.edits):
		default:
			for _, e := range it.edits {
				size += grows(e)
				taken.add(e, it)
			}
			it.settle(BlockApplied)
		}
	}
	endLikeAbove(f.text, taken.edits)
	f.current, f.spans = applyEdits(f.text, taken.edits)
	f.owners = taken.owners
}

// fitsExactlyIn reports whether an item that fits the file only nearly fits exactly after the edits taken so far: it was written
// for the text that an earlier block writes.
func (f *file) fitsExactlyIn(taken *ledger, it *item) bool {
	v := it.placed.reading
	if v == nil || len(taken.edits) == 0 || it.placed.tier == tierExact || f.run.opt.Policy == Loose {
		return false
	}
	text, _ := applyEdits(f.text, taken.edits)
	for range strategy.ExactWindows(strategy.NewDocument(text), v.Search) {
		return true
	}
	return false
}

// ledger holds the edits of several blocks, disjoint and in order, and the item that each belongs to.
type ledger struct {
	edits  []splice.Edit
	owners []*item
}

// position is the index at which an edit belongs in the ledger.
func (l *ledger) position(e splice.Edit) int {
	at, _ := slices.BinarySearchFunc(l.edits, e, func(a, b splice.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return at
}

// meets reports whether the ledger has an edit that does to text what e does; if not, clash is the owner of the edit that e collides with.
func (l *ledger) meets(text []byte, e splice.Edit) (equal bool, clash *item) {
	at := l.position(e)
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

// open are those of edits that the ledger does not have; clash is the owner of one that they collide with, nil if there is none.
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

// makes reports whether a block in the ledger does to text all that edits do: one may write as a single edit what another, whose SEARCH
// has a slip less, writes as two.
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

// drop takes the edits of an owner out, and says by how much they make the text longer.
func (l *ledger) drop(owner *item) int {
	size := 0
	for i := len(l.edits) - 1; i >= 0; i-- {
		if l.owners[i] == owner {
			size += grows(l.edits[i])
			l.edits, l.owners = slices.Delete(l.edits, i, i+1), slices.Delete(l.owners, i, i+1)
		}
	}
	return size
}

// grows is by how much e makes the text longer.
func grows(e splice.Edit) int { return len(e.Text) - (e.End - e.Start) }

func (l *ledger) add(e splice.Edit, owner *item) {
	at := l.position(e)
	l.edits = slices.Insert(l.edits, at, e)
	l.owners = slices.Insert(l.owners, at, owner)
}

// collide reports whether two edits delete or change the same bytes, or insert at the same place.
func collide(a, b splice.Edit) bool {
	if a.Start == a.End && b.Start == b.End {
		return a.Start == b.Start
	}
	return a.Start < b.End && b.Start < a.End
}

// endLikeAbove sets the line end of text that is added after a last line without one: it is that of the line above, as the other
// edits leave that line. So blocks applied together give the same result as one after the other.
func endLikeAbove(text []byte, edits []splice.Edit) {
	last := len(edits) - 1
	if last < 1 || edits[last].Start != len(text) || len(text) == 0 || text[len(text)-1] == '\n' {
		return
	}
	added := edits[last].Text
	was, now := "\n", ""
	if bytes.HasPrefix(added, []byte("\r\n")) {
		was = "\r\n"
	}
	at := bytes.LastIndexByte(text, '\n') + 1
	for i := last - 1; i >= 0 && edits[i].End == at && now == ""; i-- {
		at = edits[i].Start
		now = trailingEnd(edits[i].Text)
	}
	if now == "" {
		now = trailingEnd(text[:at])
	}
	if now != "" && now != was {
		edits[last].Text = bytes.ReplaceAll(added, []byte(was), []byte(now))
	}
}

func trailingEnd(text []byte) string {
	switch {
	case bytes.HasSuffix(text, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(text, []byte("\n")):
		return "\n"
	}
	return ""
}

// applyEdits makes the changed text; edits are in order and disjoint.
func applyEdits(text []byte, edits []splice.Edit) ([]byte, []Span) {
	if len(edits) == 0 {
		return text, nil
	}
	size := len(text)
	for _, e := range edits {
		size += grows(e)
	}
	out := make([]byte, 0, size)
	spans := make([]Span, 0, len(edits))
	at := 0
	for _, e := range edits {
		out = append(out, text[at:e.Start]...)
		start := len(out)
		out = append(out, e.Text...)
		spans = append(spans, Span{e.Start, e.End, start, len(out)})
		at = e.End
	}
	return append(out, text[at:]...), spans
}
