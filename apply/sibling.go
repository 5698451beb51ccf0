package apply

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/apply/internal/reading"
	"github.com/srpatch/srpatch/internal/text"
)

// template is what two sibling lines have in common around the one thing in which they differ: `"name": "` and `",` around the
// names in a list of records, `[` and `]` around the headings of sections. Indentation is no part of it.
//
// Lines without indentation that begin with the same words and continue with another word are siblings, whatever follows it:
// CREATE TABLE.
type template struct {
	head, tail []byte
	margin     bool
}

// templateOf is the template of a and of b, a line of the file; ok is false if they have none in common.
func templateOf(a, b []byte) (f template, ok bool) {
	margin := len(text.Margin(b)) == 0
	a, b = bytes.Trim(a, " \t"), bytes.Trim(b, " \t")
	head := text.CommonPrefix(a, b)
	for head > 0 && text.EndsWithWord(a[:head]) && (text.BeginsWithWord(a[head:]) || text.BeginsWithWord(b[head:])) {
		_, n := utf8.DecodeLastRune(a[:head])
		head -= n
	}
	tail := text.CommonSuffix(a[head:], b[head:])
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

// matches reports whether line, trimmed, fits the template: between head and tail it has a name, a number, a path, or the text
// of a string or a tag.
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

// siblingReach is how far from a place its siblings are searched, in lines. maxRecord is how far above a line of SEARCH the
// name of its record is searched.
const (
	siblingReach = 2000
	maxRecord    = 200
)

// namesAnother is the unchanged SEARCH line that names its record (a heading, a key) and differs in the file, while no other
// unique line confirms the place; -1 if there is none. touched marks the lines that the block changes.
func (l *locator) namesAnother(s *splice, touched []bool) int {
	applied := s.appliedLines()
	for i := range touched {
		q := s.alignment[s.at[i]]
		if touched[i] || applied[i] || q.Relation != align.Similar && q.Relation != align.Missing {
			continue
		}
		if l.another(s, i) {
			return i
		}
	}
	return -1
}

// another reports whether the unchanged SEARCH line i is such a line: the file has siblings of the line near by, but not the line
// itself.
func (l *locator) another(s *splice, i int) bool {
	line, at := s.search.Line(i), s.counterpart(i)
	if at < 0 || text.IsComment(line) || l.doc.CountLine(line, 2) > 1 || l.words.compare(line, l.doc.Line(at), true) == slip {
		return false
	}
	f, ok := templateOf(line, l.doc.Line(at))
	if !ok || !l.hasSibling(at, f) || s.vouchedAbove(l, i, i, f) {
		return false
	}
	doubtful := func(c reading.Hunk) bool { return !s.vouched(l, c, i, f) }
	return slices.ContainsFunc(s.changes, doubtful) || slices.ContainsFunc(s.applied, doubtful)
}

// counterpart is the sibling of SEARCH line i that the file has in its place; -1 if there is none.
func (s *splice) counterpart(i int) int {
	at := s.at[i]
	if q := s.alignment[at]; q.File >= 0 {
		return q.File
	}
	// A line that differs too much to be paired is in the same gap; at an end of the alignment, it is just outside of it.
	first, end := s.alignment.Span()
	for _, side := range []struct{ step, outside int }{{-1, first - 1}, {1, end}} {
		k, missing := at+side.step, 1+s.appliedAdded
		for ; k >= 0 && k < len(s.alignment); k += side.step {
			q := s.alignment[k]
			if q.Search >= 0 && q.File >= 0 || q.Relation == align.Reflowed {
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

// alike reports whether SEARCH line i and file line f are siblings.
func (s *splice) alike(i, f int) bool {
	_, ok := templateOf(s.search.Line(i), s.doc.Line(f))
	return ok
}

// hasSibling reports whether another line near file line at matches f and has the same indentation.
func (l *locator) hasSibling(at int, f template) bool {
	return l.anyNear(at, func(other []byte) bool { return sibling(l.doc.Line(at), other, f) })
}

// singular reports whether file line at has no sibling near by.
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

// anyNear reports whether holds is true of any line near file line at.
func (l *locator) anyNear(at int, holds func(line []byte) bool) bool {
	for k := max(0, at-siblingReach); k < min(l.doc.Len(), at+siblingReach); k++ {
		if holds(l.doc.Line(k)) {
			return true
		}
	}
	return false
}

// sibling reports whether other is a sibling of line: it matches f, is indented the same, and differs.
func sibling(line, other []byte, f template) bool {
	return bytes.Equal(text.Margin(line), text.Margin(other)) && f.matches(bytes.Trim(other, " \t")) &&
		!bytes.Equal(bytes.TrimSpace(line), bytes.TrimSpace(other))
}

// only reports whether SEARCH line j occurs in its place and nowhere else in the file.
func (s *splice) only(l *locator, j int) bool {
	return s.alignment[s.at[j]].Relation < align.Similar && l.distinctive(s.search.Line(j))
}

// vouchedAbove reports whether a line above SEARCH line i, in the same record, is unique in the file and so confirms the record.
// SEARCH line named may name another record; f is its template.
func (s *splice) vouchedAbove(l *locator, i, named int, f template) bool {
	own := text.Margin(s.search.Line(i))
	for j := i - 1; j >= max(0, i-maxRecord); j-- {
		line := s.search.Line(j)
		switch {
		case j != named && sibling(s.search.Line(named), line, f):
			return i != named && s.only(l, j)
		case j == named, text.Blank(line):
			return false
		case len(text.Margin(line)) <= len(own) && s.only(l, j):
			return true
		}
	}
	return false
}

// vouched reports whether a unique line confirms that change c belongs to the record in which it would be made, although SEARCH
// line i, whose template is f, names another record.
func (s *splice) vouched(l *locator, c reading.Hunk, i int, f template) bool {
	from, to := i+1, min(c.S1, s.search.Len()-1)
	if c.S0 <= i {
		if s.vouchedAbove(l, c.S0, i, f) {
			return true
		}
		from, to = max(0, min(c.S0, c.S1-1)), i-1
	}
	for j := from; j <= to; j++ {
		if s.only(l, j) && (sibling(s.search.Line(i), s.search.Line(j), f) || l.singular(s.alignment[s.at[j]].File)) {
			return true
		}
	}
	return false
}
