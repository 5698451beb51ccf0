package apply

import (
	"bytes"
	"maps"
	"slices"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/strategy"
)

// rendered are the lines that c adds as the file wants them, without line ends, in the indentation of m.
func (s *splice) rendered(c change, m *indent.Map) [][]byte {
	out := make([][]byte, 0, c.r1-c.r0)
	keeps := s.keepsShape(c)
	for r := c.r0; r < c.r1; r++ {
		like := c.s0
		if keeps {
			like = c.near(r)
		}
		out = append(out, s.renderedLine(r, c, m, like))
	}
	return out
}

// renderedLine is REPLACE's line r, which c adds, indented like a line of SEARCH.
func (s *splice) renderedLine(r int, c change, m *indent.Map, like int) []byte {
	line := s.replace.Line(r)
	if s.repair != nil {
		line = s.repair(line)
	}
	if indent.Blank(line) {
		return line
	}
	own := indent.Of(line)
	margin := m.Apply(own, like)
	if moved, ok := s.moved[r]; ok {
		return slices.Concat(margin, moved)
	}
	if merged, ok := s.merged(r, c); ok {
		return slices.Concat(margin, merged)
	}
	if bytes.Equal(margin, own) {
		return line
	}
	return slices.Concat(margin, line[len(own):])
}

// keepsShape reports whether the lines that c adds are indented as those they replace, so that each goes by its own; else all
// go by the first, so that they stay together. A change that reaches over more lines of the file than SEARCH has, as REPLACE
// does that is put over all of a place, has no shape to keep.
func (s *splice) keepsShape(c change) bool {
	if c.s1-c.s0 != c.r1-c.r0 || c.s1 > s.search.Len() {
		return false
	}
	for k := range c.s1 - c.s0 {
		if !bytes.Equal(indent.Of(s.search.Line(c.s0+k)), indent.Of(s.replace.Line(c.r0+k))) {
			return false
		}
	}
	return true
}

// merged is the text of REPLACE line r without indentation, where it changes one SEARCH line that the file has with slips:
// what SEARCH and REPLACE share stays the file's, and only what they differ in is put in.
func (s *splice) merged(r int, c change) ([]byte, bool) {
	if c.s1-c.s0 != c.r1-c.r0 {
		return nil, false
	}
	i := c.near(r)
	q := s.alignment[s.at[i]]
	if q.File < 0 || q.Relation < strategy.Folded || q.Relation == strategy.Partial || q.Relation == strategy.Reflowed {
		return nil, false
	}
	body := func(line []byte) []byte {
		if s.repair != nil {
			line = s.repair(line)
		}
		return bytes.Trim(line, " \t")
	}
	return mergeLine(body(s.search.Line(i)), bytes.Trim(s.doc.Line(q.File), " \t"), body(s.replace.Line(r)))
}

// findMoves pairs added lines with deleted ones of the same text, where both are unique in the block: such a line was
// moved, and takes the file's bytes along.
func (s *splice) findMoves() {
	type seen struct{ search, replace, times int }
	byText := map[string]*seen{}
	note := func(line []byte) *seen {
		key := string(bytes.TrimSpace(line))
		if byText[key] == nil {
			byText[key] = &seen{search: -1, replace: -1}
		}
		return byText[key]
	}
	for _, c := range s.changes {
		for i := c.s0; i < c.s1; i++ {
			n := note(s.search.Line(i))
			n.search, n.times = i, n.times+1
		}
		for r := c.r0; r < c.r1; r++ {
			n := note(s.replace.Line(r))
			n.replace, n.times = r, n.times+1
		}
	}
	s.moved = map[int][]byte{}
	for text, n := range byText {
		if text == "" || n.times != 2 || n.search < 0 || n.replace < 0 {
			continue
		}
		q := s.alignment[s.at[n.search]]
		f := q.File
		if q.Relation >= strategy.Similar {
			continue // the file's line has changed since, and the block does not know it
		}
		// Trailing blanks that REPLACE drops or adds are meant.
		if f < 0 || !bytes.Equal(bytes.TrimLeft(s.search.Line(n.search), " \t"), bytes.TrimLeft(s.replace.Line(n.replace), " \t")) {
			continue
		}
		s.moved[n.replace] = bytes.TrimLeft(s.doc.Line(f), " \t")
	}
}

// indentWithout is what the alignment proves of indentation, SEARCH lines that skip names left out.
func (s *splice) indentWithout(skip func(line int) bool) *indent.Map {
	kept := slices.DeleteFunc(slices.Clone(s.alignment), func(p strategy.Pair) bool { return p.Search >= 0 && skip(p.Search) })
	return indent.Learn(s.indentPairs(kept), s.step())
}

// indentPairs are the indentations that the alignment proves.
func (s *splice) indentPairs(a strategy.Alignment) []indent.Pair {
	var pairs, inside []indent.Pair
	agree := 0
	for _, p := range a {
		if p.Search < 0 || p.File < 0 || p.Relation == strategy.Partial || s.blank(p.Search) {
			continue
		}
		line := s.search.Line(p.Search)
		if s.repair != nil {
			line = s.repair(line)
		}
		q := indent.Pair{Line: p.Search, Search: indent.Of(line), File: indent.Of(s.doc.Line(p.File))}
		if len(line) > len(q.Search) && line[len(q.Search)] == '*' {
			inside = append(inside, q) // a comment's star stands one blank deeper than any level
			continue
		}
		if bytes.Equal(q.Search, q.File) {
			agree++
		}
		pairs = append(pairs, q)
	}
	if len(pairs) == 0 {
		return inside
	}
	// A copy that begins behind the first line's indentation says nothing about the others.
	if len(pairs) > 1 && agree == len(pairs)-1 && len(pairs[0].Search) == 0 && len(pairs[0].File) > 0 {
		return pairs[1:]
	}
	return pairs
}

// step is how many blanks REPLACE indents by: the smallest difference between two of its lines; 0 if it has none, or tabs.
func (s *splice) step() int {
	depths := map[int]bool{}
	for r := range s.replace.Len() {
		line := s.replace.Line(r)
		own := indent.Of(line)
		if bytes.IndexByte(own, '\t') >= 0 {
			return 0
		}
		if !indent.Blank(line) {
			depths[len(own)] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(depths))
	step := 0
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; step == 0 || d < step {
			step = d
		}
	}
	return step
}
