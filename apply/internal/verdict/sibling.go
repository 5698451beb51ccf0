package verdict

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply/internal/align"
	"github.com/srpatch/srpatch/internal/text"
)

// template is the text that two sibling lines share around the one part in which they differ:
// `"name": "` and `",` around the names in a list of records, or `[` and `]` around the headings of
// sections. Indentation isn't part of it.
//
// Lines without indentation that begin with the same words and continue with a different word, such
// as two CREATE TABLE statements, are siblings whatever follows. For those, open is set, and there
// is no tail.
type template struct {
	head, tail []byte
	open       bool
}

// templateOf returns the template that a shares with b, a line of the file. For `"name": "x",` and
// `"name": "y",` it has the head `"name": "` and the tail `",`. It doesn't end or begin inside a
// word. If b has no indentation, a few equal first words are enough ("CREATE TABLE"), and the
// template is open. ok is false if the lines share no template.
func templateOf(a, b []byte) (f template, ok bool) {
	unindented := len(text.Margin(b)) == 0
	a, b = bytes.Trim(a, " \t"), bytes.Trim(b, " \t")
	head := text.CommonPrefix(a, b)
	// Shorten the common text where it ends inside a word of either line.
	for head > 0 && text.EndsWithWord(a[:head]) && (text.BeginsWithWord(a[head:]) || text.BeginsWithWord(b[head:])) {
		_, n := utf8.DecodeLastRune(a[:head])
		head -= n
	}
	tail := text.CommonSuffix(a[head:], b[head:])
	for tail > 0 && text.BeginsWithWord(a[len(a)-tail:]) &&
		(text.EndsWithWord(a[:len(a)-tail]) || text.EndsWithWord(b[:len(b)-tail])) {
		_, n := utf8.DecodeRune(a[len(a)-tail:])
		tail -= n
	}
	if unindented && text.BeginsWithWord(a) && bytes.HasSuffix(a[:head], []byte{' '}) &&
		text.BeginsWithWord(a[head:]) && text.BeginsWithWord(b[head:]) {
		return template{head: a[:head], open: true}, true
	}
	f = template{head: a[:head], tail: a[len(a)-tail:]}
	return f, head+tail > 0 && f.matches(a) && f.matches(b)
}

// matches reports whether the trimmed line fits the template: between head and tail it must have a
// name, a number, a path, or the text of a string or tag. If f is open, a word after head is
// enough.
func (f template) matches(line []byte) bool {
	n := len(f.head)
	if len(line) <= n+len(f.tail) || !bytes.HasPrefix(line, f.head) || !bytes.HasSuffix(line, f.tail) {
		return false
	}
	thing := line[n : len(line)-len(f.tail)]
	if f.open {
		return text.BeginsWithWord(thing)
	}
	return bytes.ContainsFunc(thing, text.IsWordRune) &&
		(!bytes.ContainsAny(thing, " \t") || text.InString(line, n) || n > 0 && line[n-1] == '>')
}

// counterpart returns the file line that SEARCH line i is paired with. If it has none, it returns
// the sibling that the file has instead: an unpaired line between the same neighbours or, at an end
// of the alignment, a line just outside. It returns -1 if there is none.
func (t *trial) counterpart(i int) int {
	at := t.At[i]
	if q := t.Alignment[at]; q.File >= 0 {
		return q.File
	}
	first, end := t.Alignment.Span()
	for _, side := range []struct{ step, outside int }{{-1, first - 1}, {1, end}} {
		// One line is examined outside for each line that is missing or that the block has added.
		k, missing := at+side.step, 1+t.DoneAdds
		for ; k >= 0 && k < len(t.Alignment); k += side.step {
			q := t.Alignment[k]
			if q.Search >= 0 && q.File >= 0 {
				break
			}
			if q.File < 0 {
				missing++
			} else if t.alike(i, q.File) {
				return q.File
			}
		}
		if k >= 0 && k < len(t.Alignment) {
			continue // a paired line ends the gap on this side
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

// siblingReach is how many lines on each side of a place are searched for siblings.
const siblingReach = 2000

// family is a file line and a template, as a key for the cache of hasSibling.
type family struct {
	at         int
	head, tail string
	open       bool
}

// hasSibling reports whether another line near file line at matches f and has the same indentation
// as line at.
func (j *Judge) hasSibling(at int, f template) bool {
	asked := family{at, string(f.head), string(f.tail), f.open}
	has, known := j.siblings[asked]
	if known {
		return has
	}
	line := j.doc.Line(at)
	begin := slices.Concat(text.Margin(line), f.head)
	for k := max(0, at-siblingReach); k < min(j.doc.Len(), at+siblingReach) && !has; k++ {
		has = bytes.HasPrefix(j.doc.Text()[j.doc.Start(k):], begin) && sibling(line, j.doc.Line(k), f)
	}
	if j.siblings == nil {
		j.siblings = map[family]bool{}
	}
	j.siblings[asked] = has
	return has
}

// sibling reports whether other is a sibling of line: it matches f, has the same indentation, and
// differs from line.
func sibling(line, other []byte, f template) bool {
	margin := text.Margin(other)
	if !bytes.Equal(text.Margin(line), margin) {
		return false
	}
	return f.matches(bytes.TrimRight(other[len(margin):], " \t")) &&
		!bytes.Equal(bytes.TrimSpace(line), bytes.TrimSpace(other))
}

// AreSiblings reports whether the lines have the same indentation and differ in one part, like the
// first lines of two records.
func AreSiblings(line, other []byte) bool {
	f, ok := templateOf(line, other)
	return ok && sibling(line, other, f)
}

// DifferInValue reports whether the lines are siblings that begin with the same word, such as a key
// that each record has.
func DifferInValue(line, other []byte) bool {
	f, ok := templateOf(line, other)
	return ok && text.HasWord(f.head) && sibling(line, other, f)
}

// isUnique reports whether SEARCH line i is distinctive, and occurs at its place and nowhere else
// in the file.
func (t *trial) isUnique(i int) bool {
	return t.relation(i) < align.Similar && t.judge.Distinctive(t.Search.Line(i))
}
