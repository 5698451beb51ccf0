package apply

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/strategy"
)

// template is what two lines of one kind have around the one thing in which they differ: `"name": "` and `",` of the names in a
// list of records, `[` and `]` of the headings of sections. Indentation is no part of it.
//
// Lines at the margin that begin with the same word and go on with another one are of a kind whatever follows: CREATE TABLE.
type template struct {
	head, tail []byte
	margin     bool
}

// templateOf is the frame of a and b, a line of the file; ok is false where they are not of one kind.
func templateOf(a, b []byte) (f template, ok bool) {
	margin := len(text.Margin(b)) == 0
	a, b = bytes.Trim(a, " \t"), bytes.Trim(b, " \t")
	head := commonPrefix(a, b)
	for head > 0 && text.EndsWithWord(a[:head]) && (text.BeginsWithWord(a[head:]) || text.BeginsWithWord(b[head:])) {
		_, n := utf8.DecodeLastRune(a[:head])
		head -= n
	}
	tail := commonSuffix(a[head:], b[head:])
	for tail > 0 && text.BeginsWithWord(a[len(a)-tail:]) && (text.EndsWithWord(a[:len(a)-tail]) || text.EndsWithWord(b[:len(b)-tail])) {
		_, n := utf8.DecodeRune(a[len(a)-tail:])
		tail -= n
	}
	if margin && text.BeginsWithWord(a) && bytes.HasSuffix(a[:head], []byte{' '}) && text.BeginsWithWord(a[head:]) && text.BeginsWithWord(b[head:]) {
		return template{head: a[:head], margin: true}, true
	}
	f = template{head: a[:head], tail: a[len(a)-tail:]}
	return f, head+tail > 0 && f.matches(a) && f.matches(b)
}

// matches reports whether line, its ends trimmed, is of the frame's kind: inside the frame it has a name, a number, a path, or the
// text of a string or a tag.
func (f template) matches(line []byte) bool {
	n := len(f.head)
	if len(line) <= n+len(f.tail) || !bytes.HasPrefix(line, f.head) || !bytes.HasSuffix(line, f.tail) {
		return false
	}
	thing := line[n : len(line)-len(f.tail)]
	if f.margin {
		return text.BeginsWithWord(thing)
	}
	return bytes.ContainsFunc(thing, text.IsWordRune) &&
		(!bytes.ContainsAny(thing, " \t") || text.InString(line, n) || n > 0 && line[n-1] == '>')
}

// siblingReach is how far from a place, in lines, others of its kind are looked for, and maxRecord how far above a line of SEARCH the
// name of its record.
const (
	siblingReach = 2000
	maxRecord    = 200
)

// namesAnother reports whether a line that the block keeps, and that tells the record it belongs to from others like it, reads
// differently in the file, and nothing else shows that the place is the block's; touched are the lines that it changes.
func (l *locator) namesAnother(s *splice, touched []bool) bool {
	standing := s.appliedLines()
	for i := range touched {
		q := s.alignment[s.at[i]]
		if touched[i] || standing[i] || q.Relation != strategy.Similar && q.Relation != strategy.Missing {
			continue
		}
		if l.another(s, i) {
			return true
		}
	}
	return false
}

// another is [locator.namesAnother] for the kept SEARCH line i: the file has several lines of the kind near by, and not the one
// that SEARCH has.
func (l *locator) another(s *splice, i int) bool {
	line, at := s.search.Line(i), s.counterpart(i)
	if at < 0 || text.IsComment(line) || l.doc.CountLine(line, 2) > 1 || l.words.compare(line, l.doc.Line(at), true) == slip {
		return false
	}
	f, ok := templateOf(line, l.doc.Line(at))
	if !ok || !l.hasSibling(at, f) || s.vouchedAbove(l, i, i, f) {
		return false
	}
	doubtful := func(c change) bool { return !s.vouched(l, c, i, f) }
	return slices.ContainsFunc(s.changes, doubtful) || slices.ContainsFunc(s.applied, doubtful)
}

