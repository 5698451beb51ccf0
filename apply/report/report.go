package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Outcome is what a report is about.
type Outcome struct {
	Status apply.Status
	Blocks []apply.BlockReport
	// Diagnostics are the attempted edits that were not understood, and where they are.
	Diagnostics []Located
	// Noticed lists what may have been meant as an edit, or only shows something.
	Noticed []parser.Noticed
	// Written says that the plan reached the disk.
	Written bool
	// Looking says why the run writes nothing: "check" or "dry run"; "" if it is to write.
	Looking string
	// Run names the run for undo; "" if there is none.
	Run string
	// Verify is what the command of --verify came to; nil where none was run.
	Verify *Verify
	// Commit is what became of the commit that was asked for; nil for none.
	Commit *Commit
	// Unlogged says that no journal is kept.
	Unlogged bool
	// Remembered says that srpatch retry goes on with the run.
	Remembered bool
	// Tree is what a hint has after "srpatch retry" to name the tree: "", or " -d DIR".
	Tree string
	// InPlace is how many other blocks of the reply earlier runs have written.
	InPlace int
	// Elsewhere has the numbers of the refused blocks whose files are not in this tree but in one that the caller names, once for all
	// of them: what each could do about it by itself is not said.
	Elsewhere map[int]bool
}

// Located is a diagnostic and the reply it is about.
type Located struct {
	// Reply is the name of the file; "" for standard input.
	Reply string
	// Path is the file that the edit names; "" for none.
	Path string
	// Text is what the reply has there, as far as that is known.
	Text []byte
	parser.Diagnostic
}

// Detail is how much a report says.
type Detail int

const (
	// Quiet leaves refusals and diagnostics only.
	Quiet Detail = iota - 1
	// Normal is one line a block, and what a refusal needs.
	Normal
	// Verbose names the strategy of exact matches too, and cuts nothing off.
	Verbose
)

// Report writes what became of every block to out, in the order of the blocks, and refusals and diagnostics to errs.
func Report(out, errs Printer, o Outcome, detail Detail) {
	out, errs = out.in(detail), errs.in(detail)
	width := 1
	for i := range o.Blocks {
		width = max(width, len(strconv.Itoa(o.Blocks[i].ID)))
	}
	fold := detail == Normal && routine(o.Blocks) > MaxListed
	if fold {
		out.folded(o.Blocks, width)
	}
	for i := range o.Blocks {
		b := &o.Blocks[i]
		switch {
		case o.Elsewhere[b.ID] && detail < Verbose:
			errs.line(errs.head(b, width), ": ", errs.paint(bold, Clean(string(b.Reason))))
		case b.Status == apply.BlockFailed:
			errs.refusal(b, width, detail)
		case detail >= Normal && !(fold && isRoutine(b)):
			out.block(b, width, detail)
		}
	}
	errs.diagnostics(o.Diagnostics, detail)
	verified := out
	if o.Verify.Failed() {
		verified = errs
	}
	if detail < Normal {
		verified.verified(&o, detail)
		commit(out, errs, o, detail)
		return
	}
	defer errs.noticed(o.Noticed)
	out.summary(o)
	verified.verified(&o, detail)
	if o.Remembered && o.Looking == "" {
		rest := ""
		if !o.Written && slices.ContainsFunc(o.Blocks, func(b apply.BlockReport) bool { return b.Status != apply.BlockFailed }) {
			rest = " with the other blocks"
		}
		errs.wrapped("", 0, "srpatch retry"+o.Tree+" prints a message for the model; "+
			"srpatch retry"+o.Tree+" ANSWER applies its answer"+rest)
	}
	commit(out, errs, o, detail)
	switch {
	case !o.Written:
	case o.Unlogged:
		out.line("no journal was kept: srpatch undo does not know this run")
	case o.Run != "" && detail >= Verbose:
		out.line("run ", Clean(o.Run), ": srpatch undo takes it back")
	}
}

// sign is a block's status in one column, and in words where the sign does not say enough.
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
func (p Printer) head(b *apply.BlockReport, width int) string {
	mark, st, _ := sign(b.Status)
	path, lines := place(b)
	return p.paint(st, mark) + fmt.Sprintf(" %*d  ", width, b.ID) + path + lines
}

