package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/diagnosis"
)

// Message returns the message for the model: what was refused, what the file has there and what
// would fit, and what is written and what isn't. It returns "" if there is nothing that a model can
// do. A model can't give flags, raise limits or change permissions, so the message mentions none of
// them.
func (r *Run) Message() string {
	if r.Status == apply.Refused && len(r.Blocks)+len(r.Located) == 0 {
		return r.noEdits()
	}
	asked := r.asking()
	switch { // first is the edit that the message names as an example
	case asked.takenBack && len(r.Blocks) > 0:
		asked.first = fmt.Sprintf("Block %d", r.Blocks[0].ID)
	case len(asked.blocks) > 0:
		asked.first = fmt.Sprintf("Block %d", asked.blocks[0].ID)
	case len(asked.attempts) > 0:
		asked.first = fmt.Sprintf("Line %d", asked.attempts[0].Line)
	case !asked.takenBack:
		return ""
	}
	var b strings.Builder
	r.open(&b, &asked)
	if asked.takenBack {
		fmt.Fprintf(&b, "\n## The check\n\nAfter your edits, %s %s.", codeSpan(r.Verify.Command), r.Verify.How())
		if strings.TrimSpace(r.Verify.Output) == "" {
			b.WriteString(" It printed nothing.\n")
		} else {
			b.WriteString(" It printed:\n\n")
			fence(&b, r.Verify.Output)
		}
	}
	for _, block := range asked.blocks {
		tellBlock(&b, block)
	}
	for _, d := range asked.attempts[:min(len(asked.attempts), maxDiagnostics)] {
		tellDiagnostic(&b, d)
	}
	if more := len(asked.attempts) - maxDiagnostics; more > 0 {
		fmt.Fprintf(&b, "\nAnd %d more like these.\n", more)
	}
	return b.String()
}

// asking says what a message asks a model for: to correct refused blocks, and attempts that weren't
// understood.
type asking struct {
	blocks   []*apply.BlockReport
	attempts []*Located
	// fine is how many blocks aren't refused.
	fine int
	// first is the name of the first requested edit, such as "Block 2" or "Line 14". Message sets
	// it.
	first string
	// takenBack is set if the edits were applied, and then undone because a command failed.
	takenBack bool
}

// asking returns what the message about the run asks for. It leaves out decisions that the user must
// make.
func (r *Run) asking() asking {
	asked := asking{first: "Block 1", takenBack: r.Verify.TookBack()}
	for i := range r.Blocks {
		if b := &r.Blocks[i]; b.Status == apply.BlockFailed {
			asked.blocks = append(asked.blocks, b)
		} else {
			asked.fine++
		}
	}
	for i := range r.Located {
		d := &r.Located[i]
		if d.Code != diagnosis.ChatLog && d.Code != diagnosis.NotReversible {
			asked.attempts = append(asked.attempts, d)
		}
	}
	return asked
}

// noEdits returns the message about a reply without edits.
func (r *Run) noEdits() string {
	ignored := ""
	if len(r.Noticed) > 0 {
		ignored = "This was ignored: " + Ignored(r.Noticed) + ".\n"
	}
	return "Your reply has no edits that can be applied. " + ignored +
		"Send the same change again, with each edit as a block below the path of its file:\n\n" + example +
		"\n\nSEARCH must repeat lines of the file exactly as they are now, indentation included. " +
		"For a new file, leave SEARCH empty.\n"
}

