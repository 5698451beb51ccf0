package apply

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/parser"
)

// item is one block on its way to a report:
//
//	read -- bind -> file -- locate -> found -- place -> placed -- splice -> edits -- settle -> settled
//	                  ^                                               |
//	                  '-------------------- again --------------------'
//
// An item may be settled at any point, by [item.settle] or [item.fail]. If another block takes its
// place in the original file, the item goes back and is looked for in the text as changed so far.
type item struct {
	settled bool // the report is final
	block   *parser.Block
	file    *file // that it belongs to
	report  BlockReport

	hint    int           // the block's line hint, or 0 if there is none within the file
	repeats bool          // enough identical blocks exist for its places
	found   findings      // may be open; see [findings.isOpen]
	placed  *placement    // the place chosen
	edits   []splice.Edit // that the block makes there

	// collision is the message for the case that an item that went back has no other place. Such an
	// item may not take a similar place.
	collision string
	// fromTop is set if the block's file name is relative to the top of the repository.
	fromTop bool
	changes *string // see change
	sides   sides   // see alternative.go
}

func newItem(b *parser.Block) *item {
	return &item{block: b, report: BlockReport{ID: b.ID, Path: b.Path, Block: b, Warnings: slices.Clone(b.Warnings)}}
}

// place assigns one of the places found to the item. The note, if any, says why.
func (it *item) place(p *placement, note string) {
	it.placed = p
	if note != "" {
		it.warn(note)
	}
}

// again discards everything that was found.
func (it *item) again() {
	it.settled, it.found, it.placed, it.edits = false, findings{}, nil, nil
}

// collide discards everything that was found because another block changes the same lines. If the
// item has no other place, it's refused with the message.
func (it *item) collide(message string) {
	it.collision = message
	it.again()
}

// settle settles the item with a status that isn't a failure.
func (it *item) settle(status BlockStatus) { it.settled, it.report.Status = true, status }

// fail settles the item as refused.
func (it *item) fail(reason Reason, message string) {
	it.settle(BlockFailed)
	it.report.Reason, it.report.Message = reason, message
}

// failFor settles the item as refused because of an error. The reason is the error's, or the given
// one if the error has none.
func (it *item) failFor(err error, otherwise Reason) {
	it.fail(reasonOf(err, otherwise), strings.ReplaceAll(err.Error(), "\n", "; "))
	it.report.cause = err
}

// already settles the item as already applied, and clears everything reported so far.
func (it *item) already() {
	path := it.report.Path
	it.report = newItem(it.block).report
	it.report.Path = path
	it.settle(BlockAlready)
}

func (it *item) warn(note string) { it.report.Warnings = append(it.report.Warnings, note) }

// isAlike reports whether two blocks search for the same lines below the same anchors.
func (it *item) isAlike(other *item) bool {
	return bytes.Equal(it.block.Search, other.block.Search) && slices.Equal(it.block.Scope, other.block.Scope)
}
