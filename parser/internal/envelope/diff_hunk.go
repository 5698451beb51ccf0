package envelope

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/internal/text"
)

// diffRange matches the hunk header of a unified diff, including the text that git writes after the
// second @@. The counts may be missing, as may both ranges (`@@ ... @@`).
var diffRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^@@+ *(?:-(\d+)(?:,(\d+))? +\+(\d+)(?:,(\d+))?|\.\.\.|) *(?:@@.*)?$`)
})

// diffHunk is a hunk of a unified diff that is being read. The counts in its header are used only
// to check whether the hunk is complete.
type diffHunk struct {
	hunk
	header                numbered
	headless              bool // a hunk without a header, in a fence
	start                 int  // first line in the old file, 0 if unknown
	counted               bool // the header has counts
	wantBefore, wantAfter int  // lines in the old and the new file, according to the header
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

// isWhole reports whether a hunk at the end of the input was certainly not cut off. Either it has
// exactly as many lines as its header says and the last one has a line end (ended), or its last
// line is context and it has at least as many lines as the header says, if the header has counts.
func (h *diffHunk) isWhole(ended bool) bool {
	n := len(h.lines)
	stays := n > 0 && h.lines[n-1].op == ' ' && len(h.lines[n-1].text) > 0 && (!h.counted || h.reached())
	return h.haveOperators() && (stays || ended && h.complete())
}

// resolve gives lines without an operator the operator that makes the header's counts correct, if
// there is one. If such a line cannot be a line of the file, resolve returns that line and true:
// either the counts are correct without such lines, or the line looks like a marker or prose.
// Otherwise ok is false.
func (h *diffHunk) resolve() (wrong numbered, ok bool) {
	loose := slices.IndexFunc(h.lines, lacksOperator)
	switch {
	case loose < 0:
		return numbered{}, false
	case h.fits(leftOut):
		return h.lines[loose].numbered, true
	case h.complete(): // context has to be in the file, whatever it looks like
		h.lines = h.settled(asContext)
		return numbered{}, false
	}
	wrong, ok = h.intruder()
	if !ok && h.fits(asAdded) {
		h.lines = h.settled(asAdded)
	}
	return wrong, ok
}

// fits reports whether the header's counts are correct with the lines as settled returns them.
func (h *diffHunk) fits(forgotten func(last byte) byte) bool {
	before, after := h.wantBefore, h.wantAfter
	for _, l := range h.settled(forgotten) {
		if l.op == '-' || l.op == ' ' {
			before--
		}
		if l.op == '+' || l.op == ' ' {
			after--
		}
	}
	return h.counted && before == 0 && after == 0
}

// leftOut is the choice to leave out a line without an operator, see settled.
func leftOut(byte) byte { return 0 }

// addLine adds a line, and the blank lines above it, to the hunk and to the counts of lines read. A
// line without an operator (op 0) counts for both files.
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

// isNotRemoved reports whether a line of a hunk stays in the file or is added to it.
func isNotRemoved(l hunkLine) bool { return l.op != '-' }

// misread returns a line that would be written although it is certainly not a line of the file: a
// "+" line with a hunk header at the start of a hunk that has no header, or a last "+" line that
// ends in ``` (the end of the fence) if no fence ends below the hunk.
func (h *diffHunk) misread(fenceBelow bool) (numbered, bool) {
	if len(h.lines) == 0 {
		return numbered{}, false
	}
	if l := h.lines[0]; l.op == '+' && !bytes.HasPrefix(h.header.text, []byte("@@")) &&
		diffRange().Match(bytes.TrimSpace(l.text)) {
		return l.numbered, true
	}
	last := len(h.lines) - 1
	for last > 0 && text.Blank(h.lines[last].text) {
		last--
	}
	l := h.lines[last]
	t := bytes.TrimSpace(l.text)
	rest := bytes.TrimRight(t, "`")
	endsInFence := len(t)-len(rest) >= 3 && len(rest) > 0 && !bytes.Contains(rest, []byte("```"))
	if l.op == '+' && !fenceBelow && endsInFence {
		return l.numbered, true
	}
	return numbered{}, false
}
