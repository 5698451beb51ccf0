package parser

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// requests are edits in words. They are kept back to the end of the reply, for those that a block carries out only tell what it does.
type requests struct {
	kept   []item
	blocks []*Block // the last one, and of earlier ones the last small ones
	closed bool
}

const (
	// maxRequests is how many requests are kept, and how many blocks; what is beyond is emitted at
	// once.
	maxRequests = 64
	// maxCarrying is how large a small block is, in bytes.
	maxCarrying = 16 << 10
)

// keep keeps an item back if it is a request that no block carries out so far. What is carried out is dropped.
func (q *requests) keep(it item) bool {
	if b := it.Block; b != nil {
		q.add(b)
		q.kept = slices.DeleteFunc(q.kept, func(it item) bool { return carriesOut(b, it.Noticed) })
	}
	n := it.Noticed
	if n == nil || n.new == "" || q.closed || len(q.kept) == maxRequests {
		return false
	}
	if !slices.ContainsFunc(q.blocks, func(b *Block) bool { return carriesOut(b, n) }) {
		q.kept = append(q.kept, it)
	}
	return true
}

func (q *requests) add(b *Block) {
	if n := len(q.blocks) - 1; n >= 0 && len(q.blocks[n].Search)+len(q.blocks[n].Replace) > maxCarrying {
		q.blocks = q.blocks[:n]
	}
	if len(q.blocks) == maxRequests {
		q.blocks = slices.Delete(q.blocks, 0, 1)
	}
	q.blocks = append(q.blocks, b)
}

// carriesOut reports whether a block has both texts of a request, and may be for its file.
func carriesOut(b *Block, n *Noticed) bool {
	other := n.Path != "" && b.Path != "" && path.Base(n.Path) != path.Base(b.Path)
	return !other && hasText(b.Search, n.old) && hasText(b.Replace, n.new)
}

// hasText reports whether a side of a block has a text, which consists of whole lines if it begins
// with a line feed.
func hasText(side []byte, text string) bool {
	lines, whole := strings.CutPrefix(text, "\n")
	return bytes.Contains(side, []byte(text)) || whole && bytes.HasPrefix(side, []byte(lines))
}

// end emits what is kept.
func (q *requests) end(out *output) {
	q.closed = true
	for _, it := range q.kept {
		out.emit(it)
	}
	q.kept = nil
}
