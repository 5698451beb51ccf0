package envelope

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// innerFence describes a fence line in the middle of a hunk, and the lines below it. If the hunk
// continues there, the fence is a line of the file that lacks its leading blank. In that case only
// a part of the diff was read, which is reported.
type innerFence struct {
	line          numbered
	lines         int  // number of lines read, including the fence; 0 if there is no fence
	prose         bool // one of the lines may begin a paragraph or a list
	before, after int  // lines of the old and the new file, counting the fence as context
}

// mayBeInner reports whether the line is a fence and the hunk may continue below it, because the
// hunk doesn't have exactly as many lines as its header says. A fence that opens another diff
// doesn't count.
func (e *diff) mayBeInner(t []byte) bool {
	if !endsFence(t) || len(e.pending) > 0 || e.cur.complete() {
		return false
	}
	switch string(bytes.Trim(t, "`~ \t")) {
	case "diff", "patch":
		return false
	}
	return true
}

// endsFence reports whether the line may end the fence around a diff: it is a fence itself, or the
// closing tag of an element used as one.
func endsFence(t []byte) bool {
	if len(t) > 0 && t[0] == '<' {
		m, ok := mdline.ParseFence(t)
		return ok && m.Closes
	}
	return mdline.IsFence(t)
}

// startInner begins to count the lines from the fence t on, see innerFence.
func (e *diff) startInner(t []byte, number int) {
	h := e.cur
	e.inner = innerFence{
		line: numbered{bytes.Clone(t), number}, lines: 1,
		before: h.before + len(h.blanks) + 1, after: h.after + len(h.blanks) + 1,
	}
}

// belowFence reads a line below the fence in a hunk (see innerFence) and reports whether the
// envelope ends. If the line shows that the hunk continues there, belowFence adds a fault. All
// lines from the fence on are read again later. t is raw without the diff's margin and without its
// line end.
func (e *diff) belowFence(t, raw []byte) bool {
	h, w := e.cur, &e.inner
	short := h.counted && !h.reached() // the header announces more lines than those above the fence
	switch {
	case len(t) == 0 && short, len(t) > 0 && t[0] == ' ':
		w.before, w.after = w.before+1, w.after+1
		w.prose = w.prose || len(t) == 0
	case hasOperator(t) && !bytes.HasPrefix(t, []byte("--- ")) && !bytes.HasPrefix(t, []byte("+++ ")):
		if t[0] == '-' {
			w.before++
		} else {
			w.after++
		}
		item := isListItem(t)                         // perhaps prose
		certain := !item && (t[0] == '+' || !w.prose) // after prose, "-" may begin a list
		counts := short && w.before == h.wantBefore && w.after == h.wantAfter
		if certain || counts { // the hunk continues
			e.diagnose(diagnosis.Malformed, w.line,
				"a blank before each unchanged line, even if it is a fence",
				"write the diff again, with a blank, - or + before each line, "+
					"in a fence that is longer than those inside")
			return e.stop(raw)
		}
		w.prose = w.prose || item
	default:
		return e.stop(raw)
	}
	if w.lines++; w.lines == MaxUnread { // no more lines can be read again
		w.lines--
		return e.stop(raw)
	}
	return false
}

// isListItem reports whether a line that begins with - or + may be a list item or a rule instead of
// a line of the diff.
func isListItem(t []byte) bool {
	return len(t) == 1 || t[1] == ' ' && len(t) > 2 && t[2] != ' ' || len(bytes.Trim(t, "-+ ")) == 0
}
