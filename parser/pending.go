package parser

import (
	"fmt"

	"github.com/srpatch/srpatch/fsm"
)

// pending keeps back the items read since a block was taken as closed because another opener follows. If a closer on its own
// follows that second block, the second was an example in the text of the first, and neither was understood.
type pending struct {
	state pendingState
	items []Item
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
func (s *Scanner) keepPending(b *Block) {
	s.release()
	s.pending = pending{state: pendingFirst, lines: b.Lines, path: b.Path, items: s.pending.items[:0]}
}

// release emits the pending items.
func (s *Scanner) release() {
	s.queue = append(s.queue, s.pending.items...)
	clear(s.pending.items)
	s.pending.state, s.pending.items = pendingNone, s.pending.items[:0]
}

// opensWhilePending notes that a block begins.
func (s *Scanner) opensWhilePending() {
	switch s.pending.state {
	case pendingFirst:
		s.pending.state = pendingBoth
	case pendingBoth:
		s.release()
	}
}

// refusePending refuses the pending blocks because of a closer on its own after them. It reports whether there were any.
func (s *Scanner) refusePending(line int) bool {
	if s.pending.state != pendingBoth {
		return false
	}
	for _, it := range s.pending.items {
		if it.Block != nil {
			s.blocks--
		}
	}
	h := s.pending
	clear(s.pending.items)
	s.pending.state, s.pending.items = pendingNone, s.pending.items[:0]
	code := string(fsm.Malformed)
	s.emit(Item{
		Diagnostic: &Diagnostic{Code: code, Line: h.lines[0],
			Found:    fmt.Sprintf("a block with another one inside, up to the closer in line %d", line),
			Expected: "markers in the text that differ from the block's own",
			Remedy:   s.remedy("put a backslash before the markers in the text, or use longer markers around it", fsm.Aider)},
		Attempt: &Attempt{Code: code, Line: h.lines[0], Lines: [2]int{h.lines[0], line}, Path: h.path},
	})
	s.uses.put(diagnosed, h.lines[0], line)
	s.markFenceHasEdit()
	return true
}
