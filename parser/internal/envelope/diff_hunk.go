package envelope

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
)

// diffRange matches the header of a hunk of a unified diff, including what git writes after the
// second @@. The counts may be missing, and so may both ranges (`@@ ... @@`).
var diffRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@@+ *(?:-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))?|\.\.\.|) *(?:@@.*)?$`)
})

// diffHunk is a hunk of a unified diff while it is read. The counts in its header only serve to
// show whether all of it was read.
type diffHunk struct {
	hunk
	header                numbered
	start                 int  // first line in the old file, 0 if unknown
	counted               bool // the header has counts
	wantBefore, wantAfter int  // lines in the old and the new file, by the header
	before, after         int  // lines read so far
}

// reached reports whether the hunk has at least as many lines as its header says.
func (h *diffHunk) reached() bool {
	return h.counted && h.before >= h.wantBefore && h.after >= h.wantAfter
}

// complete reports whether the hunk has exactly as many lines as its header says.
func (h *diffHunk) complete() bool {
	return h.counted && h.before == h.wantBefore && h.after == h.wantAfter
}

// isWhole reports whether a hunk at the end of the input was surely not cut off. Either it has
// exactly the lines that its header counts and the last one has a line end (ended), or its last
// line is context and it has at least as many lines as the header counts, if it counts any.
func (h *diffHunk) isWhole(ended bool) bool {
	n := len(h.lines)
	stays := n > 0 && h.lines[n-1].op == ' ' && len(h.lines[n-1].text) > 0 && (!h.counted || h.reached())
	return h.operators() && (stays || ended && h.complete())
}

// resolve gives lines without an operator the one that makes the header's counts right. If such a
// line cannot be a line of the file, resolve returns the first one instead: either the counts are
// right without it, or it looks like a marker or prose.
func (h *diffHunk) resolve() (numbered, bool) {
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
	case h.complete(): // context has to be in the file, whatever it looks like
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

func (h *diffHunk) addLine(op byte, line []byte, number int) {
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

// takeAnnounced adds the blank lines at the end of the hunk as context while its header counts more
// lines. It returns the number of the last line added, or 0 if there is none.
func (h *diffHunk) takeAnnounced() (last int) {
	for len(h.blanks) > 0 && len(h.lines) > 0 && h.counted &&
		h.before < h.wantBefore && h.after < h.wantAfter {
		l, rest := h.blanks[0], h.blanks[1:]
		h.blanks = nil
		h.addLine(' ', l.text, l.number)
		h.blanks, last = rest, l.number
	}
	return last
}

// misread returns a line that would be written although it surely isn't a line of the file: a "+"
// line with a hunk's header at the start of a hunk that has no header, or a last "+" line that ends
// in ``` (the end of the fence) if no fence ends below the hunk.
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
