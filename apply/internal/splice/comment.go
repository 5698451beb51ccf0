package splice

import (
	"bytes"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// stars are the lines of REPLACE that begin with a star, in comments of several lines, if some of them have no counterpart in SEARCH.
// The blank before a star belongs to the comment, and is no level: such a line is as deep as its comment.
type stars struct {
	// openers has the first line of the comment for each such line, or cut; -1 for other lines. It is empty if there are none.
	openers []int
	// margin is that of the file's line with a star where REPLACE begins inside of a comment.
	margin []byte
}

// cut is for a comment whose first line is above REPLACE.
const cut = -2

// starred finds the lines with a star, once.
func (s *Splice) starred() *stars {
	if s.stars != nil {
		return s.stars
	}
	s.stars = &stars{}
	if bytes.IndexByte(s.Replace.Text(), '*') < 0 {
		return s.stars
	}
	opener := -1
	if margin, ok := s.starInFile(); ok {
		opener, s.stars.margin = cut, margin
	}
	comes, others := false, false
	for r, l := range s.Reading.Counterparts() {
		line := bytes.TrimLeft(s.repaired(l.Text), " \t")
		at := -1
		switch {
		case opener != -1 && hasStar(line):
			if at = opener; bytes.Contains(line, []byte("*/")) {
				opener = -1
			}
		case opensStars(line):
			opener = r
		default:
			opener = -1
		}
		comes = comes || at != -1 && l.For < 0
		others = others || at == -1 && !text.Blank(line)
		s.stars.openers = append(s.stars.openers, at)
	}
	if !comes || !others {
		s.stars.openers = nil
	}
	return s.stars
}

// starInFile is the margin of the file line that SEARCH's first line is aligned with, if both have a star inside of a comment.
func (s *Splice) starInFile() ([]byte, bool) {
	if s.Search.Len() == 0 || !hasStar(s.repaired(s.Search.Line(0))) {
		return nil, false
	}
	f := s.Alignment[s.At[0]].File
	if f < 0 || !inBlockComment(s.Doc, f) {
		return nil, false
	}
	return text.Margin(s.Doc.Line(f)), true
}

// isStarred reports whether line r of REPLACE is one with a star.
func (s *Splice) isStarred(r int) bool {
	openers := s.starred().openers
	return r < len(openers) && openers[r] != -1
}

// starMargin is the margin of such a line, where those of the lines above it are known: one blank more than that of the comment's first
// line, or as much if REPLACE has it so.
func (s *Splice) starMargin(r int, margins [][]byte) []byte {
	opener := s.starred().openers[r]
	if opener == cut {
		return s.stars.margin
	}
	if bytes.Equal(text.Margin(s.repaired(s.Replace.Line(r))), text.Margin(s.repaired(s.Replace.Line(opener)))) {
		return margins[opener]
	}
	return append(bytes.Clone(margins[opener]), ' ')
}

// starOfFile is the margin of the file's line for line r of REPLACE, if that has a star in a comment on all three sides, and the block
// leaves it as deep as it was.
func (s *Splice) starOfFile(r int) ([]byte, bool) {
	l := s.Reading.Counterparts()[r]
	if l.For < 0 || !hasStar(s.repaired(l.Text)) {
		return nil, false
	}
	search, f := s.repaired(s.Search.Line(l.For)), s.Alignment[s.At[l.For]].File
	if f < 0 || !hasStar(search) || !bytes.Equal(text.Margin(search), text.Margin(s.repaired(l.Text))) || !inBlockComment(s.Doc, f) {
		return nil, false
	}
	return text.Margin(s.Doc.Line(f)), true
}

// hasStar reports whether a line begins with a star.
func hasStar(line []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte{'*'}) }

// unstarred is the pair of a line that begins with a star as a pair of the level that its comment is on; ok is false where that is not
// known.
func unstarred(p indent.Pair) (level indent.Pair, ok bool) {
	blank := []byte{' '}
	if !bytes.HasSuffix(p.Search, blank) || !bytes.HasSuffix(p.File, blank) {
		return p, false
	}
	p.Search, p.File = bytes.TrimSuffix(p.Search, blank), bytes.TrimSuffix(p.File, blank)
	return p, true
}

// inBlockComment reports whether file line f is one of those in a comment of several lines that begin with a star.
func inBlockComment(doc *strategy.Document, f int) bool {
	for ; f > 0 && hasStar(doc.Line(f)); f-- {
		if opensStars(bytes.TrimLeft(doc.Line(f-1), " \t")) {
			return true
		}
	}
	return false
}

// opensStars reports whether a line, without its margin, begins a comment that does not end on it.
func opensStars(line []byte) bool {
	return bytes.HasPrefix(line, []byte("/*")) && !bytes.Contains(line, []byte("*/"))
}
