package editdist

// Scan reads a text from its start and says at each place how far the pattern is from the nearest
// piece of text that ends there, wherever it begins (Sellers, The theory and computation of
// evolutionary distances, 1980). It is a lower bound for the distance of every piece that ends
// there, in one pass for all of them. Only the rows are computed that hold a value within the
// limit, after Ukkonen (Finding approximate patterns in strings, 1985).
type Scan struct {
	p      *Pattern
	k      int
	blocks []block
	// Values within k are in the blocks lo to live-1 only; there is at least one.
	lo, live int
	above    int    // value in the row above lo
	score    int    // value in the last row of live-1
	carry    uint64 // growth of the row above lo with each column
}

// Scan begins a scan with the limit k.
func (p *Pattern) Scan(k int) *Scan {
	if p.match == nil {
		p.allocate()
	}
	s := &Scan{p: p, k: k, blocks: make([]block, p.stride)}
	s.Restart()
	return s
}

// Restart begins anew, at a place where pieces may begin.
func (s *Scan) Restart() {
	*s = Scan{p: s.p, k: s.k, blocks: s.blocks}
	if len(s.blocks) > 0 {
		s.grow()
	}
}

// height returns the number of rows in block i.
func (s *Scan) height(i int) int { return min(rows, len(s.p.codes)-i*rows) }

// grow takes in the next block.
func (s *Scan) grow() {
	s.blocks[s.live] = fresh
	s.score += s.height(s.live)
	s.live++
}

// Close says that no piece begins after this place. The work for the text to come is limited to the
// neighbourhood of such pieces then.
func (s *Scan) Close() { s.carry = 1 }

// Feed reads on. Its work counts among the pattern's steps; past the pattern's limit it stops, and
// the scan is of no further use.
func (s *Scan) Feed(text []Code) {
	p := s.p
	if len(s.blocks) == 0 {
		return
	}
	for len(text) > 0 {
		n := min(2, len(text))
		// A value within k comes into the next block from this one's last row, which shrinks by at
		// most one per column.
		for s.live < len(s.blocks) && s.score-n <= s.k {
			s.grow()
		}
		if p.steps += int64(n * (s.live - s.lo)); p.steps > p.limit {
			return
		}
		s.score += p.advance(s.blocks[s.lo:s.live], s.lo, text[:n], s.carry, s.height(s.live-1))
		s.above += n * int(s.carry)
		text = text[n:]
		// No cell of a block is less than the value in its last row by more than the rows above
		// that.
		for s.live > s.lo+1 && s.score-(rows-1) > s.k {
			s.live--
			s.score -= s.blocks[s.live].growth(s.height(s.live))
		}
		// While pieces may begin anywhere the first row holds zero. Later, what has grown past the
		// limit stays there.
		for s.carry > 0 && s.lo+1 < s.live {
			bottom := s.above + s.blocks[s.lo].growth(rows)
			if bottom-(rows-1) <= s.k {
				break
			}
			s.above = bottom
			s.lo++
		}
	}
}

// Least returns the distance between the pattern and the nearest piece of text that ends here if
// that is at most the limit, and true.
func (s *Scan) Least() (d int, ok bool) {
	if s.live < len(s.blocks) || s.score > s.k {
		return s.k + 1, false
	}
	return s.score, true
}
