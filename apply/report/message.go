package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser"
)

// Message is what to send back to the model: what was refused, what the file says there and what
// would fit, and what is written and what is not. It is "" if there is nothing that a model can do.
// A model has no flags to give, no limits to raise and no permissions to change, so none of them is
// named.
func (r *Run) Message() string {
	if r.Status == apply.Refused && len(r.Blocks)+len(r.Located) == 0 {
		return r.noEdits()
	}
	var asked []Located
	for _, d := range r.Located {
		if _, ask := adviceOnDiagnostic(&d.Diagnostic); ask {
			asked = append(asked, d)
		}
	}
	failed, fine := 0, 0
	for i := range r.Blocks {
		if r.Blocks[i].Status != apply.BlockFailed {
			fine++
		} else if r.isAsked(i) {
			failed++
		}
	}
	if failed+len(asked) == 0 && !r.Verify.TookBack() {
		return ""
	}
	var b strings.Builder
	if r.Verify.TookBack() {
		r.tellTakenBack(&b, asked, failed+len(asked), fine)
	} else {
		r.tellRefused(&b, asked, failed+len(asked), fine)
	}
	if r.Remembered {
		b.WriteString(r.giveUp(asked))
	}
	if r.Verify.TookBack() {
		tellCheck(&b, r.Verify)
	}
	for i := range r.Blocks {
		if r.Blocks[i].Status == apply.BlockFailed && r.isAsked(i) {
			tellBlock(&b, &r.Blocks[i])
		}
	}
	for i := range asked[:min(len(asked), maxAlike)] {
		tellDiagnostic(&b, &asked[i])
	}
	if more := len(asked) - maxAlike; more > 0 {
		fmt.Fprintf(&b, "\nAnd %d more like these.\n", more)
	}
	return b.String()
}

// isAsked reports whether the model is asked about a block. If its file is in another tree, its
// name is right.
func (r *Run) isAsked(i int) bool { return !r.Elsewhere[r.Blocks[i].ID] }

// noEdits is the message about a reply in which nothing is an edit.
func (r *Run) noEdits() string {
	ignored := ""
	if len(r.Noticed) > 0 {
		ignored = "This was ignored: " + Ignored(r.Noticed) + ".\n"
	}
	return "Your reply has no edit that can be applied. " + ignored + asBlocks
}

// asBlocks asks for the reply once more, in blocks.
const asBlocks = `Send the same change again, with each edit as a block below the path of its file:

path/of/the/file
<<<<<<< SEARCH
the lines to change, as the file has them
=======
the lines that take their place
>>>>>>> REPLACE

` + repeatLines + ` For a new file, leave SEARCH empty.
`

const (
	repeatLines = "SEARCH must repeat lines of the file exactly as they are now, indentation included."
	nothingKept = "Nothing of it is kept: send all blocks of your reply again, "
)

// tellRefused says how many edits failed and what became of the others, fine of this run and what
// earlier ones have written.
func (r *Run) tellRefused(b *strings.Builder, asked []Located, failed, fine int) {
	placed := r.InPlace
	if r.Written {
		placed, fine = placed+fine, 0
	}
	fmt.Fprintf(b, "%s of your reply could not be applied.", plural(failed, "edit"))
	if placed > 0 {
		fmt.Fprintf(b, " %s in place: don't send %s again.", others(placed), them(placed))
	} else {
		b.WriteString(" Nothing is written yet.")
	}
	if fine > 0 && r.Remembered {
		unless := ""
		overlaps := func(b apply.BlockReport) bool { return b.Reason == apply.Overlap && !r.Elsewhere[b.ID] }
		if slices.ContainsFunc(r.Blocks, overlaps) {
			unless = ", unless you replace a block as described below"
		}
		fmt.Fprintf(b, " %s kept, and will be applied with your corrections: don't send %s again%s.",
			others(fine), them(fine), unless)
	}
	if fine > 0 && !r.Remembered {
		b.WriteString("\n" + nothingKept + "with these edits corrected. Write the file name above each block. ")
	} else {
		fmt.Fprintf(b, "\nSend corrected blocks for these edits only, each below its number (such as `%s`) "+
			"and its file name. ", r.first(asked))
	}
	b.WriteString(repeatLines + "\n")
}

