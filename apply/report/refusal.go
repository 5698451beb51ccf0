package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/linediff"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
)

// How much a report shows before it refers to -v: rows of the file, runes of one line, bytes of a
// corrected block.
const (
	maxRows      = 30
	maxRunes     = 140
	maxCorrected = 64_000
)

// refusal writes one refused block: its line, why, where the nearest text is and how it differs,
// and what to do.
func (p Printer) refusal(b *apply.BlockReport, detail Detail) {
	says := p.paint(bold, Clean(string(b.Reason)))
	if m := message(b); m != "" {
		says += ": " + m
	}
	p.line(p.head(b), ": ", says)
	if detail >= Verbose {
		p.field("tried", Clean(strings.Join(b.Tried, ", ")))
		if b.Searched != nil {
			p.field("searched", linesOf(*b.Searched))
		}
	}
	places := make([]string, len(b.Candidates)) // as editors and terminals understand them
	for i, n := range b.Candidates {
		places[i] = fmt.Sprintf("%s:%d", Clean(b.Path), n)
	}
	p.field("fits at", strings.Join(places, ", "))
	if b.Nearest != nil {
		p.nearest(b, detail)
	}
	p.warnings(b.Warnings)
	switch len(b.Corrected) {
	case 0:
		p.field("to fix", toFix(b))
	case 1:
		p.field("to fix", "if this is what was meant, apply it instead:")
		p.quote(b.Corrected[0], detail)
	default:
		p.field("to fix", "apply the one that was meant:")
		for i, text := range b.Corrected { // they are chosen by their numbers
			p.line(indent, p.paint(cyan, fmt.Sprintf("%d of %d", i+1, len(b.Corrected))))
			p.quote(text, detail)
		}
	}
}

// message is the reason in words, without the path in front of it.
func message(b *apply.BlockReport) string {
	return Clean(strings.TrimPrefix(b.Message, b.Path+": "))
}

// quote writes a block indented, so that its lines cannot be taken for the report's; pasted like
// this, it is still read as a block.
func (p Printer) quote(block string, detail Detail) {
	if len(block) > maxCorrected && detail < Verbose {
		p.line(quoted, p.paint(dim, fmt.Sprintf("… (%d bytes; -v shows all)", len(block))))
		return
	}
	for line := range cleanLines(strings.TrimRight(block, "\n")) {
		p.line(quoted, line)
	}
}

// isWhole reports whether a block gives all of a file's text.
func isWhole(b *apply.BlockReport) bool { return b.Block != nil && b.Block.Op == parser.OpWrite }

// isAddition reports whether a block for a file that exists gives lines without a place, so that
// its text can be added at the end.
func isAddition(b *apply.BlockReport) bool {
	return b.Block == nil || b.Block.Op != parser.OpMove && !b.Block.Whole()
}

// toFix is what a user of the command can do about a refusal, beyond what its message says.
func toFix(b *apply.BlockReport) string {
	const encoding = "name the file's encoding with --encoding NAME (latin1, windows-1252, gbk, shift_jis)"
	switch b.Reason {
	case apply.Encoding:
		return encoding
	case apply.NotFound:
		if slices.ContainsFunc(b.Warnings, func(w string) bool { return strings.HasPrefix(w, "encoding:") }) {
			return encoding + ", or convert the file to UTF-8"
		}
		if b.Nearest != nil {
			return "make SEARCH repeat the file's lines as they are now"
		}
	case apply.Ambiguous:
		return "add such lines, or name the line in the marker: <<<<<<< SEARCH line:N"
	case apply.NoName:
		return "give the file with --file"
	case apply.Exists:
		if isAddition(b) {
			return "use --append-empty to add the text at the end"
		}
	case apply.NoSuchFile:
		return "correct the name, or give it with --file; -d names the tree and -p strips leading directories"
	case apply.Placeholder:
		if !isWhole(b) { // otherwise the file would become what the model left of it
			return "if REPLACE is meant to hold such a line, use --allow-placeholders"
		}
	case apply.Overlap:
		return "to leave one of them out, name the blocks to apply with --only"
	case apply.OutsideRoot:
		return "name a file inside the tree, or give it with --file; " +
			"-p strips leading directories, and -d names another tree"
	}
	return ""
}

// row is one line of the comparison of SEARCH with the text of the file that is nearest to it.
type row struct {
	// number is the line in the file, 1-based; 0 for a line that only SEARCH has.
	number int
	sign   byte // ' ' both have it, '-' SEARCH only, '+' the file only
	text   string
	// from and to are what differs from the line's counterpart, in bytes; equal if there is none.
	from, to int
}

