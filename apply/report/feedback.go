package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// Feedback writes the message to send back to the model: what was refused, what the file says there and what would fit, and what is
// written and what is not. It writes nothing when there is nothing that a model can do.
func Feedback(w io.Writer, o Outcome) error {
	if o.Status == apply.Refused && len(o.Blocks)+len(o.Diagnostics) == 0 {
		_, err := io.WriteString(w, noEdits)
		return err
	}
	var asked []Located
	for _, d := range o.Diagnostics {
		if _, ask := ofDiagnostic(&d.Diagnostic); ask {
			asked = append(asked, d)
		}
	}
	failed, fine := 0, 0
	for i := range o.Blocks {
		switch {
		case o.Blocks[i].Status != apply.BlockFailed:
			fine++
		case !o.Elsewhere[o.Blocks[i].ID]:
			failed++
		}
	}
	taken := o.Verify.TookBack()
	if failed+len(asked) == 0 && !taken {
		return nil
	}
	var b strings.Builder
	if taken {
		feedbackTaken(&b, &o, failed+len(asked), fine)
	} else {
		feedbackHead(&b, &o, failed+len(asked), fine)
	}
	if o.Remembered {
		b.WriteString(giveUp(&o, asked))
	}
	if taken {
		feedbackVerify(&b, o.Verify)
	}
	for i := range o.Blocks {
		if r := &o.Blocks[i]; r.Status == apply.BlockFailed && !o.Elsewhere[r.ID] {
			feedbackBlock(&b, r)
		}
	}
	for i := range asked[:min(len(asked), maxAlike)] {
		feedbackDiagnostic(&b, &asked[i])
	}
	if more := len(asked) - maxAlike; more > 0 {
		fmt.Fprintf(&b, "\nAnd %d more like these.\n", more)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// noEdits is the message about a reply in which nothing is an edit.
const noEdits = `Your reply has no edit that can be applied. Send the same change again, with each edit as a block below the path of its file:

path/of/the/file
<<<<<<< SEARCH
the lines to change, as the file has them
=======
the lines that take their place
>>>>>>> REPLACE

SEARCH must repeat lines of the file exactly as they are now, indentation included. For a new file, leave SEARCH empty.
`

// feedbackHead says how many edits failed and what became of the others, fine of this run and what earlier ones have written.
func feedbackHead(b *strings.Builder, o *Outcome, failed, fine int) {
	placed := o.InPlace
	if o.Written {
		placed += fine
		fine = 0
	}
	fmt.Fprintf(b, "%s of your reply could not be applied.", plural(failed, "edit"))
	if placed > 0 {
		fmt.Fprintf(b, " %s in place: don't send %s again.", others(placed), them(placed))
	} else {
		b.WriteString(" Nothing is written yet.")
	}
	if fine > 0 && o.Remembered {
		fmt.Fprintf(b, " %s kept, and will be applied with your corrections: don't send %s again%s.", others(fine), them(fine), unlessReplaced(o))
	}
	b.WriteByte('\n')
	if fine > 0 && !o.Remembered {
		b.WriteString("Nothing of it is kept: send all blocks of your reply again, with these edits corrected. Write the file name above each block. ")
	} else {
		b.WriteString("Send corrected blocks for these edits only, each with its file name above it. ")
	}
	b.WriteString("SEARCH must repeat lines of the file exactly as they are now, indentation included.\n")
}

// feedbackTaken says that fine edits were applied and are taken back, and what to send instead.
func feedbackTaken(b *strings.Builder, o *Outcome, failed, fine int) {
	fmt.Fprintf(b, "Your reply was applied, but a check of the result failed, so it was taken back: the files are as they were before.")
	if failed > 0 {
		fmt.Fprintf(b, " Also, %s of it could not be applied.", plural(failed, "edit"))
	}
	if o.InPlace > 0 {
		fmt.Fprintf(b, " %s in place.", others(o.InPlace))
	}
	b.WriteByte('\n')
	if o.Remembered {
		kept := plural(fine, "edit") + " are"
		if fine == 1 {
			kept = "edit is"
		}
		fmt.Fprintf(b, "Your %s kept. Send corrected blocks, each with its file name above it, for those that must change, and new ones where needed. The others are applied with them: don't send them again. ",
			kept)
	} else {
		b.WriteString("Nothing of it is kept: send all blocks of your reply again, corrected. Write the file name above each block. ")
	}
	b.WriteString("SEARCH must repeat lines of the file exactly as they are now, without your edits, indentation included.\n")
}

// giveUp says how to leave an edit out; what is not answered is not left out.
func giveUp(o *Outcome, asked []Located) string {
	what := ""
	for i := range o.Blocks {
		if b := &o.Blocks[i]; (b.Status == apply.BlockFailed || o.Verify.TookBack()) && !o.Elsewhere[b.ID] {
			what = fmt.Sprintf("block %d", o.Blocks[i].ID)
			break
		}
	}
	if what == "" {
		what = fmt.Sprintf("line %d", asked[0].Line)
	}
	return "To give up an edit, write a line such as `skip " + what + "` instead of its block; only such a line leaves it out.\n"
}

// unlessReplaced is the exception for blocks that change the same lines as others: one answer replaces both.
func unlessReplaced(o *Outcome) string {
	overlaps := func(b apply.BlockReport) bool { return b.Reason == apply.Overlap && !o.Elsewhere[b.ID] }
	if slices.ContainsFunc(o.Blocks, overlaps) {
		return ", unless you replace a block as described below"
	}
	return ""
}

func others(n int) string {
	if n == 1 {
		return "The other block is"
	}
	return fmt.Sprintf("The other %d blocks are", n)
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func feedbackBlock(b *strings.Builder, r *apply.BlockReport) {
	told := adviceOn(r)
	fmt.Fprintf(b, "\n## Block %d, %s\n\n", r.ID, fileOf(r.Path))
	if why := told.message(r); why != "" {
		fmt.Fprintf(b, "Refused: %s.\n", inline(why))
	}
	if r.Block != nil {
		if first := spanOf(firstLine(r.Block.Search)); first != "" {
			fmt.Fprintf(b, "Its SEARCH begins with: %s\n", first)
		}
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(b, "Note: %s.\n", inline(Clean(note(w))))
	}
	if len(r.Candidates) > 0 {
		fmt.Fprintf(b, "It fits at %s.\n", enumerate(r.Candidates))
	}
	if r.Nearest != nil {
		feedbackNearest(b, r)
	}
	switch {
	case len(r.Corrected) == 1:
		b.WriteString("This block would fit, if it is what you mean:\n\n")
		pasted(b, r.Corrected[0])
	case len(r.Corrected) > 1:
		b.WriteString("Each of these blocks would fit; send the one you mean:\n")
		for _, text := range r.Corrected {
			b.WriteString("\n")
			pasted(b, text)
		}
	case r.Nearest == nil && told.do != "":
		b.WriteString(told.do + "\n")
	}
}

// message is what the model is told is wrong, in one clause or sentence without its point.
func (a *advice) message(r *apply.BlockReport) string {
	if a.says != "" {
		return a.says
	}
	says := strings.TrimPrefix(r.Message, r.Path+": ")
	if a.clause {
		says, _, _ = strings.Cut(says, "; ")
	}
	return strings.TrimSuffix(Clean(says), ".")
}

// resembles is the similarity from which on the nearest text is taken for what SEARCH means.
const resembles = 0.5

// feedbackNearest shows what the file has where SEARCH fits best.
func feedbackNearest(b *strings.Builder, r *apply.BlockReport) {
	has := "The file has at %s:\n\n"
	if r.Nearest.Score < resembles {
		has = "Nothing in the file resembles SEARCH; the nearest text is at %s:\n\n"
	}
	at, text := r.Nearest.Lines, r.Nearest.Text
	if len(r.Corrected) == 0 { // else the lines around it are for nothing
		at[0] -= strings.Count(r.Nearest.Before, "\n")
		at[1] += len(lines([]byte(r.Nearest.After)))
		text = r.Nearest.Before + text + r.Nearest.After
	}
	fmt.Fprintf(b, has, linesOf(at))
	fenced(b, text)
	if only := onlyInSearch(r); len(only) > 0 {
		b.WriteString("\nIt does not have these lines of your SEARCH there:\n\n")
		fenced(b, strings.Join(only, "\n"))
	}
	if len(r.Corrected) > 0 {
		b.WriteByte('\n')
	}
}

// fileOf names a file in a heading.
func fileOf(path string) string {
	if path == "" {
		return "which names no file"
	}
	return codeSpan(Clean(path))
}

func onlyInSearch(r *apply.BlockReport) (only []string) {
	if r.Block == nil {
		return nil
	}
	for _, row := range compare(r.Block.Search, r.Nearest) {
		if row.sign == '-' {
			only = append(only, row.text)
		}
	}
	return only
}

func feedbackDiagnostic(b *strings.Builder, d *Located) {
	fmt.Fprintf(b, "\n## Line %d of your reply", d.Line)
	if d.Path != "" {
		b.WriteString(", for " + fileOf(d.Path))
	}
	b.WriteString("\n\n")
	remedy, example, shown := strings.Cut(d.Remedy, ":\n")
	if do, _ := ofDiagnostic(&d.Diagnostic); do != "" {
		remedy, shown = do, false
	}
	_, below, _ := bytes.Cut(d.Text, []byte("\n"))
	for _, f := range [...]struct{ name, value string }{
		{"Found", inline(clip(d.Found, 160))}, {"It begins with", spanOf(firstLine(below))}, {"Expected", d.Expected}, {"To fix", remedy},
	} {
		if f.value != "" {
			fmt.Fprintf(b, "%s: %s\n", f.name, Clean(f.value))
		}
	}
	if shown {
		b.WriteByte('\n')
		pasted(b, example)
	}
}

// spanOf quotes a line; "" of none.
func spanOf(line string) string {
	if line == "" {
		return ""
	}
	return codeSpan(Clean(clip(line, 120)))
}

// enumerate is "lines 3, 7 and 12".
func enumerate(lines []int) string {
	words := make([]string, len(lines))
	for i, n := range lines {
		words[i] = fmt.Sprint(n)
	}
	if len(words) == 1 {
		return "line " + words[0]
	}
	return "lines " + strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func firstLine(text []byte) string {
	for _, line := range lines(text) {
		if s := strings.TrimSpace(string(line)); s != "" {
			return s
		}
	}
	return ""
}

// pasted writes a corrected block as it is to come back.
func pasted(b *strings.Builder, block string) {
	for line := range cleanLines(strings.TrimRight(block, "\n")) {
		b.WriteString(line + "\n")
	}
}

// quoted bounds how many lines of one text go back to the model, and quotedLine how many characters of one line: no model
// repeats a longer one.
const (
	quoted     = 60
	quotedLine = 2000
)

// fenced writes text in a fence that is longer than any run of backticks in it.
func fenced(b *strings.Builder, text string) {
	longest := 0
	for run := range backticks(text) {
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	b.WriteString(fence + "\n")
	all := slices.Collect(cleanLines(text))
	cut := false
	for _, line := range all[:min(len(all), quoted)] {
		short := clip(line, quotedLine)
		cut = cut || short != line
		b.WriteString(short + "\n")
	}
	b.WriteString(fence + "\n")
	if cut {
		fmt.Fprintf(b, "(lines of more than %d characters are cut off at the …)\n", quotedLine)
	}
	if rest := len(all) - quoted; rest > 0 {
		fmt.Fprintf(b, "(and %s)\n", plural(rest, "more line"))
	}
}