// open writes the first paragraphs of the message: what happened to the reply, and what the model
// should send.
func (r *Run) open(b *strings.Builder, asked *asking) {
	failed, asNow := plural(len(asked.blocks)+len(asked.attempts), "edit"), "now"
	written := r.InPlace > 0 || r.Written && asked.fine > 0 // some blocks are in the files
	kept := !r.Written && asked.fine > 0                    // some fit, and wait for the others
	if asked.takenBack {
		asNow = "now, without your edits"
		b.WriteString("Your reply was applied, but a check of the result failed, so it was undone: " +
			"the files are as they were before.")
		if len(asked.blocks)+len(asked.attempts) > 0 {
			fmt.Fprintf(b, " Also, %s in it could not be applied.", failed)
		}
	} else {
		fmt.Fprintf(b, "%s in your reply could not be applied.", failed)
		if !written {
			b.WriteString(" Nothing has been written yet.")
		}
	}
	if written {
		b.WriteString(" The blocks already written stay: don't send them again.")
	}
	each := fmt.Sprintf("each below its number (such as `%s`) and its file name", asked.first)
	switch {
	case !r.Remembered && (kept || asked.takenBack):
		b.WriteString("\nNone of it is kept: send all blocks of your reply again, with these edits corrected. " +
			"Write the file name above each block.")
	case asked.takenBack:
		fmt.Fprintf(b, "\nYour edits are kept. Send corrected blocks, %s, for those that must change, "+
			"and new ones where needed. "+
			"The others will be applied too: don't send them again.", each)
	case kept:
		b.WriteString(" The other blocks are kept, and will be applied with your corrections: don't send them again.")
		fallthrough
	default:
		fmt.Fprintf(b, "\nSend corrected blocks for these edits only, %s.", each)
	}
	fmt.Fprintf(b, " SEARCH must repeat lines of the file exactly as they are %s, indentation included.\n", asNow)
	if r.Remembered {
		fmt.Fprintf(b, "To drop an edit, write a line such as `skip %s` instead of its block; "+
			"only such a line leaves it out.\n",
			strings.ToLower(asked.first))
	}
}

// tellBlock writes the section about a refused block: the reason, how its SEARCH begins, its
// warnings, the nearest text of the file, and the corrected blocks. It says what to do only if there
// is no corrected block and no nearest text, whose lines the model can copy.
func tellBlock(b *strings.Builder, r *apply.BlockReport) {
	says, do := advice(r)
	file := "which names no file"
	if r.Path != "" {
		file = codeSpan(r.Path)
	}
	fmt.Fprintf(b, "\n## Block %d, %s\n\n", r.ID, file)
	if says != "" {
		fmt.Fprintf(b, "Refused: %s.\n", says)
	}
	if r.Block != nil {
		if first := firstLine(r.Block.Search); first != "" {
			fmt.Fprintf(b, "Its SEARCH begins with: %s\n", first)
		}
	}
	for _, w := range r.Warnings {
		if aboutEncoding(w) {
			w = "encoding: the file is not UTF-8, so a line of SEARCH with characters beyond ASCII cannot match"
		}
		_, note, _ := strings.Cut(w, ": ") // a warning begins with its code
		fmt.Fprintf(b, "Note: %s.\n", Clean(cmp.Or(note, w)))
	}
	if r.Nearest != nil {
		tellNearest(b, r)
	}
	switch {
	case len(r.Corrected) == 1:
		b.WriteString("This block would fit, if it is what you mean:\n")
	case len(r.Corrected) > 1:
		b.WriteString("Each of these blocks would fit; send the one you mean:\n")
	case r.Nearest == nil && do != "":
		b.WriteString(do + "\n")
	}
	for _, text := range r.Corrected {
		b.WriteString("\n" + pasted(text))
	}
}

// tellNearest shows what the file has where SEARCH fits best, with the lines before and after, and
// which lines of SEARCH are missing there. r.Nearest must not be nil.
func tellNearest(b *strings.Builder, r *apply.BlockReport) {
	near, at := r.Nearest, r.Nearest.Lines
	at[0] -= len(lines([]byte(near.Before)))
	at[1] += len(lines([]byte(near.After)))
	fmt.Fprintf(b, "The nearest text in the file is at %s:\n\n", linesOf(at))
	fence(b, near.Before+near.Text+near.After)
	rows, indentation := compare(r)
	var missing []string
	for _, row := range rows {
		if row.sign == '-' {
			missing = append(missing, row.text)
		}
	}
	if len(missing) > 0 {
		b.WriteString("\nThese lines of your SEARCH are missing there:\n\n")
		fence(b, strings.Join(missing, "\n")+"\n")
	}
	if indentation != "" {
		fmt.Fprintf(b, "\nThe indentation %s.\n", indentation)
	}
	if len(r.Corrected) > 0 { // a sentence about them follows
		b.WriteByte('\n')
	}
}