func (r row) differs() bool { return r.sign != ' ' }

// reindented are the lines that only differ in their indentation: how many, and the first of them.
type reindented struct {
	count, line  int
	search, file string // the margins of the first
}

// says is the remark about these lines; "" if there are none.
func (in *reindented) says() string {
	if in.count == 0 {
		return ""
	}
	margin := func(s string) string {
		return cmp.Or(strings.NewReplacer(" ", "·", "\t", "→").Replace(s), "none")
	}
	where := plural(in.count, "line") + ", first in line " + strconv.Itoa(in.line)
	if in.count == 1 {
		where = "line " + strconv.Itoa(in.line)
	}
	return fmt.Sprintf("differs in %s: %s in SEARCH, %s in the file", where, margin(in.search), margin(in.file))
}

// compare sets SEARCH against the nearest text, by line. Lines that differ in their indentation
// alone count as equal, and are counted.
func compare(search []byte, near *apply.Nearest) (rows []row, in reindented) {
	a, b := lines(search), lines([]byte(near.Text))
	atA, atB := 0, 0
	keep := func(to int) {
		for ; atB < to; atA, atB = atA+1, atB+1 {
			number := near.Lines[0] + atB
			if s, f := margin(a[atA]), margin(b[atB]); s != f && len(s) < len(a[atA]) {
				if in.count++; in.count == 1 {
					in.line, in.search, in.file = number, s, f
				}
			}
			rows = append(rows, row{number: number, sign: ' ', text: string(b[atB])})
		}
	}
	for _, c := range linediff.Diff(unindented(a), unindented(b)) {
		keep(c.B0)
		rows = append(rows, changed(a[c.A0:c.A1], b[c.B0:c.B1], near.Lines[0]+c.B0)...)
		atA, atB = c.A1, c.B1
	}
	keep(len(b))
	return rows, in
}

func margin(line []byte) string { return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]) }

func unindented(lines linediff.Slice) (out linediff.Slice) {
	for _, line := range lines {
		out = append(out, bytes.TrimLeft(line, " \t"))
	}
	return out
}

