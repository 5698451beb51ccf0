package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
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

// Detail is how much a report says.
type Detail int

const (
	// Quiet leaves refusals and diagnostics only.
	Quiet Detail = iota - 2
	// Brief adds what became of the run as a whole.
	Brief
	// Normal is one line a block, and what a refusal needs.
	Normal
	// Verbose names the strategy of exact matches too, and cuts nothing off.
	Verbose
)

// Printer is where text for people goes. Write errors are the writer's own.
type Printer struct {
	W     io.Writer
	Color bool
}

// style is a terminal attribute.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
	cyan   style = "36"
)

// paint gives s the attribute, if colour is wanted.
func (p Printer) paint(st style, s string) string {
	if !p.Color || st == plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// line writes the parts as one line.
func (p Printer) line(parts ...string) { _, _ = io.WriteString(p.W, strings.Join(parts, "")+"\n") }

// The margins of what is said below a block's line, and of text that is quoted there.
const (
	indent = "     "
	quoted = "       "
)

// field writes "name: value" below a block's line, unless there is nothing to say.
func (p Printer) field(name, value string) {
	if value != "" {
		p.line(indent, p.paint(cyan, name+":"), " ", value)
	}
}

func (p Printer) warnings(ws []string) {
	for _, w := range ws {
		p.line(indent, p.paint(yellow, "warning:"), " ", Clean(w))
	}
}

// Clean is [text.Clean].
func Clean(s string) string { return text.Clean(s) }

// cleanTabbed is [Clean] except for tabs, which stay.
func cleanTabbed(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = Clean(parts[i])
	}
	return strings.Join(parts, "\t")
}

// cleanLines are the lines of all, each as [Clean] shows it, but with its tabs and without its line end.
func cleanLines(all string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(all) {
			if !yield(cleanTabbed(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))) {
				return
			}
		}
	}
}

// Text writes what became of every block to out, in the order of the blocks, and refusals and diagnostics to errs. A run of one reply
// among several is one line, with its refusals below it.
func (r *Run) Text(out, errs Printer, detail Detail) {
	if r.Reply != "" {
		switch line := r.replyLine(out); {
		case detail > Quiet:
			out.line(line)
		case r.Status != apply.Applied || len(r.Located) > 0:
			errs.line(line)
		}
	}
	short := r.Reply != "" && detail <= Normal
	for i := range r.Blocks {
		b := &r.Blocks[i]
		switch {
		case r.Elsewhere[b.ID] && detail < Verbose:
			errs.line(errs.head(b), ": ", errs.paint(bold, Clean(string(b.Reason))))
		case b.Status == apply.BlockFailed:
			errs.refusal(b, detail)
		case detail >= Normal && !short:
			out.block(b, detail)
		}
	}
	errs.diagnostics(r.Located, detail)
	if detail > Quiet && !short {
		st, says := r.summary()
		out.line(out.paint(st, plural(len(r.Blocks), "block")+":"), " ", says)
	}
	switch {
	case r.Verify.Failed():
		errs.unverified(r.Verify, detail)
	case r.Verify != nil && detail > Quiet && !short:
		out.line(out.paint(green, "verified:"), " ", Clean(r.Verify.Command), " (", r.Verify.took(), ")")
	}
	if detail > Quiet && !short {
		if v := r.Verify; v.TookBack() && r.Looking == "" {
			errs.line("run ", Clean(v.Run), " was taken back; srpatch redo ", Clean(v.Run), " writes it again, without the check")
		}
		r.sayRetry(errs)
	}
	r.committed(out, errs, detail)
	switch {
	case !r.Written || detail == Quiet || short:
	case r.Unlogged:
		out.line("no journal was kept: srpatch undo does not know this run")
	case r.Run != "" && detail >= Verbose:
		out.line("run ", Clean(r.Run), ": srpatch undo takes it back")
	}
	if detail > Quiet {
		errs.noticed(r.Noticed)
	}
}

