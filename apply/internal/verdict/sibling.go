package verdict

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

// namesAnother reports whether SEARCH line i, which the block keeps, names its record (a heading, a key) and differs in the file,
// which has siblings of the line near by, but not the line itself, while no other unique line confirms the place.
func (t *trial) namesAnother(i int) bool {
	if relation := t.relation(i); t.changed[i] || t.done[i] || relation != align.Similar && relation != align.Missing {
		return false
	}
	line, at := t.Search.Line(i), t.counterpart(i)
	if at < 0 || text.IsComment(line) || t.Doc.CountLine(line, 2) > 1 || t.judge.words.compare(line, t.Doc.Line(at), true) == slip {
		return false
	}
	f, ok := templateOf(line, t.Doc.Line(at))
	if !ok || t.vouchedAbove(i, i, f) || !t.judge.hasSibling(at, f) { // in this order: siblings are looked for in thousands of lines
		return false
	}
	doubtful := func(c reading.Hunk) bool { return !t.vouched(c, i, f) }
	return slices.ContainsFunc(t.ToDo, doubtful) || slices.ContainsFunc(t.Done, doubtful)
}

// counterpart is the sibling of SEARCH line i that the file has in its place; -1 if there is none.
func (t *trial) counterpart(i int) int {
	at := t.At[i]
	if q := t.Alignment[at]; q.File >= 0 {
		return q.File
	}
	// A line that differs too much to be paired is in the same gap; at an end of the alignment, it is just outside of it.
	first, end := t.Alignment.Span()
	for _, side := range []struct{ step, outside int }{{-1, first - 1}, {1, end}} {
		k, missing := at+side.step, 1+t.DoneAdds
		for ; k >= 0 && k < len(t.Alignment); k += side.step {
			q := t.Alignment[k]
			if q.Search >= 0 && q.File >= 0 || q.Relation == align.Reflowed {
				break
			}
			if q.File < 0 {
				missing++
			} else if t.alike(i, q.File) {
				return q.File
			}
		}
		if k >= 0 && k < len(t.Alignment) {
			continue
		}
		for f := side.outside; f >= 0 && f < t.Doc.Len() && missing > 0; f += side.step {
			if t.alike(i, f) {
				return f
			}
			if !text.Blank(t.Doc.Line(f)) {
				missing--
			}
		}
	}
	return -1
}

// alike reports whether SEARCH line i and file line f are siblings.
func (t *trial) alike(i, f int) bool {
	_, ok := templateOf(t.Search.Line(i), t.Doc.Line(f))
	return ok
}

// family is a file line and a template.
type family struct {
	at         int
	head, tail string
	margin     bool
}

// hasSibling reports whether another line near file line at matches f and has the same indentation.
func (j *Judge) hasSibling(at int, f template) bool {
	asked := family{at, string(f.head), string(f.tail), f.margin}
	has, known := j.siblings[asked]
	if !known {
		line := j.doc.Line(at)
		begin := slices.Concat(text.Margin(line), f.head)
		has = j.anyNear(at, func(k int) bool {
			return bytes.HasPrefix(j.doc.Text()[j.doc.Start(k):], begin) && sibling(line, j.doc.Line(k), f)
		})
		if j.siblings == nil {
			j.siblings = map[family]bool{}
		}
		j.siblings[asked] = has
	}
	return has
}

// singular reports whether file line at has no sibling near by.
func (j *Judge) singular(at int) bool {
	is, asked := j.alone[at]
	if !asked {
		line := j.doc.Line(at)
		is = !j.anyNear(at, func(k int) bool { return AreSiblings(line, j.doc.Line(k)) })
		if j.alone == nil {
			j.alone = map[int]bool{}
		}
		j.alone[at] = is
	}
	return is
}

// anyNear reports whether is is true of any line near file line at.
func (j *Judge) anyNear(at int, is func(line int) bool) bool {
	for k := max(0, at-siblingReach); k < min(j.doc.Len(), at+siblingReach); k++ {
		if is(k) {
			return true
		}
	}
	return false
}

// sibling reports whether other is a sibling of line: it matches f, is indented the same, and differs.
func sibling(line, other []byte, f template) bool {
	margin := text.Margin(other)
	if !bytes.Equal(text.Margin(line), margin) {
		return false
	}
	end := len(other)
	for end > len(margin) && (other[end-1] == ' ' || other[end-1] == '\t') {
		end--
	}
	return f.matches(other[len(margin):end]) && !bytes.Equal(bytes.TrimSpace(line), bytes.TrimSpace(other))
}

// AreSiblings reports whether the lines are indented the same and differ in one thing, as the heads of two records do.
func AreSiblings(line, other []byte) bool {
	f, ok := templateOf(line, other)
	return ok && sibling(line, other, f)
}

// DifferInValue reports whether the lines are siblings that begin with the same word, as a key that each record has.
func DifferInValue(line, other []byte) bool {
	f, ok := templateOf(line, other)
	return ok && text.HasWord(f.head) && sibling(line, other, f)
}

// only reports whether SEARCH line j occurs in its place and nowhere else in the file.
func (t *trial) only(j int) bool {
	return t.relation(j) < align.Similar && t.judge.Distinctive(t.Search.Line(j))
}

// vouchedAbove reports whether a line above SEARCH line i, in the same record, is unique in the file and so confirms the record.
// SEARCH line named may name another record; f is its template.
func (t *trial) vouchedAbove(i, named int, f template) bool {
	own := text.Margin(t.Search.Line(i))
	for j := i - 1; j >= max(0, i-maxRecord); j-- {
		line := t.Search.Line(j)
		switch {
		case j != named && sibling(t.Search.Line(named), line, f):
			return i != named && t.only(j)
		case j == named, text.Blank(line):
			return false
		case len(text.Margin(line)) <= len(own) && t.only(j):
			return true
		}
	}
	return false
}

// vouched reports whether a unique line confirms that hunk c belongs to the record in which it would be made, although SEARCH
// line i, whose template is f, names another record.
func (t *trial) vouched(c reading.Hunk, i int, f template) bool {
	from, to := i+1, min(c.S1, t.Search.Len()-1)
	if c.S0 <= i {
		if t.vouchedAbove(c.S0, i, f) {
			return true
		}
		from, to = max(0, min(c.S0, c.S1-1)), i-1
	}
	for j := from; j <= to; j++ {
		if t.only(j) && (sibling(t.Search.Line(i), t.Search.Line(j), f) || t.judge.singular(t.Alignment[t.At[j]].File)) {
			return true
		}
	}
	return false
}
