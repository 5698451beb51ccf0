package parser

import "github.com/srpatch/srpatch/parser/internal/chatlog"

// Parse reads a whole reply. If nothing had to be removed from their text, the blocks contain
// slices of the reply, not copies, so the reply must not be changed while they are in use.
func Parse(reply []byte, opts ...Option) *Reply {
	switch {
	case isJSONLog(reply):
		return &Reply{Diagnostics: []Diagnostic{jsonLog()}}
	case chatlog.IsLog(reply):
		return parseLog(reply, opts)
	}
	return parse(reply, 1, opts)
}

// parse reads a text whose first line has the given number.
func parse(text []byte, line int, opts []Option) *Reply {
	return newScanner(text, line, opts...).reply()
}

// Append adds the contents of another reply, so that both can be applied together. It continues the
// numbering of the blocks and gives the added blocks higher turns.
func (r *Reply) Append(next *Reply) {
	id, turn := 0, 0
	if n := len(r.Blocks); n > 0 {
		id, turn = r.Blocks[n-1].ID, r.Blocks[n-1].Turn+1
	}
	for i, b := range next.Blocks {
		b.ID, b.Turn = id+i+1, turn+b.Turn
		r.Blocks = append(r.Blocks, b)
	}
	r.Shell = append(r.Shell, next.Shell...)
	r.Diagnostics = append(r.Diagnostics, next.Diagnostics...)
	r.Attempts = append(r.Attempts, next.Attempts...)
	r.Noticed = append(r.Noticed, next.Noticed...)
}

// add appends an item to the list for its kind, and numbers a block.
func (r *Reply) add(it item) {
	switch {
	case it.Block != nil:
		it.Block.ID = len(r.Blocks) + 1
		r.Blocks = append(r.Blocks, *it.Block)
	case it.Shell != nil:
		r.Shell = append(r.Shell, *it.Shell)
	case it.Noticed != nil:
		r.Noticed = append(r.Noticed, *it.Noticed)
	case it.Diagnostic != nil:
		r.Diagnostics = append(r.Diagnostics, *it.Diagnostic)
		if it.Attempt != nil {
			r.Attempts = append(r.Attempts, *it.Attempt)
		}
	}
}
