package report

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/linediff"
)

// row is one line of the comparison of SEARCH with the text of the file that is nearest to it.
type row struct {
	// number is the line in the file, 1-based; 0 for a line that only SEARCH has.
	number int
	sign   byte // ' ' both have it, '-' SEARCH only, '+' the file only
	text   string
	// marks are the spans of bytes that differ from the line's counterpart, in order; nil where there is none.
	marks [][2]int
}

// compare sets SEARCH against the nearest text, by line. A line that was changed is shown in its old and its new form, one
// below the other.
func compare(search []byte, near *apply.Nearest) []row {
	a, b := lines(search), lines([]byte(near.Text))
	var rows []row
	at := 0
	keep := func(to int) {
		for ; at < to; at++ {
			rows = append(rows, row{near.Lines[0] + at, ' ', string(b[at]), nil})
		}
	}
	for _, c := range linediff.Diff(a, b) {
		keep(c.B0)
		rows = append(rows, changed(a[c.A0:c.A1], b[c.B0:c.B1], near.Lines[0]+c.B0)...)
		at = c.B1
	}
	keep(len(b))
	return rows
}

// changed pairs lines of SEARCH with lines of the file in order, as far as both go.
func changed(search, file [][]byte, number int) (rows []row) {
	for i := range max(len(search), len(file)) {
		s, f := row{0, '-', "", nil}, row{number + i, '+', "", nil}
		if i < len(search) {
			s.text = string(search[i])
		}
		if i < len(file) {
			f.text = string(file[i])
		}
		if i < len(search) && i < len(file) {
			s.marks, f.marks = differences(s.text, f.text)
		}
		if i < len(search) {
			rows = append(rows, s)
		}
		if i < len(file) {
			rows = append(rows, f)
		}
	}
	return rows
}

