package envelope

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
)

// diffRange matches the header of a hunk of a unified diff, with what git writes after it; the
// counts may be missing, and so may both ranges (`@@ ... @@`).
var diffRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@@+ *(?:-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))?|\.\.\.|) *(?:@@.*)?$`)
})

// diffHunk is a hunk of a unified diff on its way to a block. The counts of its header are no more
// than evidence that all of it was read.
type diffHunk struct {
	hunk
	header                numbered
	start                 int  // the first line before, 0 if unknown
	counted               bool // the header has counts
	wantBefore, wantAfter int
	before, after         int
}

// reached says whether the hunk has the lines that its header announces, or more.
func (h *diffHunk) reached() bool {
	return h.counted && h.before >= h.wantBefore && h.after >= h.wantAfter
}

// complete reports whether the hunk has exactly the lines that its header counts.
func (h *diffHunk) complete() bool {
	return h.counted && h.before == h.wantBefore && h.after == h.wantAfter
}

// isWhole reports whether a hunk at the end of the input shows that nothing of its change was cut
// off: it has the lines that are counted, with the end of the last one, or ends in a line that
// stays and has no fewer than are counted.
func (h *diffHunk) isWhole(ended bool) bool {
	n := len(h.lines)
	stays := n > 0 && h.lines[n-1].op == ' ' && len(h.lines[n-1].text) > 0 && (!h.counted || h.reached())
	return h.operators() && (stays || ended && h.complete())
}

// stray gives lines without an operator the one that makes the counts of the header right. It
// returns the first one that is no line of the file: the counts are right without it, or it looks
// like none.
func (h *diffHunk) stray() (numbered, bool) {
	loose, below, changing := 0, 0, false
	var first numbered
	for _, l := range h.lines {
		switch {
		case l.op != 0:
			changing = changing || l.op != ' '
			continue
		case loose == 0:
			first = numbered{l.text, l.number}
		}
		if loose++; changing {
			below++
		}
	}
	switch {
	case loose == 0:
		return numbered{}, false
	case h.counted && h.before-loose == h.wantBefore && h.after-loose == h.wantAfter:
		return first, true
	case h.complete(): // what stays has to be in the file, whatever it looks like
		h.settle(asContext)
		return numbered{}, false
	}
	if l, ok := h.intruder(); ok {
		return l, true
	}
	if h.counted && h.before-below == h.wantBefore && h.after == h.wantAfter {
		h.settle(asAdded)
	}
	return numbered{}, false
}

func (h *diffHunk) take(op byte, line []byte, number int) {
	if len(h.lines) > 0 {
		h.before, h.after = h.before+len(h.blanks), h.after+len(h.blanks)
	}
	h.add(op, line, number)
	if op != '+' {
		h.before++
	}
	if op != '-' {
		h.after++
	}
}

// takeAnnounced takes blank lines at the end of the hunk as context, if its header announces them,
// and returns the number of the last one; 0 if there is none.
func (h *diffHunk) takeAnnounced() (last int) {
	for len(h.blanks) > 0 && len(h.lines) > 0 && h.counted &&
		h.before < h.wantBefore && h.after < h.wantAfter {
		l, rest := h.blanks[0], h.blanks[1:]
		h.blanks = nil
		h.take(' ', l.text, l.number)
		h.blanks, last = rest, l.number
	}
	return last
}

// misread finds a line that would be written and is certainly none of the file: the header of the
// hunk, with an operator, in a hunk that has no other; and a last line to which the end of the
// fence is glued, if no fence ends below the hunk.
func (h *diffHunk) misread(fenceBelow bool) (numbered, bool) {
	if len(h.lines) == 0 {
		return numbered{}, false
	}
	if l := h.lines[0]; l.op == '+' && !bytes.HasPrefix(h.header.text, []byte("@@")) &&
		diffRange().Match(bytes.TrimSpace(l.text)) {
		return numbered{l.text, l.number}, true
	}
	last := len(h.lines) - 1
	for last > 0 && text.Blank(h.lines[last].text) {
		last--
	}
	l := h.lines[last]
	t := bytes.TrimSpace(l.text)
	rest := bytes.TrimRight(t, "`")
	if l.op == '+' && !fenceBelow && len(t)-len(rest) >= 3 && len(rest) > 0 &&
		!bytes.Contains(rest, []byte("```")) {
		return numbered{l.text, l.number}, true
	}
	return numbered{}, false
}