// replyLine is the line of a reply among several.
func (r *Run) replyLine(p Printer) string {
	status := apply.BlockAlready
	for _, s := range []apply.BlockStatus{apply.BlockReady, apply.BlockApplied} {
		if slices.ContainsFunc(r.Blocks, func(b apply.BlockReport) bool { return b.Status == s }) {
			status = s
		}
	}
	if r.Status != apply.Applied || len(r.Located) > 0 {
		status = apply.BlockFailed
	}
	mark, st, _ := sign(status)
	total, says := r.summary()
	return p.paint(st, mark) + " " + Clean(r.Reply) + "  " + p.paint(total, plural(len(r.Blocks), "block")+":") + " " + says
}

// sayRetry says how to go on with a refused run.
func (r *Run) sayRetry(p Printer) {
	if !r.Remembered || r.Looking != "" {
		return
	}
	rest := ""
	if !r.Written && slices.ContainsFunc(r.Blocks, func(b apply.BlockReport) bool { return b.Status != apply.BlockFailed }) {
		rest = " with the other blocks"
	}
	p.line("srpatch retry", r.Tree, " prints a message for the model; srpatch retry", r.Tree, " ANSWER applies its answer", rest)
}

// sign is a block's status in one column, and in words if the sign does not say enough.
func sign(s apply.BlockStatus) (mark string, st style, words string) {
	switch s {
	case apply.BlockApplied:
		return "✓", green, ""
	case apply.BlockReady:
		return "○", green, ""
	case apply.BlockAlready:
		return "=", dim, "already applied"
	case apply.BlockNoOp:
		return "=", yellow, "no change"
	}
	return "✗", red, ""
}

// head is the beginning of a block's line: its sign, its number and its place.
func (p Printer) head(b *apply.BlockReport) string {
	mark, st, _ := sign(b.Status)
	at := cmp.Or(Clean(b.Path), "(no file)")
	if b.Lines != nil {
		at += ":" + span(*b.Lines)
	}
	return p.paint(st, mark) + " " + strconv.Itoa(b.ID) + "  " + at
}

// span writes a range of lines as people do: 12 or 12-20.
func span(lines [2]int) string {
	if lines[0] >= lines[1] {
		return strconv.Itoa(lines[0])
	}
	return fmt.Sprintf("%d-%d", lines[0], lines[1])
}

// linesOf is "line 12" or "lines 12-20".
func linesOf(lines [2]int) string {
	if lines[0] >= lines[1] {
		return "line " + span(lines)
	}
	return "lines " + span(lines)
}

// how says by which strategy a block was placed, and in detail what that forgave; "" for an exact one.
func how(b *apply.BlockReport, detail Detail) string {
	if b.Strategy == "" || b.Strategy == "exact" && detail < Verbose {
		return ""
	}
	by := Clean(b.Strategy)
	if b.Score > 0 && b.Score < 1 {
		by += fmt.Sprintf(" %.2f", b.Score)
	}
	if detail >= Verbose && len(b.Forgiven) > 0 {
		by += ", forgiving " + strings.Join(b.Forgiven, ", ")
	}
	return by
}

// block writes a block that was not refused.
func (p Printer) block(b *apply.BlockReport, detail Detail) {
	var notes []string
	_, _, words := sign(b.Status)
	op := operation(b)
	if b.Status == apply.BlockAlready {
		op = ""
	}
	for _, note := range []string{op, words, how(b, detail)} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	line := p.head(b)
	if len(notes) > 0 {
		line += "  " + p.paint(dim, strings.Join(notes, ", "))
	}
	p.line(line)
	p.warnings(b.Warnings)
}

// operation names what is done to the file if it is not an edit.
func operation(b *apply.BlockReport) string {
	if b.Block == nil {
		return ""
	}
	switch b.Block.Op {
	case parser.OpCreate:
		if b.Appended {
			return "appended"
		}
		return "new file"
	case parser.OpWrite:
		return "whole file"
	case parser.OpAppend:
		return "appended"
	case parser.OpDelete:
		return "deleted"
	case parser.OpMove:
		return "moved to " + Clean(b.Block.NewPath)
	}
	return ""
}

