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

// How much a report shows before it refers to -v: lines of a file or of output, and characters of
// one line.
const (
	maxRows  = 30
	maxRunes = 140
)

// refusal writes one refused block: its line, the reason, where the nearest text is and how it
// differs, and what to do.
func (p Printer) refusal(b *apply.BlockReport, detail Detail) {
	says := p.paint(bold, Clean(string(b.Reason)))
	if m := message(b); m != "" {
		says += ": " + m
	}
	p.line(p.head(b), ": ", says)
	if b.Nearest != nil {
		p.nearest(b, detail)
	}
	p.warnings(b.Warnings)
	if len(b.Corrected) == 0 {
		p.field("to fix", toFix(b))
	}
	for i, text := range b.Corrected { // they are chosen by their numbers
		p.field("to fix", fmt.Sprintf("if this is what was meant, apply it instead (%d of %d):",
			i+1, len(b.Corrected)))
		p.quote(text)
	}
}

// message returns the reason in words, without the path in front of it.
func message(b *apply.BlockReport) string {
	return Clean(strings.TrimPrefix(b.Message, b.Path+": "))
}

// quote writes a block indented, so that its lines can't be taken for the report's. Pasted like
// this, it still parses as a block.
func (p Printer) quote(block string) {
	for line := range cleanLines(strings.TrimRight(block, "\n")) {
		p.line(quoted, line)
	}
}

// remedy says what to do about a refusal in addition to its message: for a person, with the
// command's flags, and for a model, which has none.
type remedy struct{ person, model string }

// remedyOf returns the remedy for a refused block.
func remedyOf(b *apply.BlockReport) remedy {
	if b.Reason == apply.Exists && b.Block != nil && b.Block.Op == parser.OpMove {
		return remedy{model: "Move the file to a name that is free."}
	}
	return remedies[b.Reason]
}

var remedies = map[apply.Reason]remedy{
	apply.NotFound: {"make SEARCH match the file's lines as they are now",
		"Copy SEARCH from the file as it is now, or name the file that has it."},
	apply.Ambiguous: {"make SEARCH longer, or give the line in the marker: <<<<<<< SEARCH line:N",
		"Add neighbouring lines to SEARCH, so that it fits one place only."},
	apply.NoSuchFile: {"correct the name, or give it with --file; -d names the tree and -p strips leading directories",
		nameTheFile},
	apply.NoName: {"give the file with --file", nameTheFile},
	apply.Exists: {"if SEARCH is empty, --append-empty adds REPLACE at the end",
		"An empty SEARCH only creates a new file. To change the file, SEARCH for the lines to change; " +
			"to add to its end, SEARCH for its last line and repeat that in REPLACE, above the new lines."},
	apply.Placeholder: {"if REPLACE is meant to hold such a line, use --allow-placeholders",
		"Write out every line of REPLACE; nothing is filled in."},
	apply.Indentation: {"", "Write SEARCH and REPLACE with the indentation that the file has."},
	apply.Overlap: {"to leave one of them out, name the others with --only, or answer with a line \"skip block N\"",
		"In place of this block, send one that makes all changes to these lines, and add a line such " +
			"as `skip block N` for each other block that changes them. " +
			"To keep only the others, skip this block."},
	apply.Budget: {"", "Copy SEARCH from the file, with a line that occurs only there, and send fewer blocks at once."},
	apply.OutsideRoot: {"name a file inside the tree, or another tree with -d; " +
		"-p strips leading directories", "Use a path inside the project."},
	apply.Encoding: {nameTheEncoding, "Write what REPLACE adds in characters that the file can hold: " +
		"ASCII, or escapes of the language."},
	apply.Binary:   {"", "Edit text only, and write a NUL as an escape of the language."},
	apply.TooLarge: {"", "Change less at once, or skip this block."},
	apply.Stale:    {"", "Read the file again, and write the block for it as it is now."},
}

const (
	nameTheFile = "Put the path of an existing file, relative to the root of the project, " +
		"on the line above the block."
	nameTheEncoding = "name the file's encoding with --encoding NAME (latin1, windows-1252, gbk, shift_jis)"
)

// toFix returns what a user of the command can do about a refusal, or "" if there is nothing to add
// to the message.
func toFix(b *apply.BlockReport) string {
	switch {
	case b.Reason == apply.NotFound && slices.ContainsFunc(b.Warnings, aboutEncoding):
		return nameTheEncoding + ", or convert the file to UTF-8"
	case b.Reason == apply.Placeholder && b.Block != nil && b.Block.Op == parser.OpWrite:
		// With --allow-placeholders, the file would lose the lines that the remark stands for.
		return ""
	}
	return remedyOf(b).person
}

