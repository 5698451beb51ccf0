package envelope

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
)

// hunkLine is a line of a V4A or unified diff hunk. op is ' ', '-' or '+', or 0 if the
// reply omits it. text is the line without op but with its line end.
type hunkLine struct {
	op     byte
	text   []byte
	number int
}

// hunk collects the lines of one change. SEARCH consists of its context and removed lines, REPLACE
// of its context and added lines.
type hunk struct {
	lines []hunkLine
	// blanks are the empty lines at the end so far: either context that lacks its leading blank, or
	// space after the hunk.
	blanks []numbered
}

// add appends a line with its operator. Pending blank lines before it become context.
func (h *hunk) add(op byte, text []byte, number int) {
	if len(h.lines) > 0 {
		for _, b := range h.blanks {
			h.lines = append(h.lines, hunkLine{' ', b.text, b.number})
		}
	}
	h.blanks = h.blanks[:0]
	h.lines = append(h.lines, hunkLine{op, text, number})
}

// blank records an empty line. It becomes part of the hunk only if another line follows.
func (h *hunk) blank(line numbered) { h.blanks = append(h.blanks, line) }

// fill sets the two sides of b.
func (h *hunk) fill(b *Block) {
	for _, l := range h.lines {
		if l.op != '+' {
			b.Search = append(b.Search, l.text...)
		}
		if l.op != '-' {
			b.Replace = append(b.Replace, l.text...)
		}
	}
}

// intruder returns a line that can't be the file's: one without an operator, or a hunk header in a
// list ("+ @@") as the first line. ok is false if there is none.
func (h *hunk) intruder() (line numbered, ok bool) {
	for i, l := range h.lines {
		if l.op == 0 || i == 0 && l.op == '+' && isHeader(l.text) {
			return numbered{l.text, l.number}, true
		}
	}
	return numbered{}, false
}

// isHeader reports whether t, the text after an operator, is a hunk header in a list: "+ @@".
func isHeader(t []byte) bool {
	return bytes.HasPrefix(t, []byte(" @@")) && (len(bytes.TrimSpace(t)) == len("@@") || t[len(" @@")] == ' ')
}

// isNote reports whether t is the note that the line above has no line end. diff and git write this
// note in the user's language.
func isNote(t []byte) bool {
	return bytes.HasPrefix(t, []byte(`\ `)) && !text.Blank(t[1:]) || bytes.HasPrefix(t, []byte(`\No newline`))
}

// unterminated removes the line end of the hunk's last line, because of a note such as `\ No
// newline at end of file`. A CR is part of the line end if the note ends in a CR, too.
func (h *hunk) unterminated(note []byte) {
	n := len(h.lines)
	if n == 0 {
		return
	}
	text := bytes.TrimSuffix(h.lines[n-1].text, []byte("\n"))
	if bytes.HasSuffix(note, []byte("\r\n")) {
		text = bytes.TrimSuffix(text, []byte("\r"))
	}
	h.lines[n-1].text = text
}

// changes reports whether the hunk has a removed or added line, or one without an operator.
func (h *hunk) changes() bool {
	return slices.ContainsFunc(h.lines, func(l hunkLine) bool { return l.op != ' ' })
}

// bounds returns the numbers of the hunk's first and last lines, or 0 and 0 if it is empty.
func (h *hunk) bounds() (first, last int) {
	if len(h.lines) == 0 {
		return 0, 0
	}
	return h.lines[0].number, h.lines[len(h.lines)-1].number
}