// place is where a block belongs: path and :first-last.
func place(b *apply.BlockReport) (path, lines string) {
	if path = Clean(b.Path); path == "" {
		path = "(no file)"
	}
	if b.Lines != nil {
		lines = ":" + span(*b.Lines)
	}
	return path, lines
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

// how says by which strategy a block was placed, and in detail what that forgave.
func how(b *apply.BlockReport, detail Detail) string {
	if detail < Verbose || len(b.Forgiven) == 0 {
		return by(b, detail)
	}
	return by(b, detail) + ", forgiving " + strings.Join(b.Forgiven, ", ")
}

// by says by which strategy a block was placed, as far as a reader wants to know; "" for an exact one.
func by(b *apply.BlockReport, detail Detail) string {
	switch {
	case b.Strategy == "", b.Strategy == "exact" && detail < Verbose:
		return ""
	case b.Score > 0 && b.Score < 1:
		return fmt.Sprintf("%s %.2f", Clean(b.Strategy), b.Score)
	}
	return Clean(b.Strategy)
}

func (p Printer) block(b *apply.BlockReport, width int, detail Detail) {
	var notes []string
	if op := operation(b); op != "" && b.Status != apply.BlockAlready {
		notes = append(notes, op)
	}
	if _, _, words := sign(b.Status); words != "" {
		notes = append(notes, words)
	}
	if h := how(b, detail); h != "" {
		notes = append(notes, h)
	}
	p.blockLine(b, width, strings.Join(notes, ", "))
	p.warnings(b.Warnings)
}

// blockLine is the line of a block: what the terminal has no room for is left out of the middle of the path, then of the notes.
func (p Printer) blockLine(b *apply.BlockReport, width int, notes string) {
	mark, st, _ := sign(b.Status)
	lead := fmt.Sprintf(" %*d  ", width, b.ID)
	path, lines := place(b)
	if room := p.room(); room > 0 {
		path, notes = fitted(path, notes, room-cells(mark+lead+lines))
	}
	if notes != "" {
		notes = "  " + p.paint(dim, notes)
	}
	p.line(p.paint(st, mark), lead, path, lines, notes)
}

// fitted shortens a path and what is said of it to so many columns in all.
func fitted(path, notes string, columns int) (shortPath, shortNotes string) {
	if notes == "" {
		return middleCut(path, columns), ""
	}
	const gap = 2
	notes = middleCut(notes, max(columns-gap-min(cells(path), columns/3), 1))
	return middleCut(path, max(columns-gap-cells(notes), 1)), notes
}

// operation names what is done to the file where it is not an edit.
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

// Tolerated writes what differs between a block and the place that it has: what was forgiven, and what to look at. Of a block that the file
// has exactly it writes nothing.
func Tolerated(p Printer, b *apply.BlockReport) {
	if len(b.Forgiven) > 0 || by(b, Normal) != "" {
		p.field("placed by", how(b, Verbose))
	}
	p.warnings(b.Warnings)
}

func (p Printer) warnings(ws []string) {
	for _, w := range ws {
		p.note(yellow, "warning:", Clean(w))
	}
}

// summary is the last line: how many blocks, what became of them, by which strategies, and the state of the tree.
func (p Printer) summary(o Outcome) {
	status := map[apply.BlockStatus]int{}
	kinds := map[string]int{}
	for i := range o.Blocks {
		b := &o.Blocks[i]
		status[b.Status]++
		if b.Status == apply.BlockApplied || b.Status == apply.BlockReady {
			kinds[kind(b)]++
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
	count(len(o.Diagnostics), "not understood")
	if len(parts) == 0 {
		parts = append(parts, "none chosen")
	}

	st, state := green, ""
	switch {
	case o.Looking != "" && o.Status != apply.Refused:
		state = "; nothing written (" + o.Looking + ")"
	case o.Verify.TookBack():
		st, state = red, "; written, then taken back"
	case !o.Written:
		st, state = red, "; nothing was written"
	case o.Status == apply.Partial:
		st = yellow
	}
	p.paragraph("", st, plural(len(o.Blocks), "block")+":", strings.Join(parts, ", ")+state)
}

// kind is what a block that is applied counts as: what it does to its file, or the strategy by which an edit was placed.
func kind(b *apply.BlockReport) string {
	op, _, _ := strings.Cut(operation(b), " to ")
	return cmp.Or(op, b.Strategy, "edited")
}

// listed writes " (2 exact, 1 line-trimmed, 1 new file)", the most frequent first.
func listed(kinds map[string]int) string {
	names := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(kinds[b]-kinds[a], strings.Compare(a, b))
	})
	for i, name := range names {
		n := kinds[name]
		if strings.HasSuffix(name, " file") {
			names[i] = plural(n, name)
		} else {
			names[i] = fmt.Sprintf("%d %s", n, Clean(name))
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