func aboutEncoding(warning string) bool { return strings.HasPrefix(warning, "encoding: ") }

// row is one line of the comparison of SEARCH with the nearest text of the file.
type row struct {
	// number is the line in the file, 1-based, or 0 for a line that only SEARCH has.
	number int
	sign   byte // ' ' both have it, '-' SEARCH only, '+' the file only
	text   string
	// The bytes text[from:to] differ from the counterpart of the line. If the line has none, from
	// and to are 0.
	from, to int
}

func (r row) differs() bool { return r.sign != ' ' }

// compare compares SEARCH with the nearest text, line by line. block.Nearest must not be nil. Lines
// that only differ in indentation count as equal. indentation is one remark about all of them, such
// as "differs in 2 lines, first in line 7", or "" if there are none.
//
// The rows begin and end with the lines of the file around the text, which count as equal.
func compare(block *apply.BlockReport) (rows []row, indentation string) {
	near := block.Nearest
	before, text, after := lines([]byte(near.Before)), lines([]byte(near.Text)), lines([]byte(near.After))
	search := text
	if block.Block != nil {
		search = lines(block.Block.Search)
	}
	a, b := slices.Concat(before, search, after), slices.Concat(before, text, after)
	top := near.Lines[0] - len(before)
	atA, atB := 0, 0     // the next lines to compare
	var reindented []int // lines of the file that differ in indentation
	end := linediff.Change{A0: len(a), A1: len(a), B0: len(b), B1: len(b)}
	for _, c := range append(linediff.Diff(unindented(a), unindented(b)), end) {
		for ; atB < c.B0; atA, atB = atA+1, atB+1 { // equal lines
			if s := margin(a[atA]); s != margin(b[atB]) && len(s) < len(a[atA]) {
				reindented = append(reindented, top+atB)
			}
			rows = append(rows, row{number: top + atB, sign: ' ', text: string(b[atB])})
		}
		rows = append(rows, changed(a[c.A0:c.A1], b[c.B0:c.B1], top+c.B0)...)
		atA, atB = c.A1, c.B1
	}
	if n := len(reindented); n > 0 {
		indentation = fmt.Sprintf("differs in %s, first in line %d", plural(n, "line"), reindented[0])
	}
	return rows, indentation
}

func margin(line []byte) string { return string(text.Margin(line)) }

func unindented(lines linediff.Slice) (out linediff.Slice) {
	for _, line := range lines {
		out = append(out, line[len(text.Margin(line)):])
	}
	return out
}

// changed returns the rows for lines of SEARCH and the lines that the file has in their place, from
// the given line number on. It pairs them in order, and finds the differing part of each pair,
// ignoring indentation. If one side has more lines, the others have no counterpart.
func changed(search, file [][]byte, number int) (rows []row) {
	for i := range max(len(search), len(file)) {
		s, f := row{sign: '-'}, row{number: number + i, sign: '+'}
		if i < len(search) && i < len(file) {
			s.from, f.from = len(margin(search[i])), len(margin(file[i]))
			head := text.CommonPrefix(search[i][s.from:], file[i][f.from:])
			s.from, f.from = s.from+head, f.from+head
			// The suffix is of what is left, so that it can't overlap the prefix.
			tail := text.CommonSuffix(search[i][s.from:], file[i][f.from:])
			s.to, f.to = len(search[i])-tail, len(file[i])-tail
		}
		if i < len(search) {
			s.text = string(search[i])
			rows = append(rows, s)
		}
		if i < len(file) {
			f.text = string(file[i])
			rows = append(rows, f)
		}
	}
	return rows
}

// lines splits a text at "\n". Line ends aren't compared, because a "\r" on one side would mark every
// line.
func lines(all []byte) (out linediff.Slice) {
	for line := range bytes.Lines(all) {
		out = append(out, text.Chomp(line))
	}
	return out
}

// context is how many equal lines are shown next to a difference.
const context = 3

