package splice

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// added returns the lines that c adds, as they are written to the file, without line ends. They are
// the lines of unmerged, each merged with the file's line that it replaces if that is possible.
// margins are the indentations of REPLACE's lines, or nil to leave the lines as written.
func (s *Splice) added(c reading.Hunk, margins [][]byte) [][]byte {
	out := s.unmerged(c, margins)
	for i, line := range out {
		r := c.R0 + i
		if merged, _, ok := s.merged(r, c); ok && !text.Blank(line) && s.moved[r] == nil {
			out[i] = slices.Concat(text.Margin(line), merged)
		}
	}
	return out
}

// unmerged returns the lines that c adds, with the given margins (nil: their own) and without the
// habits and typos that SEARCH shows. Moved lines have the file's text.
func (s *Splice) unmerged(c reading.Hunk, margins [][]byte) [][]byte {
	out := make([][]byte, 0, c.R1-c.R0)
	for r := c.R0; r < c.R1; r++ {
		line := s.fitted(s.Replace.Line(r), c)
		margin := text.Margin(line)
		if margins != nil {
			margin = margins[r]
		}
		out = append(out, s.addedLine(line, r, margin))
	}
	return out
}

// addedLine returns line, which is line r of REPLACE without habits, with the given margin. If the
// block moves the line, the rest is the file's text. A blank line stays as it is.
func (s *Splice) addedLine(line []byte, r int, margin []byte) []byte {
	if text.Blank(line) {
		return line
	}
	if moved, ok := s.moved[r]; ok {
		return slices.Concat(margin, moved)
	}
	own := text.Margin(line)
	if bytes.Equal(margin, own) {
		return line
	}
	return slices.Concat(margin, line[len(own):])
}

// merged returns REPLACE line r, which c adds, without indentation, merged with the file's line
// that it replaces. If SEARCH has "ad(a, b)" for the file's "add(a, b)", and REPLACE has
// "ad(a, c)", it returns "add(a, c)".
//
// ok is false if the line doesn't replace a single SEARCH line that differs from the file by typos
// or typography, or if these can't be separated from the change. whole is false if the file's
// version of some words is lost, because the change affects the same words.
func (s *Splice) merged(r int, c reading.Hunk) (merged []byte, whole, ok bool) {
	if c.S1-c.S0 != c.R1-c.R0 {
		return nil, false, false
	}
	i := c.Near(r)
	q := s.Alignment[s.At[i]]
	if q.Relation != align.Folded && q.Relation != align.Similar {
		return nil, false, false
	}
	body := func(line []byte) []byte { return bytes.Trim(s.fitted(line, c), " \t") }
	base, ours, theirs := body(s.Search.Line(i)), bytes.Trim(s.Doc.Line(q.File), " \t"), body(s.Replace.Line(r))
	ours = withBlanksOf(ours, base, theirs)
	merged, whole, ok = mergeLine(base, ours, theirs)
	return slices.Concat(merged, trailing(s.Replace.Line(r))), whole, ok
}

// withBlanksOf returns ours with the blanks of base in those strings that theirs changes. Blanks in
// a string are text, and a mix of the file's and REPLACE's blanks would be in neither text. For
// the base `f("a b", "c d")`, ours `f("a  b", "c  d")` and theirs `f("a b", "c e")`, the result is
// `f("a  b", "c d")`.
func withBlanksOf(ours, base, theirs []byte) []byte {
	was, is, now := stringsOf(base), stringsOf(ours), stringsOf(theirs)
	if len(was) != len(is) {
		return ours
	}
	return rewritten(ours, slices.Values(is), func(lit []byte) []byte {
		base := was[0]
		was = was[1:]
		stays := slices.ContainsFunc(now, func(n []byte) bool { return bytes.Equal(n, base) })
		if !stays && bytes.Equal(inked(lit), inked(base)) { // ours has only other blanks
			return base
		}
		return lit
	})
}

// inked returns text without blanks.
func inked(text []byte) []byte { return bytes.Join(bytes.Fields(text), nil) }

// trailing returns the blanks at the end of a line.
func trailing(line []byte) []byte { return line[len(line)-text.Trailing(line):] }

// Blends reports whether the block's change to SEARCH line i, which differs from the file by typos,
// can be separated from the typos (ok), and whether both the change and the file's version are
// fully preserved (whole). Both are true if the block doesn't change the line.
func (s *Splice) Blends(i int) (ok, whole bool) {
	for _, c := range s.ToDo {
		if c.S0 <= i && i < c.S1 {
			if c.S1-c.S0 != c.R1-c.R0 {
				return true, false // the file's line is replaced as a whole
			}
			_, whole, ok = s.merged(c.R0+i-c.S0, c)
			return ok, whole
		}
	}
	return true, true
}

// findMoves sets s.moved: it pairs each added line with a deleted line of the same text, if no
// other line that the block adds or deletes has that text. Such a line was moved and keeps the
// file's text.
func (s *Splice) findMoves() {
	type seen struct{ search, replace, times int }
	byText := map[string]*seen{}
	note := func(line []byte) *seen {
		key := string(bytes.TrimSpace(line))
		if byText[key] == nil {
			byText[key] = &seen{search: -1, replace: -1}
		}
		return byText[key]
	}
	for _, c := range s.ToDo {
		for i := c.S0; i < c.S1; i++ {
			n := note(s.Search.Line(i))
			n.search, n.times = i, n.times+1
		}
		for r := c.R0; r < c.R1; r++ {
			n := note(s.Replace.Line(r))
			n.replace, n.times = r, n.times+1
		}
	}
	s.moved = map[int][]byte{}
	for text, n := range byText {
		if text == "" || n.times != 2 || n.search < 0 || n.replace < 0 {
			continue
		}
		q := s.Alignment[s.At[n.search]]
		f := q.File
		if q.Relation >= align.Reflowed {
			continue // the file's line differs from what the block expects, or other lines split it
		}
		// Trailing blanks that REPLACE drops or adds are intended.
		if f < 0 || !bytes.Equal(bytes.TrimLeft(s.Search.Line(n.search), " \t"),
			bytes.TrimLeft(s.Replace.Line(n.replace), " \t")) {
			continue
		}
		s.moved[n.replace] = bytes.TrimLeft(s.Doc.Line(f), " \t")
	}
}
