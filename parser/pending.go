package parser

import (
	"fmt"

	"github.com/srpatch/srpatch/fsm"
	"github.com/srpatch/srpatch/internal/diagnosis"
)

// pending keeps back the items read since a block was taken as closed because another opener
// follows. If a closer on its own follows that second block, the second was an example in the text
// of the first, and neither was understood.
type pending struct {
	state pendingState
	items []item
	lines [2]int // of the first block
	path  string
}

type pendingState uint8

const (
	pendingNone  pendingState = iota
	pendingFirst              // the second block has yet to begin
	pendingBoth
)

// keepPending begins to keep items back, with the block b.
func (out *output) keepPending(b *Block) {
	out.release()
	out.pending = pending{state: pendingFirst, lines: b.Lines, path: b.Path, items: out.pending.items[:0]}
}

// release emits the pending items.
func (out *output) release() {
	out.queue = append(out.queue, out.pending.items...)
	clear(out.pending.items)
	out.pending.state, out.pending.items = pendingNone, out.pending.items[:0]
}

// opensWhilePending notes that a block begins.
func (out *output) opensWhilePending() {
	switch out.pending.state {
	case pendingFirst:
		out.pending.state = pendingBoth
	case pendingBoth:
		out.release()
	}
}

// refusePending refuses the pending blocks because of a closer on its own after them. It reports
// whether there were any.
func (out *output) refusePending(line int) bool {
	if out.pending.state != pendingBoth {
		return false
	}
	for _, it := range out.pending.items {
		if it.Block != nil {
			out.blocks--
		}
	}
	h := out.pending
	clear(out.pending.items)
	out.pending.state, out.pending.items = pendingNone, out.pending.items[:0]
	code := diagnosis.Malformed
	out.emit(item{
		Diagnostic: &Diagnostic{Code: code, Line: h.lines[0],
			Found:    fmt.Sprintf("a block with another one inside, up to the closer in line %d", line),
			Expected: "markers in the text that differ from the block's own",
			Remedy:   out.remedy("put a backslash before the markers in the text, or use longer markers around it", fsm.Aider)},
		Attempt: &Attempt{Code: code, Line: h.lines[0], Lines: [2]int{h.lines[0], line}, Path: h.path},
	})
	out.uses.put(diagnosed, h.lines[0], line)
	out.ctx.markFenceHasEdit()
	return true
}
