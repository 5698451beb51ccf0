package strategy

import (
	"bytes"
	"iter"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
)

// squeezed is a text in which each run of whitespace is one space, and lines have no whitespace at
// their ends. The words of line i are text[starts[i]:ends[i]], which is empty for a blank line.
type squeezed struct {
	text         []byte
	starts, ends []int32
}

// words returns the squeezed text of the document, which is computed once.
func (d *Document) words() *squeezed {
	if d.squeezed == nil {
		d.squeezed = squeeze(d)
	}
	return d.squeezed
}

// squeeze returns the squeezed text of d. Blank lines add nothing to it.
func squeeze(d *Document) *squeezed {
	s := &squeezed{
		text:   make([]byte, 0, len(d.text)),
		starts: make([]int32, d.Len()),
		ends:   make([]int32, d.Len()),
	}
	for i := range d.Len() {
		rest := trimLeftECMA(d.Line(i))
		if len(rest) > 0 && len(s.text) > 0 {
			s.text = append(s.text, ' ')
		}
		s.starts[i] = int32(len(s.text))
		for len(rest) > 0 {
			word := rest[:wordLen(rest)]
			rest = trimLeftECMA(rest[len(word):])
			s.text = append(s.text, word...)
			if len(rest) > 0 {
				s.text = append(s.text, ' ')
			}
		}
		s.ends[i] = int32(len(s.text))
	}
	return s
}

// wordLen returns the length of the text before the first whitespace.
func wordLen(b []byte) int {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			if n := bytes.IndexFunc(b[i:], isSpaceECMA); n >= 0 {
				return i + n
			}
			return len(b)
		}
		if text.IsASCIISpace(c) {
			return i
		}
	}
	return len(b)
}

// find yields each place where find occurs, as the line in which it begins and its offset in the
// squeezed text. find must begin with a word.
func (s *squeezed) find(find []byte) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		line := 0
		for at := range occurrences(s.text, find) {
			for int(s.ends[line]) <= at {
				line++
			}
			if !yield(line, at) {
				return
			}
		}
	}
}

// unsqueezed maps the offsets from and to (to > from) in a line's squeezed text to offsets in the
// line itself. For the line "  a   b", whose squeezed text is "a b", it maps 0 and 3 to 2 and 7.
func unsqueezed(line []byte, from, to int) (int, int) {
	rest := trimLeftECMA(line)
	begin, at := -1, 0 // the result for from, and the squeezed offset of rest
	for {
		n := wordLen(rest)
		here := len(line) - len(rest)
		if begin < 0 && from < at+n {
			begin = here + from - at
		}
		if to <= at+n {
			return begin, here + to - at
		}
		rest = trimLeftECMA(rest[n:])
		at += n + 1
	}
}
