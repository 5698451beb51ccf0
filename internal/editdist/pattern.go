package editdist

import (
	"math"
	"slices"
)

// Pattern is a text that is prepared for comparisons with many others. It has scratch space, so it
// must be used by one goroutine at a time. Comparisons allocate nothing.
type Pattern struct {
	// immutable
	alphabet alphabet
	codes    []Code
	stride   int      // blocks of 64 rows
	match    []uint64 // stride words per code: the rows that hold it

	// scratch
	blocks []block // between calls of no meaning
	steps  int64
	limit  int64
}

// Prepare returns a pattern of symbols.
func Prepare(symbols []Symbol) *Pattern {
	p := &Pattern{codes: make([]Code, len(symbols)), stride: (len(symbols) + rows - 1) / rows}
	for i, s := range symbols {
		p.codes[i] = p.alphabet.intern(s)
	}
	p.limit = math.MaxInt64
	return p
}

// Words returns the memory that comparisons take, in words of 8 bytes: one for each pair of a
// distinct symbol and 64 symbols of length. The first comparison allocates it.
func (p *Pattern) Words() int { return (p.alphabet.size + 1) * p.stride }

// allocate makes the memory for comparisons, and fills in which rows hold which symbol.
func (p *Pattern) allocate() {
	p.match = make([]uint64, p.Words())
	for i, c := range p.codes {
		p.match[int(c)*p.stride+i/rows] |= 1 << (i % rows)
	}
	p.blocks = make([]block, p.stride)
}

// Len returns the length of the pattern in symbols.
func (p *Pattern) Len() int { return len(p.codes) }

// Size returns the number of distinct symbols in the pattern; codes run from 0 to Size.
func (p *Pattern) Size() int { return p.alphabet.size }

// Code returns the code of s in the pattern's alphabet, or 0 if the pattern doesn't have s. Texts
// to be compared are sequences of codes.
func (p *Pattern) Code(s Symbol) Code {
	if uint32(s) < ascii {
		return p.alphabet.ascii[s]
	}
	return p.alphabet.rare(s)
}

// AppendCodes appends the codes of text to dst.
func (p *Pattern) AppendCodes(dst []Code, text []byte) []Code {
	dst = slices.Grow(dst, len(text))
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

// Steps returns the work done by all calls of Within since the pattern was made, in blocks of 64
// rows times columns. It depends on the texts alone, so it can be budgeted.
func (p *Pattern) Steps() int64 { return p.steps }

// Limit makes Within give up, as if the distance were greater, once Steps exceeds the given number.
func (p *Pattern) Limit(steps int64) { p.limit = steps }

func (p *Pattern) exceeded() bool { return p.steps > p.limit }

// Within returns the edit distance between the pattern and text and true, if it is at most k.
// Otherwise it returns some number greater than k, and false. For a distance d it takes O(min(d,
// k)/64 · len(text)) steps, and it stops as soon as no path within k is left.
func (p *Pattern) Within(text []Code, k int) (d int, ok bool) {
	m, n := len(p.codes), len(text)
	if diff := max(m-n, n-m); diff > k {
		return max(diff, k+1), false
	}

	// Equal ends cost nothing. At the end any number of rows can be skipped, at the start only
	// whole blocks.
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
	if p.match == nil {
		p.allocate()
	}
	if m-head <= rows {
		return p.withinBlock(head/rows, m-head, text[head:n], k)
	}
	// A low limit makes similar texts cheap to compare, so the limit is raised step by step. Texts
	// that aren't similar are given up after a part of the columns that grows with the limit. So
	// all steps together cost less than half of the whole table.
	for try := firstTry; try < min(k, (m-head)/4); try *= 2 {
		if d, ok = p.within(head/rows, m-head, text[head:n], try); ok {
			return d, true
		}
		if p.exceeded() {
			return k + 1, false
		}
	}
	return p.within(head/rows, m-head, text[head:n], k)
}

// firstTry is a limit at which a column costs little more than its overhead: two or three blocks.
const firstTry = 128

// withinBlock is within for m of at most 64, which one block holds. Most lines are no longer.
func (p *Pattern) withinBlock(first, m int, text []Code, k int) (int, bool) {
	b, score, last := fresh, m, uint(m-1)%rows
	for j, c := range text {
		var grows, shrinks uint64
		b, grows, shrinks = b.step(p.match[int(c)*p.stride+first], 1, 0)
		score += int(grows>>last&1) - int(shrinks>>last&1)
		p.steps++
		if score-(len(text)-1-j) > k || p.steps > p.limit { // each column to come saves at most one
			return k + 1, false
		}
	}
	return score, true
}

// within returns the edit distance between m symbols of the pattern, from block first on, and text,
// and true, if it is at most k. Otherwise it returns more than k, and false. m must
// be at least 1, and text must not be empty.
func (p *Pattern) within(first, m int, text []Code, k int) (int, bool) {
	count := (m + rows - 1) / rows
	blocks := p.blocks[:count]

	// The live blocks are lo to hi-1. No path within k passes those above and below. The row above
	// the live blocks counts as growing by one per column, as row 0 does; it can't grow faster.
	lo, hi := 0, 1
	above, score := 0, min(rows, m) // values in the row above lo and in the last row of hi-1
	blocks[0] = fresh
	left := len(text) // columns to come
	for left > 0 {
		columns := text[len(text)-left:]
		columns = columns[:min(2, left)]
		n := len(columns)
		for hi < count {
			// A path enters the next block from the last row of this one. There, the value and the
			// difference between the remaining rows and columns shrink by at most one per column.
			if off := m - hi*rows - left; score+max(off, -off)-2*n > k {
				break
			}
			blocks[hi] = fresh
			score += min(rows, m-hi*rows)
			hi++
		}
		if p.steps += int64(n * (hi - lo)); p.steps > p.limit {
			return k + 1, false
		}
		score += p.advance(blocks[lo:hi], first+lo, columns, 1, min(rows, m-(hi-1)*rows))
		above += n
		left -= n

		for lo < hi {
			bottom := above + blocks[lo].growth(min(rows, m-lo*rows))
			if bound(bottom, m-(lo+1)*rows, left) <= k {
				break
			}
			above = bottom
			lo++
		}
		for lo < hi && bound(score, m-hi*rows, left) > k {
			hi--
			score -= blocks[hi].growth(min(rows, m-hi*rows))
		}
		if lo == hi {
			return k + 1, false
		}
	}
	if hi < count {
		return k + 1, false
	}
	return score, score <= k
}

// bound returns a lower bound for the cost of any path through a block. score is the value in the
// block's last row. below is the number of rows under that row, and left the number of columns still to
// its right.
// The cell x rows above the last is at least score-x, and the way to the end costs at least the
// difference between the remaining rows and columns. Over x in [0, 63], the sum is least at x = 63
// or where the difference vanishes.
func bound(score, below, left int) int {
	off := max(below, 0) - left
	if off >= -(rows - 1) {
		return score + off
	}
	return score - off - 2*(rows-1)
}
