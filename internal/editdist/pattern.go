package editdist

import "math"

// Pattern is a text prepared for being compared with many others. It holds scratch space, so it serves one goroutine
// at a time; comparing allocates nothing.
type Pattern struct {
	// immutable
	alphabet alphabet
	codes    []Code
	stride   int      // blocks of 64 rows
	match    []uint64 // stride words per code: the rows that hold it

	// scratch
	blocks []block
	steps  int64
	limit  int64
}

// block is a column of 64 rows of the table: row i holds the difference of its value to that of row i-1.
type block struct {
	up, down uint64 // rows that are one more, one less than the row above
	score    int    // value in the last row
}

const rows = 64

// Prepare makes a pattern of symbols.
func Prepare(symbols []Symbol) *Pattern {
	p := &Pattern{codes: make([]Code, len(symbols)), stride: (len(symbols) + rows - 1) / rows}
	for i, s := range symbols {
		p.codes[i] = p.alphabet.intern(s)
	}
	p.limit = math.MaxInt64
	return p
}

// Words is the memory that comparing takes, in words of 8 bytes: one for each pair of a distinct symbol and 64 symbols
// of length. It is allocated by the first comparison.
func (p *Pattern) Words() int { return (p.alphabet.size + 1) * p.stride }

func (p *Pattern) allocate() {
	p.match = make([]uint64, p.Words())
	for i, c := range p.codes {
		p.match[int(c)*p.stride+i/rows] |= 1 << (i % rows)
	}
	p.blocks = make([]block, p.stride)
}

// Len is the length of the pattern in symbols.
func (p *Pattern) Len() int { return len(p.codes) }

// Size is the number of distinct symbols in the pattern; codes run from 0 to Size.
func (p *Pattern) Size() int { return p.alphabet.size }

// Codes are the pattern's own symbols, to be read only.
func (p *Pattern) Codes() []Code { return p.codes }

// Code is the number of s in the pattern's alphabet. Texts to be compared are sequences of them.
func (p *Pattern) Code(s Symbol) Code {
	if uint32(s) < ascii {
		return p.alphabet.ascii[s]
	}
	return p.alphabet.rare(s)
}

// AppendCodes appends the codes of text to dst.
func (p *Pattern) AppendCodes(dst []Code, text []byte) []Code {
	for i := 0; i < len(text); {
		s, n := Symbol(text[i]), 1
		if s >= ascii {
			s, n = Decode(text[i:])
		}
		dst = append(dst, p.Code(s))
		i += n
	}
	return dst
}

// Steps is the work done by all calls of Within since the pattern was made, in blocks of 64 rows times columns. It
// depends on the texts alone, so it can be budgeted.
func (p *Pattern) Steps() int64 { return p.steps }

// Limit makes Within give up, as if the distance were greater, as soon as Steps passes the given number.
func (p *Pattern) Limit(steps int64) { p.limit = steps }

// Exceeded reports whether the limit has been passed, so that an answer may have been given up.
func (p *Pattern) Exceeded() bool { return p.steps > p.limit }

// Within is the edit distance between the pattern and text if that is at most k, and true; otherwise some number
// greater than k and false. It takes O(min(k, length)/64 · len(text)) steps, and stops as soon as no path within k is
// left.
func (p *Pattern) Within(text []Code, k int) (d int, ok bool) {
	m, n := len(p.codes), len(text)
	if diff := max(m-n, n-m); diff > k {
		return max(diff, k+1), false
	}

	// Equal ends cost nothing. At the end any number of rows may be left out, at the start whole blocks only.
	tail := 0
	for tail < min(m, n) && p.codes[m-1-tail] == text[n-1-tail] {
		tail++
	}
	m, n = m-tail, n-tail
	head := 0
	for head < min(m, n) && p.codes[head] == text[head] {
		head++
	}
	if m == head || n == head {
		return max(m, n) - head, true
	}
	head -= head % rows
	return p.within(head/rows, m-head, text[head:n], k)
}

// within compares the m symbols of the pattern from block first on with text; neither is empty.
func (p *Pattern) within(first, m int, text []Code, k int) (int, bool) {
	if p.match == nil {
		p.allocate()
	}
	n := len(text)
	count := (m + rows - 1) / rows
	blocks := p.blocks[:count]
	end := (m - 1) % rows // the last row of the last block

	// The live blocks are lo to hi-1. Those above and below hold no cell on a path within k.
	lo, hi := 0, 1
	blocks[0] = block{up: ^uint64(0), score: min(rows, m)}

	for j, c := range text {
		left := n - j // columns from the previous one to the end
		for hi < count {
			// A path comes into the next block from the last row of this one: along the diagonal out of the previous
			// column, or straight down within this one, where the row holds at least score-1.
			last := blocks[hi-1].score
			if off := m - hi*rows - left; last+max(off, -off)-2 > k {
				break
			}
			blocks[hi] = block{up: ^uint64(0), score: last + min(rows, m-hi*rows)}
			hi++
		}
		if p.steps += int64(hi - lo); p.steps > p.limit {
			return k + 1, false
		}

		match := p.match[int(c)*p.stride+first:][:count]
		// Above the band the row grows by one per column; so it does in row 0.
		carry, borrow := uint64(1), uint64(0)
		for b := lo; b < hi; b++ {
			last := rows - 1
			if b == count-1 {
				last = end
			}
			carry, borrow = blocks[b].step(match[b], last, carry, borrow)
		}

		left--
		for lo < hi && blocks[lo].bound(m-(lo+1)*rows, left) > k {
			lo++
		}
		for lo < hi && blocks[hi-1].bound(m-hi*rows, left) > k {
			hi--
		}
		if lo == hi {
			return k + 1, false
		}
	}
	if hi < count {
		return k + 1, false
	}
	d := blocks[count-1].score
	return d, d <= k
}

// step moves the block on by one column. The rows in eq hold the column's symbol; carry and borrow say whether the row
// above grew or shrank by one, and so do the results for the block's last row.
func (b *block) step(eq uint64, last int, carry, borrow uint64) (outCarry, outBorrow uint64) {
	up, down := b.up, b.down
	vertical := eq | down
	eq |= borrow
	diagonal := (eq&up + up) ^ up | eq
	right := down | ^(diagonal | up)
	back := up & diagonal
	outCarry, outBorrow = right>>(last&63)&1, back>>(last&63)&1
	b.score += int(outCarry) - int(outBorrow)
	right = right<<1 | carry
	back = back<<1 | borrow
	b.up = back | ^(vertical | right)
	b.down = right & vertical
	return outCarry, outBorrow
}

// bound is a lower bound for the cost of any path through the block, with the given numbers of rows below it and of
// columns to its right. The cell x rows above the last costs at least score-x, and the way to the end at least the
// difference between the rows and the columns that remain; the least sum over x in [0, 63] is at x = 63 or where the
// difference vanishes.
func (b *block) bound(below, left int) int {
	off := max(below, 0) - left
	if off >= -(rows - 1) {
		return b.score + off
	}
	return b.score - off - 2*(rows-1)
}
