package apply

import (
	"bytes"

	"github.com/srpatch/srpatch/apply/internal/splice"
	"github.com/srpatch/srpatch/strategy"
)

// made is what the edits of a ledger make that the text did not have: the lines, and each two lines in a row with a line feed between
// them, that have a byte of what an edit writes or that an edit has brought together. Line ends are no part of them.
type made struct {
	lines map[string]bool
	fresh []splice.Edit // not yet looked at
	// crowded says that more edits are next to each other than are looked at together: then nothing is kept.
	crowded bool
}

// maxTouching bounds how many edits next to each other are looked at for each of them.
const maxTouching = 64

// mayHold reports quickly whether the edits of text may have made lines that are the pattern's.
func (l *ledger) mayHold(text []byte, pat *strategy.Pattern) bool {
	for _, e := range l.made.fresh {
		l.touch(text, e)
	}
	l.made.fresh = l.made.fresh[:0]
	if l.made.crowded {
		return true
	}
	if pat.Len() == 1 {
		return l.made.lines[string(pat.Line(0))]
	}
	var both []byte
	for i := 1; i < pat.Len(); i++ {
		if both = pairOf(both[:0], pat.Document, i); l.made.lines[string(both)] {
			return true
		}
	}
	return false
}

// pairOf appends line i and the one above it.
func pairOf(dst []byte, d *strategy.Document, i int) []byte {
	return append(append(append(dst, d.Line(i-1)...), '\n'), d.Line(i)...)
}

// touch notes what e has made along with the edits next to it, if the ledger still has it.
func (l *ledger) touch(text []byte, e splice.Edit) {
	at := l.position(e)
	if l.made.crowded || at == len(l.edits) || l.edits[at].Start != e.Start || l.edits[at].End != e.End {
		return
	}
	first, end := at, at+1
	from, to := lineBefore(text, e.Start), lineAfter(text, e.End)
	for ; first > 0 && l.edits[first-1].End >= from; first-- {
		from = min(from, lineBefore(text, l.edits[first-1].Start))
	}
	for ; end < len(l.edits) && l.edits[end].Start <= to; end++ {
		to = max(to, lineAfter(text, l.edits[end].End))
	}
	if end-first > maxTouching {
		l.made.lines, l.made.crowded = nil, true
		return
	}
	if l.made.lines == nil {
		l.made.lines = map[string]bool{}
	}
	lines := strategy.NewDocument(written(text, from, to, l.edits[first:end]))
	// The edit writes the bytes from start to stop-1 of lines. A line that ends there is as it was, and so is one that begins there unless the
	// edit has taken its begin.
	start := e.Start - from
	for _, before := range l.edits[first:at] {
		start += grows(before)
	}
	stop := start + len(e.Text)
	if e.End > 0 && text[e.End-1] != '\n' {
		stop++
	}
	var both []byte
	for i := lines.LineAt(start); i < lines.Len() && (i == 0 || lines.Start(i-1) < stop); i++ {
		if lines.Start(i) < stop {
			l.made.lines[string(lines.Line(i))] = true
		}
		if i > 0 {
			both = pairOf(both[:0], lines, i)
			l.made.lines[string(both)] = true
		}
	}
}

// lineBefore is where the line above the one with the byte at offset begins, lineAfter where the line below it ends.
func lineBefore(text []byte, offset int) int {
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	return bytes.LastIndexByte(text[:max(0, start-1)], '\n') + 1
}

func lineAfter(text []byte, offset int) int {
	for range 2 {
		n := bytes.IndexByte(text[offset:], '\n')
		if n < 0 {
			return len(text)
		}
		offset += n + 1
	}
	return offset
}