// tellTakenBack says that fine edits were applied and are taken back, and what to send instead.
func (r *Run) tellTakenBack(b *strings.Builder, asked []Located, failed, fine int) {
	b.WriteString("Your reply was applied, but a check of the result failed, so it was taken back: " +
		"the files are as they were before.")
	if failed > 0 {
		fmt.Fprintf(b, " Also, %s of it could not be applied.", plural(failed, "edit"))
	}
	if r.InPlace > 0 {
		fmt.Fprintf(b, " %s in place.", others(r.InPlace))
	}
	if !r.Remembered {
		b.WriteString("\n" + nothingKept + "corrected. Write the file name above each block. ")
	} else {
		kept := plural(fine, "edit") + " are"
		if fine == 1 {
			kept = "edit is"
		}
		fmt.Fprintf(b, "\nYour %s kept. Send corrected blocks, each below its number (such as `%s`) and its file name, "+
			"for those that must change, and new ones where needed. "+
			"The others are applied with them: don't send them again. ", kept, r.first(asked))
	}
	b.WriteString(strings.Replace(repeatLines, "now,", "now, without your edits,", 1) + "\n")
}

// giveUp says how to leave an edit out; an edit that is not answered is not left out.
func (r *Run) giveUp(asked []Located) string {
	return "To give up an edit, write a line such as `skip " + strings.ToLower(r.first(asked)) +
		"` instead of its block; only such a line leaves it out.\n"
}

// first is the name of the first edit that is asked for.
func (r *Run) first(asked []Located) string {
	for i := range r.Blocks {
		b := &r.Blocks[i]
		if (b.Status == apply.BlockFailed || r.Verify.TookBack()) && r.isAsked(i) {
			return fmt.Sprintf("Block %d", b.ID)
		}
	}
	return fmt.Sprintf("Line %d", asked[0].Line)
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

// tellCheck says how a command failed and what it wrote: the beginning and the end.
func tellCheck(b *strings.Builder, v *Verify) {
	fmt.Fprintf(b, "\n## The check\n\nAfter your edits %s %s.", codeSpan(Clean(v.Command)), v.How())
	if strings.TrimSpace(v.Output) == "" {
		b.WriteString(" It wrote nothing.\n")
		return
	}
	b.WriteString(" It wrote:\n\n")
	lines := strings.SplitAfter(v.Output, "\n")
	if n := len(lines); n > maxTold {
		const head = maxTold / 3
		left := "[" + plural(n-maxTold+1, "line") + " left out]\n"
		lines = slices.Concat(lines[:head], []string{left}, lines[n-maxTold+head+1:])
	}
	fence(b, strings.Join(lines, ""))
}

func tellBlock(b *strings.Builder, r *apply.BlockReport) {
	says, do := advice(r)
	fmt.Fprintf(b, "\n## Block %d, %s\n\n", r.ID, fileOf(r.Path))
	if says != "" {
		fmt.Fprintf(b, "Refused: %s.\n", inline(says))
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
		places := strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Candidates), " ", ", "), "[]")
		fmt.Fprintf(b, "It fits at lines %s.\n", places)
	}
	if r.Nearest != nil {
		tellNearest(b, r)
	}
	switch {
	case len(r.Corrected) == 1:
		b.WriteString("This block would fit, if it is what you mean:\n\n")
		paste(b, r.Corrected[0])
	case len(r.Corrected) > 1:
		b.WriteString("Each of these blocks would fit; send the one you mean:\n")
		for _, text := range r.Corrected {
			b.WriteString("\n")
			paste(b, text)
		}
	case r.Nearest == nil && do != "":
		b.WriteString(do + "\n")
	}
}

// resembles is the similarity from which on the nearest text is taken for what SEARCH means.
const resembles = 0.5