// differences are the spans of a and of b that the other one does not have. Characters are compared where both are
// UTF-8 and not long; else what lies between the common beginning and the common end is one span.
func differences(a, b string) (inA, inB [][2]int) {
	if max(len(a), len(b)) > 1000 || !utf8.ValidString(a) || !utf8.ValidString(b) {
		head, tail := common(a, b)
		return between(head, len(a)-tail), between(head, len(b)-tail)
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0
	atA, atB := 0, 0
	for _, d := range differ.DiffCleanupSemantic(differ.DiffMain(a, b, false)) {
		n := len(d.Text)
		switch d.Type {
		case diffmatchpatch.DiffEqual:
			atA, atB = atA+n, atB+n
		case diffmatchpatch.DiffDelete:
			inA, atA = append(inA, [2]int{atA, atA + n}), atA+n
		case diffmatchpatch.DiffInsert:
			inB, atB = append(inB, [2]int{atB, atB + n}), atB+n
		}
	}
	return inA, inB
}

func between(from, to int) [][2]int {
	if from == to {
		return nil
	}
	return [][2]int{{from, to}}
}

// common is how many bytes a and b share at their beginnings and at their ends, without overlap.
func common(a, b string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// lines splits text at "\n". Line ends are not compared: a "\r" that only one side has would mark every line.
func lines(text []byte) linediff.Slice {
	var out linediff.Slice
	for line := range bytes.Lines(text) {
		out = append(out, bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
	}
	return out
}

// context is how many equal lines are shown next to a difference.
const context = 3

// nearest writes the text of the file that resembles SEARCH most, and marks what differs.
func (p Printer) nearest(b *apply.BlockReport, detail Detail) {
	near := b.Nearest
	about := ""
	if near.Approximate {
		about = "about "
	}
	words := fmt.Sprintf("%s, similarity %s%.2f", linesOf(near.Lines), about, near.Score)
	if b.Needed > 0 && isAboutSimilarity(b.Objection) {
		words += fmt.Sprintf(", needed %.2f", b.Needed)
	}
	var search []byte
	if b.Block != nil {
		search = b.Block.Search
		words += " (- is SEARCH, + is the file)"
	} else {
		search = []byte(near.Text)
	}
	p.field("nearest", words)

	rows := compare(search, near)
	some := slices.ContainsFunc(rows, differs)
	rows = slices.Concat(around(near.Before, near.Lines[0]-len(lines([]byte(near.Before)))), rows, around(near.After, near.Lines[1]+1))
	width := len(strconv.Itoa(max(near.Lines[0], near.Lines[1]+len(lines([]byte(near.After))))))
	shown, gap := 0, false
	for i := range rows {
		if detail < Verbose && some && !nearDifference(rows, i) {
			gap = true
			continue
		}
		if shown++; shown > longest && detail < Verbose {
			p.line("       ", p.paint(dim, fmt.Sprintf("… %d more lines (-v shows all)", len(rows)-i)))
			return
		}
		if gap {
			p.line("       ", p.paint(dim, "⋮"))
			gap = false
		}
		p.row(&rows[i], width)
	}
}

// isAboutSimilarity reports whether the block was refused because too little is alike, and not for what differs.
func isAboutSimilarity(o *apply.Objection) bool {
	return o == nil || o.Code == "too-little" || o.Code == "below-threshold"
}

// around are lines of the file next to the nearest text, from number on.
func around(text string, number int) (rows []row) {
	for i, line := range lines([]byte(text)) {
		rows = append(rows, row{number + i, ' ', string(line), nil})
	}
	return rows
}

// nearDifference says that row i differs, or is next to a row that does.
func nearDifference(rows []row, i int) bool {
	return slices.ContainsFunc(rows[max(0, i-context):min(len(rows), i+context+1)], differs)
}

func differs(r row) bool { return r.sign != ' ' }

func (p Printer) row(r *row, width int) {
	number, st := "", plain
	if r.number > 0 {
		number = strconv.Itoa(r.number)
	}
	switch r.sign {
	case '-':
		st = red
	case '+':
		st = green
	}
	const margin = "       "
	number = fmt.Sprintf("%*s", width, number)
	lead := cells(margin+number) + len(" - ")
	room := columns
	switch {
	case p.whole:
		room = math.MaxInt
	case p.Columns > 0:
		room = max(p.Columns-lead, minCode)
	}
	text, marks := visible(r, room)
	p.line(margin, p.paint(dim, number), " ", p.paint(st, string(r.sign)+" "+text))
	if marks != "" {
		p.line(strings.Repeat(" ", lead), p.paint(yellow, marks))
	}
}

// columns is how much of a long line is shown where no terminal says how much it has room for.
const columns = 140

// visible is the line as it is shown in so many columns, and the carets below its differences; "" for none. Tabs show as →; spaces show as
// · where they matter: at the ends of a line that differs, and in a difference. A long line is cut to the part around
// its first difference, or loses its middle.
func visible(r *row, room int) (text, marks string) {
	first, last := 0, len(r.text) // the text between the blanks at both ends
	if r.sign != ' ' {
		first = len(r.text) - len(strings.TrimLeft(r.text, " \t"))
		last = len(strings.TrimRight(r.text, " \t"))
	}
	start := 0
	if len(r.marks) > 0 && cells(r.text) > room && cells(r.text[:r.marks[0][0]]) > room/2 {
		start = r.marks[0][0] - len(lastCells(r.text[:r.marks[0][0]], room/4))
	}
	var b, carets strings.Builder
	used := 0
	add := func(s, caret string) {
		b.WriteString(s)
		carets.WriteString(strings.Repeat(caret, cells(s)))
		used += cells(s)
	}
	if start > 0 {
		add("…", " ")
	}
	left := r.marks
	for i := start; i < len(r.text); {
		for len(left) > 0 && left[0][1] <= i {
			left = left[1:]
		}
		marked := len(left) > 0 && left[0][0] <= i
		c, n := utf8.DecodeRuneInString(r.text[i:])
		var piece strings.Builder
		switch {
		case c == '\t':
			piece.WriteString("→")
		case c == ' ' && (i < first || i >= last || marked):
			piece.WriteString("·")
		default:
			piece.WriteString(shown(c, r.text[i:i+n]))
		}
		if i += n; r.marks != nil && used+cells(piece.String()) > room-min(len(r.text)-i, 1) {
			add("…", " ")
			break
		}
		if marked {
			add(piece.String(), "^")
		} else {
			add(piece.String(), " ")
		}
	}
	if r.marks == nil {
		return evenCut(b.String(), room), ""
	}
	return b.String(), strings.TrimRight(carets.String(), " ")
}
