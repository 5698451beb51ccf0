package envelope

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// hunkLine is a line of a V4A or unified diff hunk. op is ' ', '-' or '+', or 0 if the reply omits
// it. Its text is the line without op.
type hunkLine struct {
	op byte
	numbered
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
			h.lines = append(h.lines, hunkLine{' ', b})
		}
	}
	h.blanks = h.blanks[:0]
	h.lines = append(h.lines, hunkLine{op, numbered{text, number}})
}

// blank records an empty line. It becomes part of the hunk only if another line follows.
func (h *hunk) blank(line numbered) { h.blanks = append(h.blanks, line) }

// sides returns SEARCH and REPLACE, with the lines as settled returns them.
func (h *hunk) sides(forgotten func(last byte) byte) (search, replace []byte) {
	for _, l := range h.settled(forgotten) {
		if l.op != '+' {
			search = append(search, l.text...)
		}
		if l.op != '-' {
			replace = append(replace, l.text...)
		}
	}
	return search, replace
}

// The choices for a forgotten operator, see settled. Above the first removed or added line the choice
// is ' '.
func asContext(byte) byte { return ' ' }

func asAdded(last byte) byte {
	if last == 0 {
		return ' '
	}
	return '+'
}

// likeLast treats a line directly after added or removed lines as added, and any other line as
// context. Inside a change, + is the operator that is forgotten most often.
func likeLast(last byte) byte {
	if last == ' ' {
		return ' '
	}
	return asAdded(last)
}

// fill sets the two sides of b. Lines that lack an operator count as likeLast says. If SEARCH
// differs with them as context, or else as added lines, b gets a second reading with that: the file
// shows which SEARCH is right. REPLACE is always the same, as it has both context and added lines.
func (h *hunk) fill(b *Block) {
	b.Search, b.Replace = h.sides(likeLast)
	if h.haveOperators() {
		return
	}
	i := slices.IndexFunc(h.lines, lacksOperator)
	at := h.lines[i].number // where the readings begin to differ
	b.Warnings = append(b.Warnings, warnOperator(h.lines[i]))
	search, replace := h.sides(asContext)
	if bytes.Equal(search, b.Search) {
		search, replace = h.sides(asAdded)
	}
	if bytes.Equal(search, b.Search) {
		return
	}
	b.Readings = []Reading{
		{Divider: at, Search: b.Search, Replace: b.Replace},
		{Divider: at, Search: search, Replace: replace},
	}
}

func lacksOperator(l hunkLine) bool { return l.op == 0 }

func warnOperator(l hunkLine) string {
	return warning.NoOperator.Say("line %d, %q, lacks its leading blank, - or +", l.number, mdline.Excerpt(l.text))
}

// settled returns a copy of the lines. For a line without an operator it calls forgotten, which
// returns the operator to use. Its argument is the operator of the last line that has one, or 0
// before the first removed or added line.
func (h *hunk) settled(forgotten func(last byte) byte) []hunkLine {
	lines, last := slices.Clone(h.lines), byte(0)
	for i := range lines {
		switch l := &lines[i]; {
		case l.op == 0:
			l.op = forgotten(last)
		case l.op != ' ' || last != 0:
			last = l.op
		}
	}
	return lines
}

// intruder returns a line that must never be written: one without an operator that looks like
// something other than a line of the file (a marker, a remark on the patch where a change ends, or
// the name of the next file), or a hunk header in a list ("+ @@") as the first line. ok is false if
// there is none.
func (h *hunk) intruder() (line numbered, ok bool) {
	changing := false
	var above, below byte // the nearest operators around the line, or 0
	next := 0             // index of the line whose operator is below
	for i, l := range h.lines {
		if i == 0 && l.op == '+' && isHeader(l.text) {
			return l.numbered, true
		}
		if l.op != 0 {
			changing, above = changing || l.op != ' ', l.op
			continue
		}
		for next = max(next, i); next < len(h.lines) && h.lines[next].op == 0; {
			next++
		}
		if below = 0; next < len(h.lines) {
			below = h.lines[next].op
		}
		// Prose between added lines is probably added text that lacks its operator.
		text, amidAdded := text.Chomp(l.text), above == '+' && below == '+'
		remark := changing && looksLikeProse(text) && !amidAdded
		name := changing && below == 0 && looksLikeName(text)
		if looksLikeMarker(text) || remark || name {
			return l.numbered, true
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

// haveOperators reports whether every line has an operator.
func (h *hunk) haveOperators() bool {
	return !slices.ContainsFunc(h.lines, lacksOperator)
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
