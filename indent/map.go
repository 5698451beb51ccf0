package indent

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// Pair is the indentation of one line, in SEARCH and in the file.
type Pair struct {
	// Line is the 0-based line of SEARCH that the pair comes from.
	Line         int
	Search, File []byte
	// Opens is set if the line opens a block; see [Opens].
	Opens bool
}

// Map translates indentation from a block's style to the file's.
//
// An indentation that occurs in a pair is looked up, starting with the nearest line. Any other is
// built from the longest known prefix, using units learned from the pairs. If it's shallower than
// all known ones, it's counted down from the shallowest. If only one pair is known, the rest is
// kept unchanged. That matches the rule "matched base plus relative level" of tools that re-indent
// based only on the first line.
type Map struct {
	pairs    []Pair
	identity bool
	// scales holds a scale for each indentation character of SEARCH.
	scales map[byte]scale
	// shifted holds a map for the pairs of each shift. It's nil unless one indentation of SEARCH
	// corresponds to two in the file, or a deeper one isn't deeper in the file.
	shifted map[int]*Map
}

// scale is a ratio: den characters in SEARCH correspond to num characters in the file.
type scale struct {
	to       byte
	num, den int
}

// Learn makes a map from pairs of nonblank lines, in ascending order of their lines. step is how
// many spaces the block uses for a level, or 0 if that isn't known. If the pairs show only that the
// file uses tabs, step spaces count as one tab.
func Learn(pairs []Pair, step int) *Map {
	m := &Map{pairs: pairs, identity: true}
	conflict := false            // see Map.shifted
	known := map[string][]byte{} // a margin of SEARCH, and the file's
	for _, p := range pairs {
		if !bytes.Equal(p.Search, p.File) {
			m.identity = false
		}
		if q, ok := known[string(p.Search)]; ok && !bytes.Equal(q, p.File) {
			conflict = true
		}
		known[string(p.Search)] = p.File
	}
	margins := slices.Sorted(maps.Keys(known)) // each after its prefixes
	for i, margin := range margins[min(1, len(margins)):] {
		outer := margins[i]
		conflict = conflict || strings.HasPrefix(margin, outer) && !shallower(known[outer], known[margin])
	}
	m.scales = map[byte]scale{' ': learnScale(pairs, ' '), '\t': learnScale(pairs, '\t')}
	if m.scales[' '].den == 0 && step > 0 && tabbed(pairs) {
		m.scales[' '] = scale{to: '\t', num: 1, den: step}
	}
	if conflict {
		byShift := map[int][]Pair{}
		for _, p := range pairs {
			byShift[p.shift()] = append(byShift[p.shift()], p)
		}
		if len(byShift) > 1 {
			m.shifted = make(map[int]*Map, len(byShift))
			for shift, alike := range byShift {
				m.shifted[shift] = Learn(alike, step)
			}
		}
	}
	return m
}

// tabbed reports whether the file is indented with tabs and SEARCH has no indentation to compare
// them with.
func tabbed(pairs []Pair) bool {
	some := false
	for _, p := range pairs {
		if len(p.Search) > 0 {
			return false
		}
		if c, _, ok := unit(p.File); !ok || c == ' ' {
			return false
		} else if c == '\t' {
			some = true
		}
	}
	return some
}

// Identity reports whether SEARCH and the file have the same indentation in every pair, so that
// nothing is translated.
func (m *Map) Identity() bool { return m.identity }

// Apply returns the file's indentation for a line that the block indents by indent. The line is
// near the given line (0-based) of SEARCH. The rules are those of [Map], in the same order.
func (m *Map) Apply(indent []byte, line int) []byte {
	if m.identity {
		return indent
	}
	known := func(p Pair) bool { return bytes.Equal(p.Search, indent) }
	if p, ok := m.nearest(line, known); ok && !p.sameKind() {
		return p.File // the characters differ, which no shift explains
	}
	if m.shifted != nil {
		// Use the map for the shift of the nearest line, or rather of a neighbour with this very
		// indentation. If only part of the file was moved deeper, the other part doesn't matter.
		anchor, _ := m.nearest(line, func(Pair) bool { return true })
		if p, ok := m.nearest(line, known); ok && m.next(line, p) {
			anchor = p
		}
		if m = m.shifted[anchor.shift()]; m.identity {
			return indent
		}
	}
	if p, ok := m.nearest(line, known); ok {
		return p.File
	}
	longest := -1 // the length of the longest known prefix
	for _, p := range m.pairs {
		if bytes.HasPrefix(indent, p.Search) {
			longest = max(longest, len(p.Search))
		}
	}
	if longest > 0 || longest == 0 && !m.deeperKnown(indent) {
		p, _ := m.nearest(line, func(p Pair) bool {
			return len(p.Search) == longest && bytes.HasPrefix(indent, p.Search)
		})
		return slices.Concat(p.File, m.convert(indent[longest:]))
	}
	return m.countDown(indent, line)
}

