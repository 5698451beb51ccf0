package envelope

import (
	"bytes"
	"slices"

	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser/internal/mdline"
)

// hunkLine is one line of a hunk of V4A or of a unified diff. op is ' ', '-' or '+', or 0 where the
// reply forgot it; text is the line without op, with its line end.
type hunkLine struct {
	op     byte
	text   []byte
	number int
}

// hunk collects the lines of one change: context and removed lines make up SEARCH, context and
// added lines REPLACE.
type hunk struct {
	lines []hunkLine
	// blanks are empty lines whose place is not yet known: context that lost its blank, or space
	// around the hunk.
	blanks []numbered
}

// add appends a line with its operator, and the blank lines before it as context.
func (h *hunk) add(op byte, text []byte, number int) {
	if len(h.lines) > 0 {
		for _, b := range h.blanks {
			h.lines = append(h.lines, hunkLine{' ', b.text, b.number})
		}
	}
	h.blanks = h.blanks[:0]
	h.lines = append(h.lines, hunkLine{op, text, number})
}

// blank notes an empty line, which belongs to the hunk only if a line of it follows.
func (h *hunk) blank(line numbered) { h.blanks = append(h.blanks, line) }

// sides makes SEARCH and REPLACE. The function decides about a forgotten operator, given the
// operator of the last line that has one; that is 0 as long as no line was removed or added.
func (h *hunk) sides(forgotten func(last byte) byte) (search, replace []byte) {
	last := byte(0)
	for _, l := range h.lines {
		op := l.op
		if op == 0 {
			op = forgotten(last)
		} else if op != ' ' || last != 0 {
			last = op
		}
		if op != '+' {
			search = append(search, l.text...)
		}
		if op != '-' {
			replace = append(replace, l.text...)
		}
	}
	return search, replace
}

// The ways to take lines whose operator was forgotten. Above the first line that is removed or
// added, they stay.
func asContext(byte) byte { return ' ' }

func asAdded(last byte) byte {
	if last == 0 {
		return ' '
	}
	return '+'
}

// likeLast takes them for added lines only where they continue a change: these operators are
// forgotten most often.
func likeLast(last byte) byte {
	if last == ' ' {
		return ' '
	}
	return asAdded(last)
}

// fill sets the sides of a block. Lines without an operator may give two readings: most often they
// continue the added lines before them, but they may be context as well.
func (h *hunk) fill(b *Block) {
	b.Search, b.Replace = h.sides(likeLast)
	if h.operators() {
		return
	}
	i := slices.IndexFunc(h.lines, lacksOperator)
	at := h.lines[i].number
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

// settle gives the lines without an operator the one that the function says.
func (h *hunk) settle(forgotten func(last byte) byte) {
	last := byte(0)
	for i := range h.lines {
		switch l := &h.lines[i]; {
		case l.op == 0:
			l.op = forgotten(last)
		case l.op != ' ' || last != 0:
			last = l.op
		}
	}
}

// intruder finds a line without an operator that is no line of the file, by its looks: a marker, or
// words about the patch where a change ends. Such a line is never to be written.
func (h *hunk) intruder() (numbered, bool) {
	changing := false
	var above, below byte // the nearest operators around the line, 0 where there is none
	next := 0             // the line that below is of
	for i, l := range h.lines {
		if i == 0 && l.op == '+' && isHeader(l.text) {
			return numbered{l.text, l.number}, true
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
		text, amidAdded := text.Chomp(l.text), above == '+' && below == '+'
		if looksLikeMarker(text) || changing && looksLikeProse(text) && !amidAdded ||
			changing && below == 0 && looksLikeName(text) {
			return numbered{l.text, l.number}, true
		}
	}
	return numbered{}, false
}

// isHeader says whether the text of a line with an operator is the header of a hunk in a list, "+
// @@".
func isHeader(t []byte) bool {
	return bytes.HasPrefix(t, []byte(" @@")) && (len(bytes.TrimSpace(t)) == len("@@") || t[len(" @@")] == ' ')
}

// isNote says whether a line says that the hunk's line above it has no line end, as diff and git
// write it in any language.
func isNote(t []byte) bool {
	return bytes.HasPrefix(t, []byte(`\ `)) && !text.Blank(t[1:]) || bytes.HasPrefix(t, []byte(`\No newline`))
}

// unterminated removes the line end of the hunk's last line, as note asks: `\ No newline at end of
// file`. A CR is part of the line end if the note has one too.
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

// operators says whether every line has its operator.
func (h *hunk) operators() bool {
	return !slices.ContainsFunc(h.lines, func(l hunkLine) bool { return l.op == 0 })
}

// changes says whether the hunk removes or adds a line.
func (h *hunk) changes() bool {
	return slices.ContainsFunc(h.lines, func(l hunkLine) bool { return l.op != ' ' })
}

// bounds are the numbers of the hunk's first and last line, 0 and 0 if it is empty.
func (h *hunk) bounds() (first, last int) {
	if len(h.lines) == 0 {
		return 0, 0
	}
	return h.lines[0].number, h.lines[len(h.lines)-1].number
}