// changed pairs lines of SEARCH with lines of the file in order, and finds what lies between the
// common beginnings and ends of their texts.
func changed(search, file [][]byte, number int) (rows []row) {
	for i := range max(len(search), len(file)) {
		s, f := row{sign: '-'}, row{number: number + i, sign: '+'}
		if i < len(search) {
			s.text = string(search[i])
		}
		if i < len(file) {
			f.text = string(file[i])
		}
		if i < len(search) && i < len(file) {
			atS, atF := len(margin(search[i])), len(margin(file[i]))
			head, tail := common(s.text[atS:], f.text[atF:])
			s.from, s.to, f.from, f.to = atS+head, len(s.text)-tail, atF+head, len(f.text)-tail
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

// common is how many bytes a and b share at their beginnings and at their ends, in whole characters
// and without overlap.
func common(a, b string) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for head > 0 && !(starts(a, head) && starts(b, head)) {
		head--
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for tail > 0 && !utf8.RuneStart(a[len(a)-tail]) {
		tail--
	}
	return head, tail
}

func starts(s string, at int) bool { return at >= len(s) || utf8.RuneStart(s[at]) }

// lines splits text at "\n". Line ends are not compared: a "\r" that only one side has would mark
// every line.
func lines(text []byte) (out linediff.Slice) {
	for line := range bytes.Lines(text) {
		out = append(out, bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
	}
	return out
}

// context is how many equal lines are shown next to a difference.
const context = 3

// nearest writes the text of the file that resembles SEARCH most, and marks what differs.
func (p Printer) nearest(b *apply.BlockReport, detail Detail) {
	near, about := b.Nearest, ""
	if near.Approximate {
		about = "about "
	}
	words := fmt.Sprintf("%s, similarity %s%.2f", linesOf(near.Lines), about, near.Score)
	search := []byte(near.Text)
	if b.Block != nil {
		search = b.Block.Search
		words += " (- is SEARCH, + is the file)"
	}
	p.field("nearest", words)
	rows, in := compare(search, near)
	p.field("indentation", in.says())
	some := slices.ContainsFunc(rows, row.differs)
	before := fileRows(near.Before, near.Lines[0]-len(lines([]byte(near.Before))))
	rows = slices.Concat(before, rows, fileRows(near.After, near.Lines[1]+1))
	width := 1
	for i := range rows {
		width = max(width, len(strconv.Itoa(rows[i].number)))
	}
	shown, gap := 0, false
	for i := range rows {
		near := rows[max(0, i-context):min(len(rows), i+context+1)]
		if detail < Verbose && some && !slices.ContainsFunc(near, row.differs) {
			gap = true
			continue
		}
		if shown++; shown > maxRows && detail < Verbose {
			p.line(quoted, p.paint(dim, fmt.Sprintf("… %d more lines (-v shows all)", len(rows)-i)))
			return
		}
		if gap {
			p.line(quoted, p.paint(dim, "⋮"))
			gap = false
		}
		p.row(&rows[i], width, detail)
	}
}

// fileRows are lines of the file next to the nearest text, from number on.
func fileRows(text string, number int) (rows []row) {
	for i, line := range lines([]byte(text)) {
		rows = append(rows, row{number: number + i, sign: ' ', text: string(line)})
	}
	return rows
}

func (p Printer) row(r *row, width int, detail Detail) {
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
	text, marks := r.visible(detail)
	p.line(quoted, p.paint(dim, fmt.Sprintf("%*s", width, number)), " ", p.paint(st, string(r.sign)+" "+text))
	if marks != "" {
		p.line(quoted, strings.Repeat(" ", width+3), p.paint(yellow, marks))
	}
}

// visible is the line as it is shown, and the carets below what differs; "" for none. Tabs show as
// →; spaces show as · where they matter: at the ends of a line that differs, and in a difference.
// Of a long line, the part around its difference is shown.
func (r *row) visible(detail Detail) (text, marks string) {
	first, last := 0, len(r.text) // the text between the blanks at both ends
	if r.differs() {
		first = len(r.text) - len(strings.TrimLeft(r.text, " \t"))
		last = len(strings.TrimRight(r.text, " \t"))
	}
	var b, carets strings.Builder
	add := func(s, caret string) {
		b.WriteString(s)
		carets.WriteString(strings.Repeat(caret, utf8.RuneCountInString(s)))
	}
	start, room := 0, maxRunes
	if detail >= Verbose {
		room = len(r.text)
	}
	if detail < Verbose && utf8.RuneCountInString(r.text[:r.from]) > room/2 {
		for start = r.from - room/4; !utf8.RuneStart(r.text[start]); start-- {
		}
		add("…", " ")
	}
	for i := start; i < len(r.text); {
		if room--; room < 0 {
			add("…", " ")
			break
		}
		marked := r.from <= i && i < r.to
		c, n := utf8.DecodeRuneInString(r.text[i:])
		piece := shown(c, r.text[i:i+n], i < first || i >= last || marked)
		if marked {
			add(piece, "^")
		} else {
			add(piece, " ")
		}
		i += n
	}
	return b.String(), strings.TrimRight(carets.String(), " ")
}

// shown is how a character is shown, which raw encodes.
func shown(c rune, raw string, blank bool) string {
	switch {
	case c == '\t':
		return "→"
	case c == ' ' && blank:
		return "·"
	}
	return text.Shown(c, raw)
}

// maxAlike is how many diagnostics a report shows, and the message to a model.
const maxAlike = 20

// diagnostics writes the attempted edits that were not understood.
func (p Printer) diagnostics(list []Located) {
	for i := range list[:min(len(list), maxAlike)] {
		p.diagnostic(&list[i], i == 0)
	}
	if more := len(list) - maxAlike; more > 0 {
		p.line(p.paint(red, "✗"), fmt.Sprintf(" and %d more like these (--json lists all)", more))
	}
}

// example is what a block looks like when it is right. It is shown below the first diagnostic,
// unless that has one of its own.
const example = `path/to/file.py
<<<<<<< SEARCH
lines as they are in the file
=======
lines that replace them
>>>>>>> REPLACE`

// diagnostic writes one attempted edit that was not understood, and the example below the first.
func (p Printer) diagnostic(d *Located, first bool) {
	at := fmt.Sprintf("%s:%d", cmp.Or(Clean(d.Reply), "reply"), d.Line)
	p.line(p.paint(red, "✗"), " ", at, ": ", p.paint(bold, Clean(d.Code)))
	p.field("found", Clean(clip(d.Found, 160)))
	p.field("expected", Clean(d.Expected))
	remedy, block, ok := strings.Cut(d.Remedy, ":\n")
	p.field("to fix", Clean(remedy))
	if !first && !ok || d.Code == diagnosis.AmbiguousTurn || d.Code == diagnosis.ChatLog {
		return
	}
	if !ok {
		block = example
	}
	p.line(indent, "a correct block:")
	for line := range strings.SplitSeq(block, "\n") {
		p.line(quoted, Clean(line))
	}
}

// clip shortens s to n runes, and shows that it did.
func clip(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}
