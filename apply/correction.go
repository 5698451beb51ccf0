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

// A model may notice that a block is wrong and write it again further down in the same reply. The
// second block is a correction of the first: both drop and add the same lines, ignoring blanks, and
// only the context differs. But several blocks of a reply may make the same change in different
// places, for example to rename something. So a block only counts as corrected if the later block
// makes the change in the right place: in the best place for the first block, or in the only place
// where the changed lines occur. The first block then isn't reported as a failure.
//
// A correction doesn't resolve an ambiguous block. It takes one of the block's places, and nothing
// shows whether the first block was meant for the remaining one.

// change returns the lines that the item's block drops and adds, hunk by hunk, without blanks at
// their ends. It serves to find blocks that make the same change, and is computed once. It's "" if
// the block only changes blanks.
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

// sameChange reports whether the item and another block drop and add the same lines, wherever they
// do.
func (it *item) sameChange(other *item) bool {
	return it != other && it.block.Op == other.block.Op && it.change() != "" && it.change() == other.change()
}

// fitsBetter reports whether the item makes the same change as another one, and only the item's
// SEARCH matches exactly.
func (it *item) fitsBetter(than *item) bool {
	return it.placed.tier == tierExact && than.placed.tier != tierExact && it.sameChange(than)
}

// below returns the file's blocks that come after the item it in the reply.
func (f *file) below(it *item) []*item { return f.items[slices.Index(f.items, it)+1:] }

// correctionTakes reports whether a later block that makes the same change takes one of the item's
// places.
func (f choice) correctionTakes(it *item) bool {
	return slices.ContainsFunc(f.below(it), func(c *item) bool {
		return c.placed != nil && c.placed.kind != ofEdits && it.sameChange(c) &&
			slices.ContainsFunc(it.found.placements, func(p *placement) bool { return p.overlaps(c.placed) })
	})
}

// settleCorrected settles the item, which has no place, if a later block made its change in the
// right place. It reports whether it did.
func (f choice) settleCorrected(it *item) bool {
	for _, c := range f.below(it) {
		if (c.report.Status == BlockApplied || c.report.Status == BlockAlready) &&
			it.sameChange(c) && f.isChangeOf(it, c) {
			it.supersede(c)
			return true
		}
	}
	return false
}

// isChangeOf reports whether c, which makes the same change as the item, made it where the item
// would: there is only one place for it, or c's place is the one nearest to the item.
func (f choice) isChangeOf(it, c *item) bool {
	if near := it.found.near; near != nil && namesAnother(near.objection) {
		return false
	}
	return f.hasOnce(it, c.report.Status == BlockAlready) || f.meetsNear(it, c)
}

// namesAnother reports whether the objection says that the place is about something other than
// SEARCH that looks similar.
func namesAnother(o *verdict.Objection) bool {
	switch o.Code {
	case verdict.OtherDefinition, verdict.NoDefinition, verdict.OtherRecord:
		return true
	}
	return false
}

// hasOnce reports whether each change of the item fits only one place in the original file: a
// distinctive line that the change drops occurs once. If made is set, the change was already made
// in an earlier run, and a line that it adds must occur once instead.
func (f choice) hasOnce(it *item, made bool) bool {
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

// meetsNear reports whether c changes the lines that the item would change at its nearest place:
// each edit there must overlap or touch an edit of c.
func (f choice) meetsNear(it, c *item) bool {
	near := it.found.near
	if near == nil || near.kind == ofEdits {
		return false
	}
	edits, _ := f.snapshot.edits(near)
	return len(edits) > 0 && !slices.ContainsFunc(edits, func(e splice.Edit) bool {
		return !slices.ContainsFunc(c.edits, func(o splice.Edit) bool { return e.Start <= o.End && o.Start <= e.End })
	})
}

// supersede settles the item because another block, by, makes its change.
func (it *item) supersede(by *item) {
	it.report.Reason, it.report.Message = "", ""
	it.warn(warning.SameChange.Say("block %d makes the same change, and fits better", by.block.ID))
	it.settle(BlockAlready)
}
