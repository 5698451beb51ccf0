package editdist

import "math/bits"

// rows is the height of a block.
const rows = 64

// block is a column of 64 rows of the table, stored as differences: the rows that are one more, and
// one less, than the row above.
type block struct{ up, down uint64 }

// fresh is a block about which nothing is known but the value of the row above. Each row is one
// more than the one above, which is the most it can be.
var fresh = block{up: ^uint64(0)}

// growth returns the value of the block's n-th row, counted from 1, minus that of the row above the
// block.
func (b block) growth(n int) int {
	mask := ^uint64(0) >> (rows - n)
	return bits.OnesCount64(b.up&mask) - bits.OnesCount64(b.down&mask)
}

// advance moves blocks on by one or two columns. It returns by how much the value in row n of the
// last block has changed, with rows counted from 1. first is the number of blocks[0] in the
// pattern. The row above blocks[0] grows by carry, 0 or 1, with each column.
//
// Two columns at a time are faster than one: the second follows the first block by block, and the
// processor works on both at once.
func (p *Pattern) advance(blocks []block, first int, columns []Code, carry uint64, n int) int {
	last := uint(n-1) % rows
	eq := p.match[int(columns[0])*p.stride+first:][:len(blocks)]
	carry1, borrow1, grows1, shrinks1 := carry, uint64(0), uint64(0), uint64(0)
	if len(columns) == 1 {
		for i := range blocks {
			at := &blocks[i]
			*at, grows1, shrinks1 = at.step(eq[i], carry1, borrow1)
			carry1, borrow1 = grows1>>(rows-1), shrinks1>>(rows-1)
		}
		return int(grows1>>last&1) - int(shrinks1>>last&1)
	}
	next := p.match[int(columns[1])*p.stride+first:][:len(blocks)]
	carry2, borrow2, grows2, shrinks2 := carry, uint64(0), uint64(0), uint64(0)
	for i, at := range blocks {
		at, grows1, shrinks1 = at.step(eq[i], carry1, borrow1)
		carry1, borrow1 = grows1>>(rows-1), shrinks1>>(rows-1)
		blocks[i], grows2, shrinks2 = at.step(next[i], carry2, borrow2)
		carry2, borrow2 = grows2>>(rows-1), shrinks2>>(rows-1)
	}
	return int(grows1>>last&1) - int(shrinks1>>last&1) + int(grows2>>last&1) - int(shrinks2>>last&1)
}

// step returns the block one column on, by Myers' bit formulas. eq has the rows with the column's
// symbol. carry and borrow are 1 if the row above the block grew or shrank by one in this column;
// grows and shrinks are the rows of the block that did.
func (b block) step(eq, carry, borrow uint64) (next block, grows, shrinks uint64) {
	vertical := eq | b.down
	eq |= borrow
	diagonal := (eq&b.up + b.up) ^ b.up | eq
	grows = b.down | ^(diagonal | b.up)
	shrinks = b.up & diagonal
	right := grows<<1 | carry
	return block{shrinks<<1 | borrow | ^(vertical | right), right & vertical}, grows, shrinks
}