// Tolerated writes what differs between a block and its place: what was forgiven, and what to look at.
func Tolerated(p Printer, b *apply.BlockReport) {
	if len(b.Forgiven) > 0 || how(b, Normal) != "" {
		p.field("placed by", how(b, Verbose))
	}
	p.warnings(b.Warnings)
}

// summary is what became of the blocks in all, by which strategies, and the state of the tree.
func (r *Run) summary() (st style, says string) {
	status, kinds := map[apply.BlockStatus]int{}, map[string]int{}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		status[b.Status]++
		if b.Status == apply.BlockApplied || b.Status == apply.BlockReady {
			op, _, _ := strings.Cut(operation(b), " to ")
			kinds[cmp.Or(op, b.Strategy, "edited")]++
		}
	}
	var parts []string
	count := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	count(status[apply.BlockApplied], "applied"+listed(kinds))
	count(status[apply.BlockReady], "ready"+listed(kinds))
	count(status[apply.BlockAlready], "already applied")
	count(status[apply.BlockNoOp], "without a change")
	count(status[apply.BlockFailed], "refused")
	count(len(r.Located), "not understood")
	if len(parts) == 0 {
		parts = append(parts, "none chosen")
	}
	st, state := green, ""
	switch {
	case r.Looking != "" && r.Status != apply.Refused:
		state = "; nothing written (" + r.Looking + ")"
	case r.Verify.TookBack():
		st, state = red, "; written, then taken back"
	case !r.Written:
		st, state = red, "; nothing was written"
	case r.Status == apply.Partial:
		st = yellow
	}
	return st, strings.Join(parts, ", ") + state
}

// listed writes " (2 exact, 1 line-trimmed, 1 new file)", the most frequent first.
func listed(kinds map[string]int) string {
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(kinds[b]-kinds[a], strings.Compare(a, b))
	})
	for i, name := range names {
		if names[i] = fmt.Sprintf("%d %s", kinds[name], Clean(name)); strings.HasSuffix(name, " file") {
			names[i] = plural(kinds[name], name)
		}
	}
	return " (" + strings.Join(names, ", ") + ")"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// How much a report shows before it refers to -v: rows of the file, runes of one line, bytes of a corrected block.
const (
	maxRows      = 30
	maxRunes     = 140
	maxCorrected = 64_000
)

// refusal writes one refused block: its line, why, where the nearest text is and how it differs, and what to do.
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

// quote writes a block indented, so that its lines cannot be taken for the report's; pasted like this, it is still read as a block.
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

// isAddition reports whether a block for a file that exists gives lines without a place, so that its text can be added at the end.
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
		return "name a file inside the tree, or give it with --file; -p strips leading directories, and -d names another tree"
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

// says is the remark about them; "" if there are none.
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

// compare sets SEARCH against the nearest text, by line. Lines that differ in their indentation alone count as equal, and are counted.
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

// changed pairs lines of SEARCH with lines of the file in order, and finds what lies between the common beginnings and ends of their texts.
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

// common is how many bytes a and b share at their beginnings and at their ends, in whole characters and without overlap.
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