// tellNearest shows what the file has where SEARCH fits best.
func tellNearest(b *strings.Builder, r *apply.BlockReport) {
	has := "The file has at %s:\n\n"
	if r.Nearest.Score < resembles {
		has = "Nothing in the file resembles SEARCH; the nearest text is at %s:\n\n"
	}
	at, text := r.Nearest.Lines, r.Nearest.Text
	if len(r.Corrected) == 0 { // otherwise nobody needs the lines around it
		at[0] -= strings.Count(r.Nearest.Before, "\n")
		at[1] += len(lines([]byte(r.Nearest.After)))
		text = r.Nearest.Before + text + r.Nearest.After
	}
	fmt.Fprintf(b, has, linesOf(at))
	fence(b, text)
	if r.Block != nil {
		rows, in := compare(r.Block.Search, r.Nearest)
		var only []string
		for _, row := range rows {
			if row.sign == '-' {
				only = append(only, row.text)
			}
		}
		if len(only) > 0 {
			b.WriteString("\nIt does not have these lines of your SEARCH there:\n\n")
			fence(b, strings.Join(only, "\n"))
		}
		if in.count > 0 {
			fmt.Fprintf(b, "\nThe indentation %s.\n", in.says())
		}
	}
	if len(r.Corrected) > 0 {
		b.WriteByte('\n')
	}
}

func tellDiagnostic(b *strings.Builder, d *Located) {
	fmt.Fprintf(b, "\n## Line %d of your reply", d.Line)
	if d.Path != "" {
		b.WriteString(", for " + fileOf(d.Path))
	}
	b.WriteString("\n\n")
	remedy, block, ok := strings.Cut(d.Remedy, ":\n")
	if do, _ := adviceOnDiagnostic(&d.Diagnostic); do != "" {
		remedy, ok = do, false
	}
	_, below, _ := bytes.Cut(d.Text, []byte("\n"))
	for _, f := range [...]struct{ name, value string }{
		{"Found", inline(clip(d.Found, 160))},
		{"It begins with", spanOf(firstLine(below))},
		{"Expected", d.Expected},
		{"To fix", remedy},
	} {
		if f.value != "" {
			fmt.Fprintf(b, "%s: %s\n", f.name, Clean(f.value))
		}
	}
	if ok {
		b.WriteByte('\n')
		paste(b, block)
	}
}

// advice is what a model is told about a refused block: what is wrong, in one clause or sentence
// without its point, and what to do unless a corrected block or the nearest text says it.
func advice(b *apply.BlockReport) (says, do string) {
	const addition = "An empty SEARCH only creates a new file. To change the file, SEARCH for the lines to change; " +
		"to add to its end, SEARCH for its last line and repeat that in REPLACE, above the new lines."
	const name = "Put the path of an existing file, relative to the root of the project, on the line above the block."
	says = strings.TrimSuffix(message(b), ".")
	do, known := map[apply.Reason]string{ // for these the message is fit for a model
		apply.NotFound:    "Copy SEARCH from the file as it is now, or name the file that has it.",
		apply.Ambiguous:   "Add neighbouring lines to SEARCH, so that it fits one place only.",
		apply.NoSuchFile:  name,
		apply.NoName:      name,
		apply.Exists:      addition,
		apply.Placeholder: "Write every line of REPLACE out; nothing is filled in.",
		apply.Indentation: "Write SEARCH and REPLACE with the indentation that the file has.",
		apply.Vetoed:      "Make the change in another way, or skip this block.",
	}[b.Reason]
	switch {
	case b.Reason == apply.Exists && !isAddition(b):
		do = ""
	case b.Objection != nil && b.Objection.Code == "below-threshold":
		says = "SEARCH does not occur in the file, and differs too much from the nearest lines"
	case b.Reason == apply.Budget:
		return "the search for SEARCH took too long",
			"Copy SEARCH from the file, with a line that occurs only there, and send fewer blocks at once."
	case b.Reason == apply.Denied:
		return "this file may not be changed",
			"Skip this block; if another file can have the change, make it there."
	}
	if known {
		return says, do
	}
	says, _, _ = strings.Cut(says, "; ") // the rest is for whoever runs the command
	return says, cmp.Or(map[apply.Reason]string{
		apply.Overlap: "Send one block in place of this one that makes all changes to these lines, " +
			"and a line such as `skip block N` for each of the others that change them. " +
			"To keep only the others, skip this block.",
		apply.OutsideRoot: "Use a path inside the project.",
		apply.Encoding:    "Write what REPLACE adds in characters that the file can hold: ASCII, or escapes of the language.",
		apply.Binary:      "Edit text only, and write a NUL as an escape of the language.",
		apply.TooLarge:    "Change less at once, or skip this block.",
		apply.Stale:       "Write the block for the file as it is now.",
		apply.NotRegular:  "Use the path of an ordinary file.",
	}[b.Reason], "Skip this block.")
}