// counterpart is the file line that stands in the place of SEARCH line i and is of its kind, -1 if none.
func (s *splice) counterpart(i int) int {
	at := s.at[i]
	if q := s.alignment[at]; q.File >= 0 {
		return q.File
	}
	// What is too different to be paired stands in the same gap; at an end of the alignment, just outside of it.
	first, end := s.alignment.Span()
	for _, side := range []struct{ step, outside int }{{-1, first - 1}, {1, end}} {
		k, missing := at+side.step, 1+s.appliedAdded
		for ; k >= 0 && k < len(s.alignment); k += side.step {
			q := s.alignment[k]
			if q.Search >= 0 && q.File >= 0 || q.Relation == strategy.Reflowed {
				break
			}
			if q.File < 0 {
				missing++
			} else if s.alike(i, q.File) {
				return q.File
			}
		}
		if k >= 0 && k < len(s.alignment) {
			continue
		}
		for f := side.outside; f >= 0 && f < s.doc.Len() && missing > 0; f += side.step {
			if s.alike(i, f) {
				return f
			}
			if !text.Blank(s.doc.Line(f)) {
				missing--
			}
		}
	}
	return -1
}

// alike reports whether SEARCH line i and file line f are of one kind.
func (s *splice) alike(i, f int) bool {
	_, ok := templateOf(s.search.Line(i), s.doc.Line(f))
	return ok
}

// hasSibling reports whether another line near file line at is of the kind f, and indented as that one is.
func (l *locator) hasSibling(at int, f template) bool {
	return l.anyNear(at, func(other []byte) bool { return sibling(l.doc.Line(at), other, f) })
}

// singular reports whether no other line near file line at is of its kind.
func (l *locator) singular(at int) bool {
	is, asked := l.alone[at]
	if !asked {
		line := l.doc.Line(at)
		is = !l.anyNear(at, func(other []byte) bool {
			f, ok := templateOf(line, other)
			return ok && sibling(line, other, f)
		})
		if l.alone == nil {
			l.alone = map[int]bool{}
		}
		l.alone[at] = is
	}
	return is
}

// anyNear reports whether holds is true of a line near file line at.
func (l *locator) anyNear(at int, holds func(line []byte) bool) bool {
	for k := max(0, at-siblingReach); k < min(l.doc.Len(), at+siblingReach); k++ {
		if holds(l.doc.Line(k)) {
			return true
		}
	}
	return false
}

// sibling reports whether other is another line of the kind that line is of.
func sibling(line, other []byte, f template) bool {
	return bytes.Equal(text.Margin(line), text.Margin(other)) && f.matches(bytes.Trim(other, " \t")) &&
		!bytes.Equal(bytes.TrimSpace(line), bytes.TrimSpace(other))
}

// only reports whether SEARCH line j stands in its place and nowhere else in the file.
func (s *splice) only(l *locator, j int) bool {
	return s.alignment[s.at[j]].Relation < strategy.Similar && l.distinctive(s.search.Line(j))
}

// vouchedAbove reports whether the record that SEARCH line i belongs to is named by a line above it that stands only there. f is
// the kind of SEARCH line named, which names records.
func (s *splice) vouchedAbove(l *locator, i, named int, f template) bool {
	own := text.Margin(s.search.Line(i))
	for j := i - 1; j >= max(0, i-maxRecord); j-- {
		line := s.search.Line(j)
		switch {
		case j != named && sibling(s.search.Line(named), line, f):
			return i != named && s.only(l, j)
		case j == named, text.Blank(line), ends(line):
			return false
		case len(text.Margin(line)) <= len(own) && s.only(l, j):
			return true
		}
	}
	return false
}

// vouched reports whether something shows that change c is meant for the record it would be made in, although SEARCH line i, of
// the kind f, names another one.
func (s *splice) vouched(l *locator, c change, i int, f template) bool {
	from, to := i+1, min(c.s1, s.search.Len()-1)
	if c.s0 <= i {
		if s.vouchedAbove(l, c.s0, i, f) {
			return true
		}
		from, to = max(0, min(c.s0, c.s1-1)), i-1
	}
	for j := from; j <= to; j++ {
		if s.only(l, j) && (sibling(s.search.Line(i), s.search.Line(j), f) || l.singular(s.alignment[s.at[j]].File)) {
			return true
		}
	}
	return false
}

// ends reports whether line ends a record: it has no word and opens nothing, or is an end tag.
func ends(line []byte) bool {
	t := bytes.TrimSpace(line)
	if bytes.HasPrefix(t, []byte("</")) {
		return true
	}
	return !bytes.ContainsFunc(t, text.IsWordRune) && bytes.IndexByte([]byte("{[("), t[len(t)-1]) < 0
}
