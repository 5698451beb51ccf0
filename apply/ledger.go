package apply

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/strategy"
)

// ledger holds the edits of several blocks, disjoint and in order, and the item that each belongs to.
type ledger struct {
	edits  []splice.Edit
	owners []*item

	// touched are the lines that edits write or have a part of, and those next to them, without their line ends. It is no longer kept once
	// two edits are on one line, or on lines next to each other.
	touched map[string]bool
	close   bool
	fresh   []splice.Edit // not yet looked at for that
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
	l.fresh = append(l.fresh, e)
	l.edits = slices.Insert(l.edits, at, e)
	l.owners = slices.Insert(l.owners, at, owner)
}

// touch notes the lines that e has to do with.
func (l *ledger) touch(text []byte, e splice.Edit) {
	from, to := lineBefore(text, e.Start), lineAfter(text, e.End)
	at := l.position(e)
	if at > 0 && l.edits[at-1].End >= from || at+1 < len(l.edits) && l.edits[at+1].Start <= to {
		l.close, l.touched = true, nil
	}
	if l.close {
		return
	}
	if l.touched == nil {
		l.touched = map[string]bool{}
	}
	lines := strategy.NewDocument(slices.Concat(text[from:e.Start], e.Text, text[e.End:to]))
	for i := range lines.Len() {
		l.touched[string(lines.Line(i))] = true
	}
}

// lineBefore is where the line above the one with the byte at offset begins, lineAfter where the line below it ends.
func lineBefore(text []byte, offset int) int {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	return bytes.LastIndexByte(text[:max(0, start-1)], '\n') + 1
}

func lineAfter(text []byte, offset int) int {
	for range 2 {
		n := bytes.IndexByte(text[offset:], '\n')
		if n < 0 {
			return len(text)
		}
		offset += n + 1
	}
	return offset
}

// mayHold reports quickly whether the edits of text may have made lines that are the pattern's. What they have made has a line that one of
// them touched, and one next to that.
func (l *ledger) mayHold(text []byte, pat *strategy.Pattern) bool {
	for _, e := range l.fresh {
		l.touch(text, e)
	}
	l.fresh = l.fresh[:0]
	if l.close {
		return true
	}
	run := 0
	for i := range pat.Len() {
		if run++; !l.touched[string(pat.Line(i))] {
			run = 0
		}
		if run == min(2, pat.Len()) {
			return true
		}
	}
	return false
}