// nearest writes the text of the file that resembles SEARCH most, and marks what differs. b.Nearest
// must not be nil. Unless the report is verbose, nearest leaves out equal lines far from a
// difference, and all lines after maxRows.
func (p Printer) nearest(b *apply.BlockReport, detail Detail) {
	near, file := b.Nearest, "the file"
	if near.Changed {
		file += " with the blocks above applied"
	}
	p.field("nearest", fmt.Sprintf("%s, similarity %.2f (- is SEARCH, + is %s)",
		linesOf(near.Lines), near.Score, file))
	rows, indentation := compare(b)
	p.field("indentation", indentation)
	anyDiffers := slices.ContainsFunc(rows, row.differs)
	width := len(strconv.Itoa(near.Lines[1] + len(lines([]byte(near.After))))) // of a line number
	shown, last := 0, -1                                                       // the last row shown
	for i := range rows {
		neighbours := rows[max(0, i-context):min(len(rows), i+context+1)]
		if detail < Verbose && anyDiffers && !slices.ContainsFunc(neighbours, row.differs) {
			continue
		}
		if shown++; shown > maxRows && detail < Verbose {
			p.line(quoted, p.paint(dim, fmt.Sprintf("… %d more lines (-v shows all)", len(rows)-i)))
			return
		}
		if last >= 0 && last < i-1 { // rows are left out
			p.line(quoted, p.paint(dim, "⋮"))
		}
		last = i
		p.row(&rows[i], width, detail)
	}
}

// row writes one line of the comparison, and a line of carets below it if only a part differs.
// width is that of the line numbers.
func (p Printer) row(r *row, width int, detail Detail) {
	number, room := "", maxRunes
	if r.number > 0 {
		number = strconv.Itoa(r.number)
	}
	if detail >= Verbose {
		room = 2 * len(r.text) // enough for all, as visible uses half of it before a difference
	}
	st := map[byte]style{'-': red, '+': green}[r.sign]
	text, marks := r.visible(room)
	number = p.paint(dim, fmt.Sprintf("%*s", width, number))
	p.line(quoted, number, " ", p.paint(st, string(r.sign)+" "+text))
	if marks != "" {
		p.line(quoted, strings.Repeat(" ", width+3), p.paint(yellow, marks))
	}
}

// visible returns the line as it's shown, and the carets below what differs, or "" for none:
//
//	x := f(a,·b)
//	         ^
//
// Tabs are shown as →, and differing spaces as ·. The part that differs gets at most room
// characters, as does the text after it. The text before it gets half as many bytes.
func (r *row) visible(room int) (text, marks string) {
	show := func(s string) string { return strings.ReplaceAll(cleanTabbed(s), "\t", "→") }
	before := r.text[:r.from]
	if cut := len(before) - room/2; cut > 0 {
		before = "…" + strings.ToValidUTF8(before[cut:], "")
	}
	before = show(before)
	differs := strings.ReplaceAll(show(clip(r.text[r.from:r.to], room)), " ", "·")
	if differs != "" {
		marks = strings.Repeat(" ", utf8.RuneCountInString(before)) +
			strings.Repeat("^", utf8.RuneCountInString(differs))
	}
	return before + differs + show(clip(r.text[r.to:], room)), marks
}

// maxDiagnostics is how many diagnostics a report, or the message to a model, shows.
const maxDiagnostics = 20

// diagnostics writes the attempted edits that weren't understood, each with the corrected block if
// it's known. The first one otherwise gets an example of a block.
func (p Printer) diagnostics(list []Located) {
	for i := range list[:min(len(list), maxDiagnostics)] {
		d := &list[i]
		at := fmt.Sprintf("%s:%d", cmp.Or(Clean(d.Reply), "reply"), d.Line)
		p.line(p.paint(red, "✗"), " ", at, ": ", p.paint(bold, Clean(d.Code)))
		p.field("found", Clean(clip(d.Found, 160)))
		p.field("expected", Clean(d.Expected))
		remedy, block, _ := strings.Cut(d.Remedy, ":\n")
		p.field("to fix", Clean(remedy))
		if block == "" && i == 0 && d.Code != diagnosis.ChatLog {
			block = example
		}
		if block != "" {
			p.line(indent, "a correct block:")
			p.quote(block)
		}
	}
	if more := len(list) - maxDiagnostics; more > 0 {
		p.line(p.paint(red, "✗"), fmt.Sprintf(" and %d more like these (--json lists all)", more))
	}
}

// example shows what a block should look like.
const example = `path/to/file.py
<<<<<<< SEARCH
lines to change, as they are in the file
=======
lines that replace them
>>>>>>> REPLACE`

// clip shortens s to n runes, and shows that it did.
func clip(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}
