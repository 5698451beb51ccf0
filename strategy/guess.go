package strategy

import (
	"encoding/binary"
	"unicode/utf8"
)

// mostInCommon is the window that has the most text in common with SEARCH, and how much that is, in
// symbols. Lines are in common if they are equal except for blanks at their ends. Among equals it
// is the first window in visiting order.
func (s *windowSearch) mostInCommon() (candidate, int) {
	type line struct{ first, wanted, found, size int }
	index := make(map[string]int)
	var lines []line
	for i := range s.search.Len() {
		text := trimECMA(s.search.Line(i))
		if len(text) == 0 {
			continue
		}
		n, seen := index[string(text)]
		if !seen {
			n = len(lines)
			index[string(text)] = n
			lines = append(lines, line{first: i, size: utf8.RuneCount(text)})
		}
		lines[n].wanted++
	}
	// Which of the lines each line of the document is, from 1; 0 for none. Often none is any.
	var which []int32
	end := s.last + s.height
	mark := func(i int, n int) {
		if which == nil {
			which = make([]int32, end)
		}
		which[i] = int32(n + 1)
	}
	for n, line := range lines {
		for i := range trimmedWindows(s.doc, s.search.part(line.first, line.first+1)) {
			if i >= s.first && i < end {
				mark(i, n)
			}
		}
	}
	if which == nil {
		return s.candidate(s.first), 0
	}
	common := 0
	enter := func(i int) {
		if n := which[i] - 1; n >= 0 {
			if lines[n].found++; lines[n].found <= lines[n].wanted {
				common += lines[n].size
			}
		}
	}
	leave := func(i int) {
		if n := which[i] - 1; n >= 0 {
			if lines[n].found--; lines[n].found < lines[n].wanted {
				common -= lines[n].size
			}
		}
	}
	return s.greatest(&common, enter, leave)
}

// gramHashBits is the size of the set of a pattern's grams: 2 KiB, in which a block of 1,000 bytes
// fills one bit in 16.
const gramHashBits = 14

func gramHash(text []byte) uint32 {
	return binary.LittleEndian.Uint32(text) * 2654435769 >> (32 - gramHashBits)
}

// mostGrams is the window with the most sequences of four bytes that occur in SEARCH, too. Those
// that begin or end in a blank do not count. It recognises a block of which no line is left as it
// was.
func (s *windowSearch) mostGrams() candidate {
	var set [1 << gramHashBits / 64]uint64
	for i := range s.search.Len() {
		for line := s.search.Line(i); len(line) >= 4; line = line[1:] {
			h := gramHash(line)
			set[h/64] |= 1 << (h % 64)
		}
	}
	grams := make([]int32, s.last+s.height)
	s.read += 2 * int64(len(s.doc.Text())) // two units for four bytes
	for i := s.first; i < len(grams); i++ {
		for line := s.doc.Line(i); len(line) >= 4; line = line[1:] {
			if line[0] > ' ' && line[3] > ' ' {
				h := gramHash(line)
				grams[i] += int32(set[h/64] >> (h % 64) & 1)
			}
		}
	}
	common := 0
	best, _ := s.greatest(&common,
		func(i int) { common += int(grams[i]) },
		func(i int) { common -= int(grams[i]) })
	return best
}

// greatest is the window at which value is greatest, and that value; among equals the first window
// in visiting order. enter and leave change value as lines enter and leave the window.
func (s *windowSearch) greatest(value *int, enter, leave func(line int)) (candidate, int) {
	best, most := s.first, -1
	for end := s.first; end < s.last+s.height; end++ {
		enter(end)
		first := end - s.height + 1
		if first < s.first {
			continue
		}
		if *value > most || *value == most && s.order.rank(first) < s.order.rank(best) {
			best, most = first, *value
		}
		leave(first)
	}
	return s.candidate(best), most
}