// deeperKnown reports whether a known indentation extends indent, so that counting down from the
// known one is more accurate than counting up from column 0.
func (m *Map) deeperKnown(indent []byte) bool {
	return slices.ContainsFunc(m.pairs, func(p Pair) bool {
		return len(p.Search) > len(indent) && bytes.HasPrefix(p.Search, indent)
	})
}

// countDown translates an indentation that is shallower than a known one: it removes the difference
// in SEARCH, in the file's units, from the file's indentation. If 4 spaces in SEARCH are 2 tabs in
// the file, 2 spaces become 1 tab. Without such a known one, it only converts units.
func (m *Map) countDown(indent []byte, line int) []byte {
	shortest := -1
	for _, p := range m.pairs {
		if len(p.Search) > len(indent) && (shortest < 0 || len(p.Search) < shortest) {
			shortest = len(p.Search)
		}
	}
	if shortest < 0 {
		return m.convert(indent)
	}
	p, _ := m.nearest(line, func(p Pair) bool { return len(p.Search) == shortest })
	if !bytes.HasPrefix(p.Search, indent) {
		return m.convert(indent)
	}
	off := len(m.convert(p.Search[len(indent):]))
	return p.File[:max(0, len(p.File)-off)]
}

// convert translates the part of an indentation beyond a known one: whole units become the file's
// units, and any remainder stays unchanged.
func (m *Map) convert(rest []byte) []byte {
	if len(rest) == 0 {
		return rest
	}
	s := m.scales[rest[0]]
	if s.den == 0 {
		return rest
	}
	n := 0
	for n < len(rest) && rest[n] == rest[0] {
		n++
	}
	units := n / s.den
	out := bytes.Repeat([]byte{s.to}, units*s.num)
	return append(out, rest[units*s.den:]...)
}

// nearest returns the pair closest to line among those for which want returns true. If two are
// equally close, it returns the one above. Distance is counted in pairs, so blank lines don't
// count.
func (m *Map) nearest(line int, want func(Pair) bool) (best Pair, ok bool) {
	below, exact := slices.BinarySearchFunc(m.pairs, line, func(p Pair, line int) int { return p.Line - line })
	above := below - 1
	if exact {
		if want(m.pairs[below]) {
			return m.pairs[below], true
		}
		below++
	}
	for ; above >= 0 || below < len(m.pairs); above, below = above-1, below+1 {
		if above >= 0 && want(m.pairs[above]) {
			return m.pairs[above], true
		}
		if below < len(m.pairs) && want(m.pairs[below]) {
			return m.pairs[below], true
		}
	}
	return Pair{}, false
}

// next reports whether p is a neighbour of line: the first of the pairs at line or after it, or the
// last before it.
func (m *Map) next(line int, p Pair) bool {
	below, _ := slices.BinarySearchFunc(m.pairs, line, func(p Pair, line int) int { return p.Line - line })
	return below < len(m.pairs) && m.pairs[below].Line == p.Line || below > 0 && m.pairs[below-1].Line == p.Line
}

// shift returns how many characters deeper the line is in the file.
func (p Pair) shift() int { return len(p.File) - len(p.Search) }

// learnScale computes the ratio of the file's indentation steps to SEARCH's for one indentation
// character of SEARCH (from): one tab for 4 spaces if the pairs are 4 spaces with 1 tab and 8 with
// 2. It uses the step between two different pairs if there is one. Otherwise, if one side uses tabs
// and the other spaces, it uses a single pair and column 0. den is 0 if nothing is known.
func learnScale(pairs []Pair, from byte) scale {
	type point struct{ search, file int }
	var to byte   // the file's character
	used := false // SEARCH uses the character from
	var points []point
	for _, p := range pairs {
		sc, sn, ok1 := unit(p.Search)
		fc, fn, ok2 := unit(p.File)
		if !ok1 || !ok2 || sc != 0 && sc != from || fc != 0 && to != 0 && fc != to {
			continue // mixed or other characters
		}
		used = used || sc == from
		to = max(to, fc)
		if q := (point{sn, fn}); !slices.Contains(points, q) {
			points = append(points, q)
		}
	}
	if !used || to == 0 {
		return scale{}
	}
	slices.SortFunc(points, func(a, b point) int { return a.search - b.search })
	// The smallest step is the least likely to include alignment.
	best, smallest := scale{}, 0
	for i := 1; i < len(points); i++ {
		ds, df := points[i].search-points[i-1].search, points[i].file-points[i-1].file
		if ds > 0 && df > 0 && (smallest == 0 || ds < smallest) {
			best, smallest = reduced(to, df, ds), ds
		}
	}
	if best.den == 0 && from != to {
		p := points[len(points)-1]
		if p.search > 0 && p.file > 0 {
			best = reduced(to, p.file, p.search)
		}
	}
	return best
}

// reduced returns the scale with num and den divided by their greatest common divisor.
func reduced(to byte, num, den int) scale {
	a, b := num, den
	for b != 0 {
		a, b = b, a%b
	}
	return scale{to: to, num: num / a, den: den / a}
}
