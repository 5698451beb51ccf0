package parser

import (
	"bytes"
	"path"
	"slices"
)

// requests are edits in words. They are kept back to the end of the reply, for those that a block carries out only tell what it does.
type requests struct {
	kept   []Item
	last   [2][]byte // the sides of the last block
	path   string    // its file
	closed bool
}

// maxRequests is how many are kept; what is beyond is emitted at once.
const maxRequests = 64

// keep keeps an item back if it is a request that no block carries out so far. What is carried out is dropped.
func (q *requests) keep(it Item) bool {
	if b := it.Block; b != nil {
		q.last, q.path = [2][]byte{b.Search, b.Replace}, b.Path
		q.kept = slices.DeleteFunc(q.kept, func(it Item) bool { return q.carriesOut(it.Noticed) })
	}
	n := it.Noticed
	if n == nil || n.new == "" || q.closed || len(q.kept) == maxRequests {
		return false
	}
	if !q.carriesOut(n) {
		q.kept = append(q.kept, it)
	}
	return true
}

// carriesOut reports whether the last block has both texts of a request, and may be for its file.
func (q *requests) carriesOut(n *Noticed) bool {
	other := n.Path != "" && q.path != "" && path.Base(n.Path) != path.Base(q.path)
	return !other && bytes.Contains(q.last[0], []byte(n.old)) && bytes.Contains(q.last[1], []byte(n.new))
}

// end emits what is kept.
func (q *requests) end(out *output) {
	q.closed = true
	for _, it := range q.kept {
		out.emit(it)
	}
	q.kept = nil
}
