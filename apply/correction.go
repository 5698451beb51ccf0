package apply

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/apply/internal/verdict"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/strategy"
)

// Models notice that a block went wrong, and write it again below, in the same reply. The second
// one is its correction: it drops and adds the same lines, blanks aside, and only their context is
// another. Many blocks of a reply may do the same in different places, though, as when a name is
// changed. So a block counts as corrected only where the change that is made is its own: where it
// would be made in its own best place, or its lines occur nowhere else. It is no failure then, and
// says so.
//
// An ambiguous block is not helped by its correction. The correction takes one of its places, and
// whether the other is left for it or nothing is, nobody knows.

// change is what the item's block does to whatever lines are around: the lines that it drops and
// adds, blanks at their ends aside, hunk by hunk; "" if it does nothing else than to change blanks.
func (it *item) change() string {
	if it.changes != nil {
		return *it.changes
	}
	trimmed := func(side []byte) []byte {
		var out []byte
		for line := range bytes.Lines(side) {
			out = append(append(out, bytes.TrimSpace(line)...), '\n')
		}
		return out
	}
	v := reading.New(trimmed(it.block.Search), trimmed(it.block.Replace), 0)
	var b strings.Builder
	for _, c := range v.Hunks() {
		fmt.Fprintf(&b, "%d %d\n%s%s", c.S1-c.S0, c.R1-c.R0, v.Search.Text()[v.Search.Start(c.S0):v.Search.Start(c.S1)],
			v.Replace.Text()[v.Replace.Start(c.R0):v.Replace.Start(c.R1)])
	}
	s := b.String()
	it.changes = &s
	return s
}

// sameChange reports whether two blocks make the same change, each at a place of its own.
func (it *item) sameChange(other *item) bool {
	return it != other && it.block.Op == other.block.Op && it.change() != "" && it.change() == other.change()
}

// fitsBetter reports whether the item makes the same change as another one, and its SEARCH is there
// exactly, the other's is not.
func (it *item) fitsBetter(than *item) bool {
	return it.placed.tier == tierExact && than.placed.tier != tierExact && it.sameChange(than)
}

// below are the blocks for the file that come after it in the reply.
func (f *file) below(it *item) []*item { return f.items[slices.Index(f.items, it)+1:] }

// corrections answers which blocks of a file another one corrects.
type corrections struct{ *file }

func (f *file) corrections() corrections { return corrections{f} }

// correctionTakes reports whether a later block with the same change takes one of the places that
// the item fits.
func (f corrections) correctionTakes(it *item) bool {
	return slices.ContainsFunc(f.below(it), func(c *item) bool {
		return c.placed != nil && c.placed.kind != ofEdits && it.sameChange(c) &&
			slices.ContainsFunc(it.found.placements, func(p *placement) bool { return overlapping(p, c.placed) })
	})
}

// isCorrected settles the item, which fits nowhere, if a later block made its change in its place.
func (f corrections) isCorrected(it *item) bool {
	for _, c := range f.below(it) {
		if (c.report.Status == BlockApplied || c.report.Status == BlockAlready) &&
			it.sameChange(c) && f.isChangeOf(it, c) {
			it.supersede(c)
			return true
		}
	}
	return false
}

// isChangeOf reports whether what c did is what the item says: there is only one place for it, or
// it is that which is nearest to the item.
func (f corrections) isChangeOf(it, c *item) bool {
	if near := it.found.near; near != nil && namesAnother(near.objection) {
		return false
	}
	return f.hasOnce(it, c.report.Status == BlockAlready) || f.meetsNear(it, c)
}

// namesAnother reports whether the place is that of something else, which looks like what SEARCH
// names.
func namesAnother(o *verdict.Objection) bool {
	switch o.Code {
	case verdict.OtherDefinition, verdict.NoDefinition, verdict.OtherRecord:
		return true
	}
	return false
}

// hasOnce reports whether the file as it was has each change of the item in one place only: once a
// telling line that it drops, or, where the change was made before, one that it adds.
func (f corrections) hasOnce(it *item, made bool) bool {
	v := reading.New(it.block.Search, it.block.Replace, 0)
	once := func(d *strategy.Document, from, to int) bool {
		for i := from; i < to; i++ {
			if line := d.Line(i); text.Telling(line) && f.snapshot.doc.CountLine(line, 2) == 1 {
				return true
			}
		}
		return false
	}
	return !slices.ContainsFunc(v.Hunks(), func(c reading.Hunk) bool {
		if made {
			return !once(v.Replace, c.R0, c.R1)
		}
		return !once(v.Search.Document, c.S0, c.S1)
	})
}

// meetsNear reports whether c changes the lines that the item would change in the place that is
// nearest to it.
func (f corrections) meetsNear(it, c *item) bool {
	near := it.found.near
	if near == nil || near.kind == ofEdits {
		return false
	}
	edits, _ := f.snapshot.edits(near)
	return len(edits) > 0 && !slices.ContainsFunc(edits, func(e splice.Edit) bool {
		return !slices.ContainsFunc(c.edits, func(o splice.Edit) bool { return e.Start <= o.End && o.Start <= e.End })
	})
}

// supersede settles the item, whose change block by makes.
func (it *item) supersede(by *item) {
	it.report.Reason, it.report.Message = "", ""
	it.warn(warning.SameChange.Say("block %d makes the same change, and fits better", by.block.ID))
	it.settle(BlockAlready)
}
