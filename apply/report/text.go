package report

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
)

// Detail is how much a report says.
type Detail int

const (
	// Quiet shows only refusals and diagnostics.
	Quiet Detail = iota - 2
	// Brief adds the result of the run as a whole.
	Brief
	// Normal shows one line per block, and what a refusal needs.
	Normal
	// Verbose also names the strategy of exact matches, and shortens nothing.
	Verbose
)

// Printer writes text for people. Errors are left to the writer.
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

// paint returns s with the attribute, if colour is wanted.
func (p Printer) paint(st style, s string) string {
	if !p.Color || st == plain || s == "" {
		return s
	}
	return "\x1b[" + string(st) + "m" + s + "\x1b[0m"
}

// line writes the parts as one line.
func (p Printer) line(parts ...string) { _, _ = io.WriteString(p.W, strings.Join(parts, "")+"\n") }

// Indentation of what is said below a block's line, and of text that is quoted there.
const (
	indent = "     "
	quoted = "       "
)

// field writes "name: value" below a block's line, unless the value is empty.
func (p Printer) field(name, value string) {
	if value != "" {
		p.line(indent, p.paint(cyan, name+":"), " ", value)
	}
}

// warnings writes warnings below a block's line.
func (p Printer) warnings(ws []string) {
	for _, w := range ws {
		p.line(indent, p.paint(yellow, "warning:"), " ", Clean(w))
	}
}

// Clean is [text.Clean].
func Clean(s string) string { return text.Clean(s) }

// cleanTabbed is [Clean], but keeps tabs.
func cleanTabbed(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = Clean(parts[i])
	}
	return strings.Join(parts, "\t")
}

// cleanLines yields the lines of all, each as [Clean] shows it, but with its tabs and without its
// line end.
func cleanLines(all string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(all) {
			if !yield(cleanTabbed(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))) {
				return
			}
		}
	}
}

// Text writes what happened to every block to out, in order, and refusals and diagnostics to errs.
// Then it writes the result as a whole, the checks, how to retry, the commit, and what was ignored.
// For one reply among several, the result comes first, and blocks that weren't refused are only
// listed with Verbose.
func (r *Run) Text(out, errs Printer, detail Detail) {
	several := r.Reply != "" // each reply is a run
	if several {
		r.total(out, errs, detail)
		if detail == Normal {
			detail = Brief
		}
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		switch {
		case b.Status == apply.BlockFailed:
			errs.refusal(b, detail)
		case detail >= Normal:
			out.block(b, detail)
		}
	}
	errs.diagnostics(r.Located)
	if !several && detail > Quiet {
		r.total(out, errs, detail)
	}
	r.verified(out, errs, detail)
	if !several && detail > Quiet && r.Remembered && r.Looking == "" {
		retry := "srpatch retry" + r.Tree
		errs.line(retry, " prints a message for the model; save its answer, and ", retry, " FILE applies it")
	}
	r.committed(out, errs, detail)
	if detail > Quiet {
		errs.noticed(r.Noticed)
	}
}

// total writes the line about all blocks to out, such as "2 blocks: 2 applied". For one reply among
// several it begins with a sign and the name of the reply. In quiet mode total only writes the line
// if something was refused or not understood, and then to errs.
func (r *Run) total(out, errs Printer, detail Detail) {
	refused := r.Status != apply.Applied || len(r.Located) > 0
	if detail == Quiet {
		if out = errs; !refused {
			return
		}
	}
	name := ""
	if r.Reply != "" {
		status := apply.BlockApplied
		switch {
		case refused:
			status = apply.BlockFailed
		case r.Looking != "": // such as a dry run
			status = apply.BlockReady
		}
		name = out.sign(status) + " " + Clean(r.Reply) + "  "
	}
	st, says := r.summary()
	out.line(name, out.paint(st, plural(len(r.Blocks), "block")+":"), " ", says)
}

// sign returns a block's status as one character.
func (p Printer) sign(s apply.BlockStatus) string {
	switch s {
	case apply.BlockApplied:
		return p.paint(green, "✓")
	case apply.BlockReady:
		return p.paint(green, "○")
	case apply.BlockAlready, apply.BlockNoOp:
		return p.paint(dim, "=")
	}
	return p.paint(red, "✗")
}

// head returns the beginning of a block's line: its sign, its number and its place.
func (p Printer) head(b *apply.BlockReport) string {
	at := cmp.Or(Clean(b.Path), "(no file)")
	if b.Lines != nil {
		at += ":" + span(*b.Lines)
	}
	return p.sign(b.Status) + " " + strconv.Itoa(b.ID) + "  " + at
}

// span returns a range of lines as people write it: 12 or 12-20.
func span(lines [2]int) string {
	_, numbers, _ := strings.Cut(linesOf(lines), " ")
	return numbers
}

// linesOf returns "line 12" or "lines 12-20".
func linesOf(lines [2]int) string {
	if lines[0] >= lines[1] {
		return fmt.Sprint("line ", lines[0])
	}
	return fmt.Sprintf("lines %d-%d", lines[0], lines[1])
}

// how returns the strategy that placed a block, with the similarity unless that is 1, such as
// "similar 0.93". With Verbose, it adds what was tolerated. Otherwise it returns "" for an exact
// match.
func how(b *apply.BlockReport, detail Detail) string {
	by := Clean(b.Strategy)
	switch {
	case by == "exact" && detail < Verbose:
		return ""
	case by != "" && b.Score > 0 && b.Score < 1:
		by += fmt.Sprintf(" %.2f", b.Score)
	}
	if detail >= Verbose && len(b.Forgiven) > 0 {
		by += ", tolerating " + strings.Join(b.Forgiven, ", ")
	}
	return by
}

