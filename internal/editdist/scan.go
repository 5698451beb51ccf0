package editdist

// Scan reads a text from its start and tells at each place how far the pattern is from the nearest piece of text that
// ends there, wherever it begins (Sellers, The theory and computation of evolutionary distances, 1980). It is a lower
// bound for the distance of every piece that ends there, in one pass for all of them. Only the rows are computed that
// hold a value within the limit, after Ukkonen (Finding approximate patterns in strings, 1985).
type Scan struct {
	p      *Pattern
	k      int
	blocks []block
	live   int // blocks that hold a value within k, at least one
}

// Scan begins a scan with the limit k.
func (p *Pattern) Scan(k int) *Scan {
	if p.match == nil {
		p.allocate()
	}
	s := &Scan{p: p, k: k, blocks: make([]block, p.stride)}
	if p.stride > 0 {
		s.blocks[0] = s.fresh(0, 0)
		s.live = 1
	}
	return s
}

// fresh is block b as it stands below a row of value top when nothing better is known.
func (s *Scan) fresh(b, top int) block {
	return block{up: ^uint64(0), score: top + min(rows, len(s.p.codes)-b*rows)}
}

// Feed reads on. Its work counts among the pattern's steps; past the pattern's limit it stops, and the scan is of no
// further use.
func (s *Scan) Feed(text []Code) {
	p := s.p
	count := len(s.blocks)
	end := (len(p.codes) - 1) & (rows - 1)
	for _, c := range text {
		for s.live < count && s.blocks[s.live-1].score-1 <= s.k {
			s.blocks[s.live] = s.fresh(s.live, s.blocks[s.live-1].score)
			s.live++
		}
		if p.steps += int64(s.live); p.steps > p.limit {
			return
		}
		match := p.match[int(c)*p.stride:][:s.live]
		carry, borrow := uint64(0), uint64(0)
		for b, eq := range match {
			last := rows - 1
			if b == count-1 {
				last = end
			}
			carry, borrow = s.blocks[b].step(eq, last, carry, borrow)
		}
		// No cell of the last block is less than its score by more than the rows above it.
		for s.live > 1 && s.blocks[s.live-1].score-(rows-1) > s.k {
			s.live--
		}
	}
}

// Least is the distance between the pattern and the nearest piece of text that ends here if that is at most the
// limit, and true.
func (s *Scan) Least() (d int, ok bool) {
	if s.live < len(s.blocks) {
		return s.k + 1, false
	}
	if s.live == 0 {
		return 0, true
	}
	d = s.blocks[s.live-1].score
	return d, d <= s.k
}