// lines splits text at "\n". Line ends are not compared: a "\r" that only one side has would mark every line.
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
	rows = slices.Concat(fileRows(near.Before, near.Lines[0]-len(lines([]byte(near.Before)))), rows, fileRows(near.After, near.Lines[1]+1))
	width := len(strconv.Itoa(max(near.Lines[0], near.Lines[1]+len(lines([]byte(near.After))))))
	shown, gap := 0, false
	for i := range rows {
		if detail < Verbose && some && !slices.ContainsFunc(rows[max(0, i-context):min(len(rows), i+context+1)], row.differs) {
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

// visible is the line as it is shown, and the carets below what differs; "" for none. Tabs show as →; spaces show as · where they matter:
// at the ends of a line that differs, and in a difference. Of a long line, the part around its difference is shown.
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

// maxAlike is how many diagnostics of one code a report shows, and how many in all the message to a model does.
const maxAlike = 20

// diagnostics writes the attempted edits that were not understood: of many of one kind the first ones, and how many more there are.
func (p Printer) diagnostics(list []Located, detail Detail) {
	seen := map[string]int{}
	var codes []string
	for i := range list {
		code := list[i].Code
		if seen[code]++; seen[code] <= maxAlike || detail >= Verbose {
			p.diagnostic(&list[i], i == 0)
		} else if seen[code] == maxAlike+1 {
			codes = append(codes, code)
		}
	}
	for _, code := range codes {
		p.line(p.paint(red, "✗"), fmt.Sprintf(" and %d more: ", seen[code]-maxAlike), p.paint(bold, Clean(code)), " (--json lists all)")
	}
}

// example is what a block looks like when it is right. It is shown below the first diagnostic, unless that has one of its own.
const example = `path/to/file.py
<<<<<<< SEARCH
lines as they are in the file
=======
lines that replace them
>>>>>>> REPLACE`

// diagnostic writes one attempted edit that was not understood, and the example below the first.
func (p Printer) diagnostic(d *Located, first bool) {
	p.line(p.paint(red, "✗"), " ", cmp.Or(Clean(d.Reply), "reply"), ":", strconv.Itoa(d.Line), ": ", p.paint(bold, Clean(d.Code)))
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

// maxOutput is how many lines of a command's output a report shows, its last ones.
const maxOutput = 20

// unverified says how the command of --verify did not pass, and what it wrote.
func (p Printer) unverified(v *Verify, detail Detail) {
	p.line(p.paint(red, "✗"), " ", p.paint(bold, Clean(v.Command)), " ", v.How())
	lines := slices.Collect(cleanLines(v.Output))
	if over := len(lines) - maxOutput; over > 0 && detail < Verbose {
		p.line(indent, p.paint(dim, "("+v.lines(over)+" before these; -v and --json show them)"))
		lines = lines[over:]
	}
	for _, line := range lines {
		p.line(indent, line)
	}
}

// lines are n lines of the output, or more, if it is not all there.
func (v *Verify) lines(n int) string {
	if v.Truncated > 0 {
		return "more than " + plural(n, "line")
	}
	return plural(n, "line")
}

// committed writes what became of a run's commit.
func (r *Run) committed(out, errs Printer, detail Detail) {
	c := r.Commit
	if c == nil || c.Error == nil && detail == Quiet {
		return
	}
	errs.output(c.Output, detail)
	switch {
	case c.Error != nil:
		errs.line(errs.paint(red, "not committed:"), " ", Clean(c.Error.Message), "; the files are written")
		what := "fix the problem above, then git add the files and git commit"
		if r.Run != "" {
			what += ", or take them back with srpatch undo"
		}
		errs.line(errs.paint(dim, "to go on:"), " ", what)
	case c.Unchanged:
		out.line("nothing to commit: git sees no change in what was written")
	default:
		out.line("committed ", Clean(c.Short), " on ", cmp.Or(Clean(c.Branch), "a detached HEAD"), ": ", Clean(c.Subject))
		if len(c.Differs) > 0 {
			names := make([]string, len(c.Differs))
			for i, name := range c.Differs {
				names[i] = Clean(name)
			}
			out.line(out.paint(yellow, "not as the run wrote it:"), " ", strings.Join(names, ", "))
		}
	}
}

// output writes what git and its hooks said, each line behind a mark, so that none looks like one of the report.
func (p Printer) output(said string, detail Detail) {
	lines := slices.Collect(cleanLines(said))
	if over := len(lines) - 2*maxOutput; over > 0 && detail < Verbose {
		lines = slices.Concat(lines[:maxOutput], []string{"... " + plural(over, "line") + " (-v shows them)"}, lines[maxOutput+over:])
	}
	for _, line := range lines {
		p.line(p.paint(dim, "git: "), line)
	}
}

// Ignored lists what may have been meant as edits, the first ones in words.
func Ignored(list []parser.Noticed) string {
	const most = 3
	var parts []string
	for _, n := range list[:min(len(list), most)] {
		part := linesOf(n.Lines) + ": " + n.What
		if n.Path != "" {
			part += " (" + Clean(n.Path) + ")"
		}
		parts = append(parts, part)
	}
	if more := len(list) - most; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, "; ")
}

// noticed says what may have been meant as edits, and how to get one that was.
func (p Printer) noticed(list []parser.Noticed) {
	if len(list) == 0 {
		return
	}
	p.line("ignored: ", Ignored(list))
	meant := func(n parser.Noticed) bool { // it is not a quotation, and was asked for
		return !slices.Contains([]string{"quoted-edit", "other-format"}, n.Code)
	}
	if slices.ContainsFunc(list, meant) {
		p.line(p.paint(yellow, "warning:"), " srpatch did not read this as an edit; ",
			"if it is one, ask the model to send it as a block (srpatch prompt tells it how)")
	}
}

// Understood lists what a reply was understood as, a line a block. Verbose shows both sides of every block.
func Understood(p Printer, reply *parser.Reply, detail Detail) {
	if detail < Normal {
		return
	}
	for i := range reply.Blocks {
		b := &reply.Blocks[i]
		path, st := Clean(b.Path), bold
		if path == "" {
			path, st = "(no file)", yellow
		}
		if b.NewPath != "" {
			path += " → " + Clean(b.NewPath)
		}
		notes := []string{linesOf(b.Lines), Clean(b.Dialect), fmt.Sprintf("-%d +%d", len(lines(b.Search)), len(lines(b.Replace)))}
		if b.StartLine > 0 {
			notes = append(notes, fmt.Sprintf("at line %d", b.StartLine))
		}
		if b.ReplaceAll {
			notes = append(notes, "every occurrence")
		}
		if n := len(b.Readings); n > 1 {
			notes = append(notes, fmt.Sprintf("%d readings", n))
		}
		p.line(fmt.Sprint(b.ID, "  ", b.Op, "  "), p.paint(st, path), "  ", p.paint(dim, strings.Join(notes, ", ")))
		p.warnings(b.Warnings)
		if detail >= Verbose {
			Sides(p, b)
		}
	}
	for _, s := range reply.Shell {
		p.line("shell commands, ", linesOf(s.Lines), p.paint(dim, "  never run"))
	}
	p.noticed(reply.Noticed)
}

// Sides writes both sides of a block.
func Sides(p Printer, b *parser.Block) {
	side := func(mark string, st style, text []byte) {
		for line := range strings.Lines(string(text)) {
			p.line(indent, p.paint(st, mark+cleanTabbed(strings.TrimSuffix(line, "\n"))))
		}
	}
	side("- ", red, b.Search)
	side("+ ", green, b.Replace)
}

// Diff writes a unified diff for people: cleaned, and in colour. A program gets its diff as it is.
func Diff(p Printer, unified []byte) {
	head := true // of a file, in which "---" and "+++" are no lines of it
	for line := range strings.Lines(string(unified)) {
		line = cleanTabbed(strings.TrimSuffix(line, "\n"))
		st := plain
		switch {
		case strings.HasPrefix(line, "diff "):
			head, st = true, bold
		case strings.HasPrefix(line, "@@"):
			head, st = false, cyan
		case head && (strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++")):
			st = bold
		case !head && strings.HasPrefix(line, "-"):
			st = red
		case !head && strings.HasPrefix(line, "+"):
			st = green
		}
		p.line(p.paint(st, line))
	}
}

// Stat lists the files that change, with how many lines each gains and loses.
func Stat(p Printer, files []apply.FileChange) {
	if len(files) == 0 {
		return
	}
	allAdded, allRemoved := 0, 0
	for i := range files {
		f := &files[i]
		name := Clean(f.Path)
		if f.From != "" && f.From != f.Path {
			name = Clean(f.From) + " => " + name
		}
		switch f.Action {
		case apply.Create:
			name += " (new)"
		case apply.Delete:
			name += " (gone)"
		}
		added, removed := f.Count()
		allAdded, allRemoved = allAdded+added, allRemoved+removed
		p.line(" ", name, " | ", p.paint(green, fmt.Sprintf("+%d", added)), " ", p.paint(red, fmt.Sprintf("-%d", removed)))
	}
	p.line(fmt.Sprintf(" %s changed, %s(+), %s(-)", plural(len(files), "file"), plural(allAdded, "insertion"), plural(allRemoved, "deletion")))
}
