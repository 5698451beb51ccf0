package splice

import (
	"bytes"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// evidence returns what the alignment shows about the indentation of REPLACE, ignoring the SEARCH
// lines for which skip returns true. The block is empty if no pair of lines differs in indentation.
func (s *Splice) evidence(skip func(line int) bool) *indent.Block {
	b := &indent.Block{Pairs: s.indentPairs(skip)}
	if len(b.Pairs) == 0 {
		return b
	}
	b.Search, b.Replace = make([][]byte, 0, s.Search.Len()), make([]indent.Line, 0, s.Replace.Len())
	for i := range s.Search.Len() {
		if line := s.repaired(s.Search.Line(i)); !text.Blank(line) {
			margin, _ := s.level(line)
			b.Search = append(b.Search, margin)
		}
	}
	for _, l := range s.Reading.Counterparts() {
		if l.Text = s.repaired(l.Text); !text.Blank(l.Text) {
			if margin, star := s.level(l.Text); star { // drop the blank before the star
				l.Text = slices.Concat(margin, l.Text[len(margin)+1:])
			}
			b.Replace = append(b.Replace, l)
		}
	}
	b.Step = s.step()
	// Alone: SEARCH is one line whose text is certain, so its margin may just be cut off.
	b.Alone = len(b.Search) == 1 && s.Alignment[s.At[b.Pairs[0].Line]].Relation <= align.Indented
	b.Unit = s.unit
	return b
}

// Unit returns a function that computes, once, the text that one level adds to a margin in a
// document; see [indent.Unit].
func Unit(d *strategy.Document) func() []byte {
	return sync.OnceValue(func() []byte {
		return indent.Unit(func(yield func([]byte) bool) {
			for _, line := range d.Lines() {
				if !yield(line) {
					return
				}
			}
		})
	})
}

// byLine returns the margin of each line of REPLACE. margins are those of the nonblank lines, as
// chosen by [indent.Block.Choose]. Blank lines get none, and lines with a star get back the blank
// that [Splice.level] doesn't count. It returns nil for nil, which leaves the lines as written.
func (s *Splice) byLine(margins [][]byte) [][]byte {
	if margins == nil {
		return nil
	}
	out := make([][]byte, s.Replace.Len())
	for r := range out {
		line := s.repaired(s.Replace.Line(r))
		if text.Blank(line) {
			continue
		}
		out[r], margins = margins[0], margins[1:]
		if _, star := s.level(line); star {
			out[r] = append(bytes.Clone(out[r]), ' ')
		}
	}
	return out
}

// repaired returns a line of the block without proved habits; see [lineRepair].
func (s *Splice) repaired(line []byte) []byte {
	if s.repair == nil {
		return line
	}
	return s.repair(line)
}

// indentPairs returns the margins that the alignment pairs, without those of blank and partial lines
// and of the SEARCH lines for which skip returns true. It returns nil if no margins differ. Pairs
// with a star on only one side are returned only if there are no others.
func (s *Splice) indentPairs(skip func(line int) bool) []indent.Pair {
	var pairs, stars []indent.Pair // stars: of lines that may be in a comment on only one side
	differs := false
	for _, p := range s.Alignment {
		if p.Search < 0 || p.File < 0 || p.Relation == align.Partial || s.Blank(p.Search) {
			continue
		}
		line := s.repaired(s.Search.Line(p.Search))
		search, starred := s.level(line)
		file, star := s.level(s.Doc.Line(p.File))
		differs = differs || !bytes.Equal(search, file)
		q := indent.Pair{Line: p.Search, Search: search, File: file, Opens: indent.Opens(line)}
		switch {
		case skip(p.Search):
		case starred != star:
			stars = append(stars, q)
		default:
			pairs = append(pairs, q)
		}
	}
	switch {
	case !differs:
		return nil
	case len(pairs) == 0:
		return stars
	}
	return pairs
}

// level returns the margin of the level that a line is on, and whether the line begins with a star.
// The blank before a star belongs to the comment that the line continues, and doesn't count.
func (s *Splice) level(line []byte) (margin []byte, star bool) {
	margin = text.Margin(line)
	if star = !s.bullets && bytes.HasSuffix(margin, []byte{' '}) && hasStar(line[len(margin):]); star {
		margin = margin[:len(margin)-1]
	}
	return margin, star
}

// hasStar reports whether a line without its margin begins like a line of a multi-line comment.
func hasStar(line []byte) bool {
	return len(line) > 0 && line[0] == '*' && (len(line) == 1 || line[1] == ' ' || line[1] == '/')
}

// hasBullets reports whether a paired line of the file begins with a star but isn't in a multi-line
// comment. For example, it may be a list item or a CSS selector. A line is in a comment if the
// nearest line above it without a star opens one.
func (s *Splice) hasBullets() bool {
	line := func(f int) []byte { return bytes.TrimLeft(s.Doc.Line(f), " \t") }
	inComment := -1 // the last line that was found in a comment
	for _, p := range s.Alignment {
		if p.Search < 0 || p.File < 0 || !hasStar(line(p.File)) {
			continue
		}
		top := p.File - 1 // goes up to the line that opens the comment, or to a known comment line
		for top > inComment && top > p.File-maxStars && hasStar(line(top)) &&
			!bytes.HasPrefix(line(top), []byte("*/")) {
			top--
		}
		far := top <= p.File-maxStars // so many lines with a star must be a comment
		if !far && (top < 0 || top != inComment && !opensComment(line(top))) {
			return true
		}
		inComment = p.File
	}
	return false
}

// maxStars is how many lines above a line with a star are searched for the beginning of a comment.
const maxStars = 1000

// opensComment reports whether a line without its margin begins a comment that continues below it.
func opensComment(line []byte) bool {
	return bytes.HasPrefix(line, []byte("/*")) && !bytes.Contains(line, []byte("*/"))
}

// step returns how many spaces REPLACE uses for a level: the smallest difference between the
// margins of two of its lines. It returns 0 if there is no difference or REPLACE uses tabs.
func (s *Splice) step() int {
	var depths []int
	for r := range s.Replace.Len() {
		line := s.Replace.Line(r)
		own, _ := s.level(line)
		if bytes.IndexByte(own, '\t') >= 0 {
			return 0
		}
		if !text.Blank(line) {
			depths = append(depths, len(own))
		}
	}
	slices.Sort(depths)
	step := 0
	for i := 1; i < len(depths); i++ {
		if d := depths[i] - depths[i-1]; d > 0 && (step == 0 || d < step) {
			step = d
		}
	}
	return step
}

// Indentation says how REPLACE is indented in the file.
type Indentation struct {
	// Reading is the block. If REPLACE already had the file's margins, and only SEARCH had lost
	// them, its SEARCH is given the file's margins. Lines that differ only in their margins then
	// count as kept, not changed.
	Reading *reading.Reading
	// Margins are the indentations of REPLACE's lines, or nil to leave the lines as written. Rival
	// holds equally good margins, or nil.
	Margins, Rival [][]byte
	// FirstCut is set if the first line of SEARCH lacks its margin and REPLACE adds lines.
	FirstCut bool
}

// Indent decides how to indent REPLACE if SEARCH isn't in the file byte for byte. unit is the
// document's [Unit].
func Indent(doc *strategy.Document, v *reading.Reading, a align.Alignment, unit func() []byte) Indentation {
	s := newSplice(doc, v, a)
	s.unit, s.repair = unit, lineRepair(doc, v.Search, a)
	s.bullets = s.hasBullets()
	b := s.evidence(func(int) bool { return false })
	choice := b.Choose()
	out := Indentation{
		Reading: v, Margins: s.byLine(choice.Margins), Rival: s.byLine(choice.Rival),
		FirstCut: b.FirstCut() && v.Adds(),
	}
	if choice.ByFile {
		out.Reading = s.atFileMargins(b.Pairs)
	}
	return out
}

// atFileMargins returns the reading with SEARCH's lost margins replaced by the file's, if pairs
// show that they differ. REPLACE already has the file's margins, so lines that differ only in the
// lost ones are then equal on both sides. They count as kept, and aren't written again.
func (s *Splice) atFileMargins(pairs []indent.Pair) *reading.Reading {
	margins := map[int][]byte{} // the new margins of SEARCH lines; other lines stay as they are
	for _, q := range pairs {
		if !bytes.Equal(q.Search, q.File) {
			margins[q.Line] = q.File
		}
	}
	if len(margins) == 0 {
		return s.Reading
	}
	// For the lines that both sides have, REPLACE line r and SEARCH line i, look at REPLACE's
	// margin.
	reading.Unchanged(reading.TrimmedHunks(s.Search, s.Replace), s.Search.Len(), func(r, i int) {
		margin, _ := s.level(s.Replace.Line(r))
		switch {
		case s.Alignment[s.At[i]].File < 0: // the file has no such line, so it shows no margin
			margins[i] = margin
		case len(margin) > 0 && len(margins[i]) > 0 && margin[0] != margins[i][0]:
			delete(margins, i) // tabs become spaces, or vice versa, which is a change
		}
	})
	search := reading.Lines(s.Search.Document)
	for i, margin := range margins {
		own, _ := s.level(search[i])
		search[i] = slices.Concat(margin, search[i][len(own):])
	}
	return s.Reading.WithSearch(search)
}
