package envelope

import (
	"bytes"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// tear watches what follows a fence within a hunk. If the lines of the hunk continue below it, the
// fence is a line of the file whose leading blank was forgotten: the diff was read in part, and
// that is reported with the part.
type tear struct {
	fence         numbered
	lines         int  // that were read from the fence on; 0 if there is none
	prose         bool // one of them may begin a paragraph or a list
	before, after int  // the lines of either side, if the fence is one
}

// mayTear says whether the line is a fence in the midst of a hunk, as far as its header shows. A
// fence that opens another diff is none.
func (e *diff) mayTear(t []byte) bool {
	if !endsFence(t) || len(e.pending) > 0 || e.cur.complete() {
		return false
	}
	switch string(bytes.Trim(t, "`~ \t")) {
	case "diff", "patch":
		return false
	}
	return true
}

// endsFence says whether the line may end the fence around a diff: it is a fence, or the end tag of
// an element that is one.
func endsFence(t []byte) bool {
	if len(t) > 0 && t[0] == '<' {
		m, ok := mdline.ParseFence(t)
		return ok && m.Closes
	}
	return mdline.IsFence(t)
}

func (e *diff) startTear(t []byte, number int) {
	h := e.cur
	e.tear = tear{
		fence: numbered{bytes.Clone(t), number}, lines: 1,
		before: h.before + len(h.blanks) + 1, after: h.after + len(h.blanks) + 1,
	}
}

// belowFence reads a line below the fence. All of them are given back in the end.
func (e *diff) belowFence(t, raw []byte) bool {
	h, w := e.cur, &e.tear
	short := h.counted && !h.reached()
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
		item := isListItem(t)
		if !item && (t[0] == '+' || !w.prose) || short && w.before == h.wantBefore && w.after == h.wantAfter {
			e.diagnose(diagnosis.Malformed, w.fence,
				"a blank before each line of the file that stays, even if it is a fence",
				"write the diff again, with a blank, - or + before each line, "+
					"in a fence that is longer than those inside")
			return e.stop(raw)
		}
		w.prose = w.prose || item
	default:
		return e.stop(raw)
	}
	if w.lines++; w.lines == MaxUnread {
		w.lines--
		return e.stop(raw)
	}
	return false
}

// isListItem says whether a line with - or + may be an item of a list instead, or just a rule.
func isListItem(t []byte) bool {
	return len(t) == 1 || t[1] == ' ' && len(t) > 2 && t[2] != ' ' || len(bytes.Trim(t, "-+ ")) == 0
}