// adviceOnDiagnostic is what a model can do about an attempt that was not understood, if that is
// not what the diagnostic says. ask is false if a model can do nothing.
func adviceOnDiagnostic(d *parser.Diagnostic) (do string, ask bool) {
	switch d.Code {
	case diagnosis.ChatLog, diagnosis.AmbiguousTurn, diagnosis.NotReversible:
		return "", false
	case diagnosis.TooLong:
		return "Leave lines of this length out of the blocks.", true
	case diagnosis.TooMany:
		return "Send fewer blocks in one reply.", true
	case diagnosis.TooLarge:
		return "Split it into smaller blocks.", true
	}
	return "", true
}

// note is a warning without its code.
func note(warning string) string {
	code, says, ok := strings.Cut(warning, ": ")
	switch {
	case !ok || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz-") != "":
		return warning
	case code == "encoding":
		return "the file is not UTF-8, so a line of SEARCH with characters beyond ASCII cannot match"
	}
	return says
}

// fileOf names a file in a heading.
func fileOf(path string) string {
	if path == "" {
		return "which names no file"
	}
	return codeSpan(Clean(path))
}

// spanOf quotes a line; "" of none.
func spanOf(line string) string {
	if line == "" {
		return ""
	}
	return codeSpan(Clean(clip(line, 120)))
}

func firstLine(text []byte) string {
	for _, line := range lines(text) {
		if s := strings.TrimSpace(string(line)); s != "" {
			return s
		}
	}
	return ""
}

// paste writes a corrected block as it is to come back.
func paste(b *strings.Builder, block string) {
	for line := range cleanLines(strings.TrimRight(block, "\n")) {
		b.WriteString(line + "\n")
	}
}

// How many lines of one text go back to the model, and how many characters of one line: no model
// repeats a longer one.
const (
	maxTold     = 60
	maxToldLine = 2000
)

// fence writes text in a fence that is longer than any run of backticks in it.
func fence(b *strings.Builder, text string) {
	ticks := strings.Repeat("`", max(3, len(longestTicks(text))+1))
	b.WriteString(ticks + "\n")
	all := slices.Collect(cleanLines(text))
	cut := false
	for _, line := range all[:min(len(all), maxTold)] {
		short := clip(line, maxToldLine)
		cut = cut || short != line
		b.WriteString(short + "\n")
	}
	b.WriteString(ticks + "\n")
	if cut {
		fmt.Fprintf(b, "(lines of more than %d characters are cut off at the …)\n", maxToldLine)
	}
	if rest := len(all) - maxTold; rest > 0 {
		fmt.Fprintf(b, "(and %s)\n", plural(rest, "more line"))
	}
}

// longestTicks is the longest run of backticks in a text.
func longestTicks(s string) (longest string) {
	for run := range strings.FieldsFuncSeq(s, func(c rune) bool { return c != '`' }) {
		longest = max(longest, run)
	}
	return longest
}

// codeSpan is text as code in a line of Markdown, whatever backticks it has.
func codeSpan(s string) string {
	longest := longestTicks(s)
	if longest == "" {
		return "`" + s + "`"
	}
	return longest + "` " + s + " `" + longest
}

// inline is text with code in a line of Markdown. A backtick without a counterpart would take those
// that come after it in the paragraph.
func inline(s string) string {
	if strings.Count(s, "`")%2 == 0 {
		return s
	}
	return codeSpan(s)
}