// tellDiagnostic writes the section about an edit that wasn't understood. If the remedy of the
// diagnostic ends in a correct block, as in "add the divider:\n<block>", it's quoted below.
func tellDiagnostic(b *strings.Builder, d *Located) {
	fmt.Fprintf(b, "\n## Line %d of your reply", d.Line)
	if d.Known.Path != "" {
		b.WriteString(", for " + codeSpan(d.Known.Path))
	}
	remedy, block, _ := strings.Cut(d.Remedy, ":\n") // a block may follow the words
	b.WriteString("\n\nFound: " + Clean(clip(d.Found, 160)) + "\n")
	_, below, _ := bytes.Cut(d.Text, []byte("\n")) // below the first line, which is often a marker
	for _, f := range [...][2]string{
		{"It begins with", firstLine(below)}, {"Expected", Clean(d.Expected)}, {"To fix", Clean(remedy)},
	} {
		if f[1] != "" {
			fmt.Fprintf(b, "%s: %s\n", f[0], f[1])
		}
	}
	// The parser doesn't know the name in every diagnostic, and then writes a placeholder.
	if rest, ok := strings.CutPrefix(block, "path/to/file\n"); ok && d.Known.Path != "" {
		block = d.Known.Path + "\n" + rest
	}
	if block != "" {
		b.WriteString("\n" + pasted(block))
	}
}

// advice returns what a model is told about a refused block. says is what's wrong, as one clause or
// sentence without a full stop. do is what to do, as a sentence, or "" if says implies it. The
// caller leaves do out if a corrected block or the nearest text already says it.
func advice(b *apply.BlockReport) (says, do string) {
	do = cmp.Or(remedyOf(b).model, "Skip this block.")
	switch says = strings.TrimSuffix(message(b), "."); b.Reason {
	case apply.NotFound, apply.Ambiguous, apply.NoSuchFile, apply.NoName, apply.Placeholder,
		apply.Indentation, apply.Vetoed: // all of the message is useful to a model
	case apply.Denied: // the message names the user's rule
		says = "this file must not be changed"
	default:
		says, _, _ = strings.Cut(says, "; ") // the rest is for whoever runs the command
	}
	if b.Objection != nil && b.Objection.Code == "below-threshold" {
		says = "SEARCH does not occur in the file, and differs too much from the nearest lines"
	}
	return says, do
}

// firstLine quotes the first line of a text that isn't blank, or returns "".
func firstLine(text []byte) string {
	for _, line := range lines(text) {
		if s := strings.TrimSpace(string(line)); s != "" {
			return codeSpan(clip(s, 120))
		}
	}
	return ""
}

// pasted returns a corrected block in the form in which it should come back: cleaned, and with one
// line end at its end.
func pasted(block string) string {
	return strings.Join(slices.Collect(cleanLines(strings.TrimRight(block, "\n"))), "\n") + "\n"
}

// How many lines of one text go back to the model, and how many characters of one line. Models
// don't repeat longer ones.
const (
	maxTold     = 60
	maxToldLine = 2000
)

// shortened returns the first third and the last two thirds of most lines if there are more, with a
// line between that says how many are left out. A compiler says what's wrong first, and a test
// last.
func shortened(lines []string, most int) []string {
	over := len(lines) - most
	if over <= 0 {
		return lines
	}
	remark := "[" + plural(over, "line") + " left out]"
	return slices.Concat(lines[:most/3], []string{remark}, lines[most/3+over:])
}

// fence writes text in a fence that is longer than any run of backticks in the text. It leaves out
// lines in the middle of a long text, and cuts long lines.
func fence(b *strings.Builder, text string) {
	ticks := strings.Repeat("`", max(3, longestTicks(text)+1))
	b.WriteString(ticks + "\n")
	for _, line := range shortened(slices.Collect(cleanLines(text)), maxTold) {
		b.WriteString(clip(line, maxToldLine) + "\n")
	}
	b.WriteString(ticks + "\n")
}

// longestTicks returns the length of the longest run of backticks in a text.
func longestTicks(s string) (longest int) {
	for run := range strings.FieldsFuncSeq(s, func(c rune) bool { return c != '`' }) {
		longest = max(longest, len(run))
	}
	return longest
}

// codeSpan returns text as code in a line of Markdown, whatever backticks it has.
func codeSpan(s string) string {
	s = Clean(s)
	if ticks := longestTicks(s); ticks > 0 {
		fence := strings.Repeat("`", ticks+1)
		return fence + " " + s + " " + fence
	}
	return "`" + s + "`"
}
