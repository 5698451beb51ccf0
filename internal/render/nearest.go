package render

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/linediff"
)

// row is one line of the comparison of SEARCH with the text of the file that is nearest to it.
type row struct {
	// number is the line in the file, 1-based; 0 for a line that only SEARCH has.
	number int
	sign   byte // ' ' both have it, '-' SEARCH only, '+' the file only
	text   string
	// from and to bound the bytes that differ from the line's counterpart; from is -1 where there is none to compare with.
	from, to int
}

// compare sets SEARCH against the nearest text, by line. A line that was changed stands as its old and its new form, one
// below the other.
func compare(search []byte, near *apply.Nearest) []row {
	a, b := lines(search), lines([]byte(near.Text))
	var rows []row
	ops := linediff.Diff(a, b)
	for i := 0; i < len(ops); i++ {
		op := ops[i]
		switch {
		case op.Kind == linediff.Equal:
			for n := op.B0; n < op.B1; n++ {
				rows = append(rows, row{near.Lines[0] + n, ' ', string(b[n]), -1, -1})
			}
		case op.Kind == linediff.Delete && i+1 < len(ops) && ops[i+1].Kind == linediff.Insert:
			rows = append(rows, changed(a[op.A0:op.A1], b[ops[i+1].B0:ops[i+1].B1], near.Lines[0]+ops[i+1].B0)...)
			i++
		case op.Kind == linediff.Delete:
			rows = append(rows, changed(a[op.A0:op.A1], nil, 0)...)
		default:
			rows = append(rows, changed(nil, b[op.B0:op.B1], near.Lines[0]+op.B0)...)
		}
	}
	return rows
}

// changed pairs lines of SEARCH with lines of the file in order, as far as both go.
func changed(search, file [][]byte, number int) (rows []row) {
	for i := range max(len(search), len(file)) {
		s, f := row{0, '-', "", -1, -1}, row{number + i, '+', "", -1, -1}
		if i < len(search) {
			s.text = string(search[i])
		}
		if i < len(file) {
			f.text = string(file[i])
		}
		if i < len(search) && i < len(file) {
			head, tail := common(s.text, f.text)
			s.from, s.to = head, len(s.text)-tail
			f.from, f.to = head, len(f.text)-tail
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

// common is how many bytes a and b share at their beginnings and at their ends, in whole runes and without overlap.
func common(a, b string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for head > 0 && (head < len(a) && !utf8.RuneStart(a[head]) || head < len(b) && !utf8.RuneStart(b[head])) {
		head--
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for tail > 0 && (!utf8.RuneStart(a[len(a)-tail]) || !utf8.RuneStart(b[len(b)-tail])) {
		tail--
	}
	return head, tail
}

// lines splits text at "\n". Line ends are not compared: a "\r" that only one side has would mark every line.
func lines(text []byte) [][]byte {
	var out [][]byte
	for line := range bytes.Lines(text) {
		out = append(out, bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
	}
	return out
}

// context is how many equal lines are shown beside a difference.
const context = 2

// nearest writes the text of the file that resembles SEARCH most, and marks what differs.
func (p Printer) nearest(b *apply.BlockReport, detail Detail) {
	near := b.Nearest
	about := ""
	if near.Approximate {
		about = "about "
	}
	words := fmt.Sprintf("lines %s, similarity %s%.2f", span(near.Lines), about, near.Score)
	if b.Needed > 0 {
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
	width := len(strconv.Itoa(max(near.Lines[0], near.Lines[1])))
	shown, gap := 0, false
	for i := range rows {
		if detail < Verbose && !near2(rows, i) {
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

// near2 says that row i differs, stands beside a row that does, or that no row differs.
func near2(rows []row, i int) bool {
	differs := func(r row) bool { return r.sign != ' ' }
	return slices.ContainsFunc(rows[max(0, i-context):min(len(rows), i+context+1)], differs) ||
		!slices.ContainsFunc(rows, differs)
}

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
	text, from, to := visible(r)
	p.line("       ", p.paint(dim, fmt.Sprintf("%*s", width, number)), " ", p.paint(st, string(r.sign)+" "+text))
	if to > from {
		p.line("       ", strings.Repeat(" ", width+3+from), p.paint(yellow, strings.Repeat("^", to-from)))
	}
}

// columns is how much of a long line is shown.
const columns = 140

// visible is the line as it is shown, and the columns of its difference. Tabs show as →; spaces show as · where they
// matter: at the ends of a line that differs, and in the difference itself. A long line is cut to the part around its
// difference.
func visible(r *row) (text string, from, to int) {
	var b strings.Builder
	first, last := 0, len(r.text) // what stands between the blanks at both ends
	if r.sign != ' ' {
		first = len(r.text) - len(strings.TrimLeft(r.text, " \t"))
		last = len(strings.TrimRight(r.text, " \t"))
	}
	col, skip := 0, 0
	if start := utf8.RuneCountInString(r.text[:max(0, r.from)]); start > columns/2 {
		skip = start - columns/4
	}
	from, to = -1, -1
	for i := 0; i < len(r.text); {
		c, n := utf8.DecodeRuneInString(r.text[i:])
		raw := r.text[i : i+n]
		if i >= r.from && from < 0 && r.from >= 0 {
			from = col
		}
		if i >= r.to && to < 0 && r.to >= 0 {
			to = col
		}
		switch {
		case skip > 0:
			if skip--; skip == 0 {
				b.WriteString("…")
				col++
			}
		case col >= columns:
			b.WriteString("…")
			i = len(r.text)
			continue
		default:
			before := b.Len()
			switch {
			case c == '\t':
				b.WriteString("→")
			case c == ' ' && (i < first || i >= last || r.from <= i && i < r.to):
				b.WriteString("·")
			default:
				writeClean(&b, c, raw)
			}
			col += utf8.RuneCountInString(b.String()[before:])
		}
		i += n
	}
	if r.from >= 0 {
		if from < 0 {
			from = col
		}
		if to < 0 {
			to = col
		}
	}
	return b.String(), max(from, 0), max(to, 0)
}
