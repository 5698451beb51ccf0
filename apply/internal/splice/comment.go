package splice

import (
	"bytes"

	"github.com/srpatch/srpatch/indent"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// stars are the lines of REPLACE that begin with a star, in comments of several lines. The blank before a star belongs to the comment,
// and is no level: such a line is as deep as its comment.
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
	others := false
	for r := range s.Replace.Len() {
		line := bytes.TrimLeft(s.repaired(s.Replace.Line(r)), " \t")
		at := -1
		switch {
		case opener != -1 && bytes.HasPrefix(line, []byte{'*'}):
			if at = opener; bytes.Contains(line, []byte("*/")) {
				opener = -1
			}
		case opensStars(line):
			opener = r
		default:
			opener = -1
		}
		others = others || at == -1 && !text.Blank(line)
		s.stars.openers = append(s.stars.openers, at)
	}
	if !others {
		s.stars.openers = nil // their pairs show how deep they are
	}
	return s.stars
}

// starInFile is the margin of the file line that SEARCH's first line is aligned with, if both have a star inside of a comment.
func (s *Splice) starInFile() ([]byte, bool) {
	if s.Search.Len() == 0 || !bytes.HasPrefix(bytes.TrimLeft(s.repaired(s.Search.Line(0)), " \t"), []byte{'*'}) {
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
	for ; f > 0 && bytes.HasPrefix(bytes.TrimLeft(doc.Line(f), " \t"), []byte{'*'}); f-- {
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
