package editdist

// Scan reads a text from its start. At each place it says how far the pattern is from the nearest
// piece of text that ends there, wherever it begins (Sellers, The theory and computation of
// evolutionary distances, 1980). That is a lower bound for the distance of every piece that ends
// there, in one pass for all of them. Only rows with a value within the limit are computed, after
// Ukkonen (Finding approximate patterns in strings, 1985).
type Scan struct {
	p      *Pattern
	k      int
	blocks []block
	// Only blocks lo to live-1 have values within k. There is at least one.
	lo, live int
	above    int    // value in the row above lo
	score    int    // value in the last row of live-1
	carry    uint64 // growth of the row above lo with each column
}

// Scan starts a scan with the limit k.
func (p *Pattern) Scan(k int) *Scan {
	if p.match == nil {
		p.allocate()
	}
	s := &Scan{p: p, k: k, blocks: make([]block, p.stride)}
	s.Restart()
	return s
}

// Restart starts a new scan. Pieces may begin anywhere in the text to come, until Close.
func (s *Scan) Restart() {
	*s = Scan{p: s.p, k: s.k, blocks: s.blocks}
	if len(s.blocks) > 0 {
		s.grow()
	}
}

// height returns the number of rows in block i.
func (s *Scan) height(i int) int { return min(rows, len(s.p.codes)-i*rows) }

// grow adds the next block.
func (s *Scan) grow() {
	s.blocks[s.live] = fresh
	s.score += s.height(s.live)
	s.live++
}

// Close says that no piece begins after this place. From then on, the work is limited to the
// neighbourhood of earlier pieces.
func (s *Scan) Close() { s.carry = 1 }

// Feed reads text. Its work counts towards the pattern's steps. Beyond the pattern's limit it
// stops, and the scan must not be used any more.
func (s *Scan) Feed(text []Code) {
	p := s.p
	if len(s.blocks) == 0 {
		return
	}
	for len(text) > 0 {
		n := min(2, len(text))
		// A value within k enters the next block from this one's last row, which shrinks by at most
		// one per column.
		for s.live < len(s.blocks) && s.score-n <= s.k {
			s.grow()
		}
		if p.steps += int64(n * (s.live - s.lo)); p.steps > p.limit {
			return
		}
		s.score += p.advance(s.blocks[s.lo:s.live], s.lo, text[:n], s.carry, s.height(s.live-1))
		s.above += n * int(s.carry)
		text = text[n:]
		// A cell of a block is less than the value in its last row by at most the number of rows in
		// between.
		for s.live > s.lo+1 && s.score-(rows-1) > s.k {
			s.live--
			s.score -= s.blocks[s.live].growth(s.height(s.live))
		}
		// While pieces may begin anywhere, the first row is zero. Afterwards, a block that has
		// grown past the limit stays there.
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

// Least returns the distance between the pattern and the nearest piece of text that ends here and
// true, if it is within the limit.
func (s *Scan) Least() (d int, ok bool) {
	if s.live < len(s.blocks) || s.score > s.k {
		return s.k + 1, false
	}
	return s.score, true
}
