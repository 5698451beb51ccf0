package apply

import (
	"bytes"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/parser"
)

// state is how far an item is on its way to a report. The methods of item in this file are its
// transitions, and nothing else changes the state:
//
//	read ── bind ─▶ bound ── search ─▶ searched ── place ─▶ placed ── edit ─▶ edited ── settle ─▶ settled
//	                  ▲                                                  │
//	                  └──────────────────── again ◀──────────────────────┘
//
// An item may be settled in any state: [item.settle] and [item.fail]. One whose place on the file
// as it was is taken by another block goes back, to be looked for in the text as changed so far.
type state uint8

const (
	stateRead state = iota
	stateBound
	stateSearched
	statePlaced
	stateEdited
	stateSettled
)

// item is one block on its way to a report.
type item struct {
	state  state
	block  *parser.Block
	file   *file // from bound on
	report BlockReport

	hint    int           // the block's line hint, 0 where it has none that the file could have
	repeats bool          // a block for whose places there are enough identical ones
	found   findings      // from searched on
	placed  *placement    // from placed on, nil before
	edits   []splice.Edit // from edited on

	// collision is the report of an item that went back, if it may no longer take a similar place.
	collision *BlockReport
	// fromTop is set if the block's name begins at the top of the repository.
	fromTop bool
	changes *string // see change
	sides   sides   // see alternative.go
}

func newItem(b *parser.Block) *item {
	return &item{block: b, report: BlockReport{ID: b.ID, Path: b.Path, Block: b, Warnings: slices.Clone(b.Warnings)}}
}

// settled reports whether the report is final.
func (it *item) settled() bool { return it.state == stateSettled }

// bind sets the file that the block belongs to.
func (it *item) bind(f *file) {
	it.state, it.file = stateBound, f
	it.report.Path = f.path
}

// search records what was found. The search may be open; see [findings.isOpen].
func (it *item) search(found findings) { it.state, it.found = stateSearched, found }

// place takes one of the places that were found. The note, if any, says why.
func (it *item) place(p *placement, note string) {
	it.state, it.placed = statePlaced, p
	if note != "" {
		it.warn(note)
	}
}

// edit records the edits that the block makes at its place.
func (it *item) edit(edits []splice.Edit) { it.state, it.edits = stateEdited, edits }

// again discards all that was found.
func (it *item) again() {
	it.state, it.found, it.placed, it.edits = stateBound, findings{}, nil, nil
}

// collide discards all that was found because another block changes the same lines. If the item has
// no other place, it's refused with the message.
func (it *item) collide(message string) {
	it.fail(Overlap, message)
	refusal := it.report
	it.collision = &refusal
	it.again()
}

// settle ends the item with a status that isn't a failure.
func (it *item) settle(status BlockStatus) { it.state, it.report.Status = stateSettled, status }

// fail settles the item as refused.
func (it *item) fail(reason Reason, message string) {
	it.settle(BlockFailed)
	it.report.Reason, it.report.Message = reason, message
}

// failFor settles the item as refused because of an error, with the error's reason or else the
// given one.
func (it *item) failFor(err error, otherwise Reason) {
	it.fail(reasonOf(err, otherwise), strings.ReplaceAll(err.Error(), "\n", "; "))
	it.report.cause = err
}

// failAs settles the item as refused, with a report that was made before.
func (it *item) failAs(r BlockReport) { it.state, it.report = stateSettled, r }

// already settles the item as applied before, and clears what was reported so far.
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
