package apply

import (
	"bytes"
	"fmt"
	"iter"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/internal/unified"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// merge makes the edits of all placed blocks and applies them to the original text.
func (f *file) merge() {
	var taken ledger
	for _, it := range f.items {
		if !it.settled && it.placed != nil {
			f.take(&taken, it)
		}
	}
	endLikeAbove(f.text, taken.edits)
	f.current, f.spans = applyEdits(f.text, taken.edits)
	f.owners = taken.owners
}

// take makes the edits of a placed item and adds them to those taken so far. It settles the item
// unless it leaves it for the changed text, where [file.sequential] places it.
func (f *file) take(taken *ledger, it *item) {
	if f.fitsExactlyIn(taken, it) {
		it.again() // SEARCH matches the changed text exactly, and the file only nearly
		return
	}
	other := f.alternative(it, f.snapshot)
	if it.refuseAlternative(other) {
		return
	}
	if f.splice(it, f.snapshot); it.settled {
		return
	}
	edits := it.edits
	open, clash := taken.open(f.text, edits) // clash is an earlier item that the edits collide with
	for clash != nil && it.fitsBetter(clash) {
		taken.drop(clash) // it corrects the earlier one
		clash.supersede(it)
		open, clash = taken.open(f.text, edits)
	}
	if clash != nil && clash.fitsBetter(it) {
		it.supersede(clash)
		return
	}
	it.edits = open
	same := len(edits) > 0 && len(open) == 0 // earlier items make all of its changes
	switch {
	case clash != nil:
		it.collide(fmt.Sprintf("it changes lines that block %d changes, too; "+
			"merge the two blocks into one", clash.block.ID))
	case same && it.isCopy():
		it.repeats = true // it may be for a place with another indentation
		it.again()
	case same:
		it.settle(BlockAlready)
		it.warn(warning.SameChange.Say("an earlier block makes the same change"))
	case f.mayWrite(it, f.snapshot.doc, taken.growth, open):
		taken.add(open, it)
		if other != nil {
			it.warnOnEarlier()
		}
		it.settle(BlockApplied)
	}
}

// mayWrite reports whether the item may make edits to the text of doc, to which other blocks add
// growth bytes. If not, it refuses the item.
func (f *file) mayWrite(it *item, doc *strategy.Document, growth int, edits []splice.Edit) bool {
	return f.encoding().checkEncodable(it, doc, edits) && !f.run.refuseVetoed(it, doc.Text(), edits) &&
		f.run.claimSize(it, len(doc.Text())+growth, edits)
}

// isCopy reports whether the block repeats earlier blocks of the reply, without line numbers or
// anchors, and the file has enough places for all of them, ignoring blanks.
func (it *item) isCopy() bool {
	earlier := 0
	for _, other := range it.file.items {
		if other.block.ID < it.block.ID && other.isWith(it) && other.hint == 0 && other.isAlike(it) &&
			bytes.Equal(other.block.Replace, it.block.Replace) {
			earlier++
		}
	}
	return earlier > 0 && it.hint == 0 && len(it.block.Scope) == 0 && it.hasPlaces(earlier+1)
}

// hasPlaces reports whether the file has n places for SEARCH, ignoring blanks.
func (it *item) hasPlaces(n int) bool {
	return atLeast(n, strategy.KeyWindows(it.file.snapshot.doc, strategy.NewPattern(it.block.Search, 0)))
}

// fitsExactlyIn reports whether an item that only nearly fits the file fits exactly after the edits
// taken so far. If so, it was written for the text that an earlier block produces.
func (f *file) fitsExactlyIn(taken *ledger, it *item) bool {
	v := it.placed.reading
	if v == nil || len(taken.edits) == 0 || it.placed.tier == tierExact || f.run.opt.Policy == Loose {
		return false
	}
	// Each line must be in the file or in an edit. That is faster than writing the text each time.
	for i := range v.Search.Len() {
		line := v.Search.Line(i)
		writes := func(e splice.Edit) bool { return bytes.Contains(e.Text, line) }
		if !f.snapshot.doc.HasLine(line) && !slices.ContainsFunc(taken.edits, writes) {
			return false
		}
	}
	text, _ := applyEdits(f.text, taken.edits)
	return occurs(strategy.NewDocument(text), v.Search)
}

// occurs reports whether the document contains the pattern's lines exactly.
func occurs(doc *strategy.Document, pat *strategy.Pattern) bool {
	return atLeast(1, strategy.ExactWindows(doc, pat))
}

// atLeast reports whether there are n places or more.
func atLeast(n int, places iter.Seq[int]) bool {
	for range places {
		if n--; n == 0 {
			return true
		}
	}
	return false
}

// collide reports whether two edits delete or change the same bytes, or insert at the same place.
func collide(a, b splice.Edit) bool {
	if a.Start == a.End && b.Start == b.End {
		return a.Start == b.Start
	}
	return a.Start < b.End && b.Start < a.End
}

// endLikeAbove sets the line ends of the last edit if it adds text below a last line without a line
// end. It uses the line end that the line above has after the other edits: if one of them turns
// that into \r\n, so is the added text. So applying blocks together gives the same result as
// applying them one after the other.
func endLikeAbove(text []byte, edits []splice.Edit) {
	last := len(edits) - 1
	if last < 1 || edits[last].Start != len(text) || len(text) == 0 || text[len(text)-1] == '\n' {
		return
	}
	added := edits[last].Text
	was, now := "\n", "" // line ends
	if bytes.HasPrefix(added, []byte("\r\n")) {
		was = "\r\n"
	}
	at := bytes.LastIndexByte(text, '\n') + 1 // where the last line begins
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

// trailingEnd returns the line end at the end of text, or "".
func trailingEnd(text []byte) string {
	switch {
	case bytes.HasSuffix(text, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(text, []byte("\n")):
		return "\n"
	}
	return ""
}

// applyEdits returns the changed text and the changed spans. The edits must be in order and must
// not overlap.
func applyEdits(text []byte, edits []splice.Edit) ([]byte, []unified.Span) {
	if len(edits) == 0 {
		return text, nil
	}
	parts := make([][]byte, 0, 2*len(edits)+1)
	spans := make([]unified.Span, 0, len(edits))
	at, size := 0, 0
	for _, e := range edits {
		parts = append(parts, text[at:e.Start], e.Text)
		start := size + e.Start - at
		size = start + len(e.Text)
		spans = append(spans, unified.Span{BeforeStart: e.Start, BeforeEnd: e.End, AfterStart: start, AfterEnd: size})
		at = e.End
	}
	return bytes.Join(append(parts, text[at:]), nil), spans
}