// block writes a block that wasn't refused.
func (p Printer) block(b *apply.BlockReport, detail Detail) {
	notes := slices.DeleteFunc([]string{outcome(b), how(b, detail)}, func(note string) bool { return note == "" })
	line := p.head(b)
	if len(notes) > 0 {
		line += "  " + p.paint(dim, strings.Join(notes, ", "))
	}
	p.line(line)
	p.warnings(b.Warnings)
}

// outcome returns what is done to the file, such as "new file" or "already applied", or "" if it's
// edited.
func outcome(b *apply.BlockReport) string {
	switch {
	case b.Status == apply.BlockAlready:
		return "already applied"
	case b.Status == apply.BlockNoOp:
		return "no change"
	case b.Block == nil:
		return ""
	case b.Block.Op == parser.OpMove:
		return "moved to " + Clean(b.Block.NewPath)
	case b.Block.Op == parser.OpCreate && b.Appended: // the file existed, and --append-empty was given
		return "appended"
	}
	return map[parser.Op]string{
		parser.OpCreate: "new file", parser.OpWrite: "whole file", parser.OpAppend: "appended",
		parser.OpDelete: "deleted",
	}[b.Block.Op]
}

// Tolerated writes what differs between a block and its place: what was tolerated, and what to
// check.
func Tolerated(p Printer, b *apply.BlockReport) {
	p.field("placed by", how(b, Verbose))
	p.warnings(b.Warnings)
}

// summary says how many blocks have which result, and what became of the files, such as "1 applied,
// 1 refused; nothing was written". st is the style of the words before that, "2 blocks:".
func (r *Run) summary() (st style, says string) {
	status := map[apply.BlockStatus]int{}
	for i := range r.Blocks {
		status[r.Blocks[i].Status]++
	}
	var parts []string
	for _, count := range [...]struct {
		n     int
		words string
	}{
		{status[apply.BlockApplied], "applied"}, {status[apply.BlockReady], "ready"},
		{status[apply.BlockAlready], "already applied"}, {status[apply.BlockNoOp], "unchanged"},
		{status[apply.BlockFailed], "refused"}, {len(r.Located), "not understood"},
	} {
		if count.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count.n, count.words))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "none chosen") // the user or an answer has dropped every block
	}
	st, state := green, ""
	switch {
	case r.Looking != "" && r.Status != apply.Refused: // such as a dry run
		state = "; nothing written (" + r.Looking + ")"
	case r.Verify.TookBack():
		st, state = red, "; written, then undone"
	case !r.Written:
		st, state = red, "; nothing was written"
	case r.Status == apply.Partial:
		st = yellow
	}
	return st, strings.Join(parts, ", ") + state
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// output writes what another program said, each line behind a mark so that none looks like the
// report's. Unless the report is verbose, it leaves out the middle of a long output.
func (p Printer) output(mark, said string, detail Detail) {
	lines := slices.Collect(cleanLines(said))
	if detail < Verbose {
		lines = shortened(lines, maxRows)
	}
	for _, line := range lines {
		p.line(mark, line)
	}
}

// verified writes that the commands of --verify passed or, to errs, how one failed and what it
// wrote.
func (r *Run) verified(out, errs Printer, detail Detail) {
	v := r.Verify
	switch {
	case v == nil:
	case v.Failed():
		errs.line(errs.paint(red, "✗"), " ", errs.paint(bold, Clean(v.Command)), " ", v.How())
		errs.output(indent, v.Output, detail)
	case detail > Quiet:
		commands := append(slices.Clip(v.Passed), v.Command)
		out.line(out.paint(green, "verified:"), " ", Clean(strings.Join(commands, "; ")))
	}
}

// committed writes the result of a run's commit to out, and to errs the output of git and why there
// is no commit. In quiet mode it only writes about a failure.
func (r *Run) committed(out, errs Printer, detail Detail) {
	c := r.Commit
	if c == nil || c.Error == nil && detail == Quiet {
		return
	}
	errs.output(errs.paint(dim, "git: "), c.Output, detail)
	switch {
	case c.Error != nil:
		errs.line(errs.paint(red, "not committed:"), " ", Clean(c.Error.Message), "; the files are written: ",
			"commit them with git add and git commit, or undo them")
	case c.Unchanged:
		out.line("nothing to commit: git sees no change in what was written")
	default:
		branch := cmp.Or(Clean(c.Branch), "a detached HEAD")
		out.line("committed ", Clean(c.Short), " on ", branch, ": ", Clean(c.Subject))
		if len(c.Added) > 0 {
			out.line(out.paint(yellow, "added by a hook:"), " ", Clean(strings.Join(c.Added, ", ")))
		}
	}
}

// Ignored lists what may have been meant as edits, such as "line 8: a diff (a.go); 2 more". It
// names the first three.
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

// noticed writes which text was ignored although it may have been meant as edits. If some of it may
// really be one, it also says how to get edits that srpatch reads.
func (p Printer) noticed(list []parser.Noticed) {
	if len(list) > 0 {
		p.line("ignored: ", Ignored(list))
	}
	// A quotation isn't meant as an edit, and --format rules out other formats.
	mayBeEdit := func(n parser.Noticed) bool { return n.Code != "quoted-edit" && n.Code != "other-format" }
	if slices.ContainsFunc(list, mayBeEdit) {
		p.line(p.paint(yellow, "warning:"), " srpatch did not read the ignored text as an edit; ",
			"if it is one, ask the model to send it as a block (srpatch prompt tells it how)")
	}
}
