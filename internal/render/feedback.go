package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// Feedback writes the message to send back to the model: the blocks that failed, what would fit, and that the others are
// not to be sent again. It writes nothing when nothing failed.
func Feedback(w io.Writer, o Outcome) error {
	failed := 0
	for i := range o.Blocks {
		if o.Blocks[i].Status == apply.BlockFailed {
			failed++
		}
	}
	if failed+len(o.Diagnostics) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of your reply could not be applied.\n", plural(failed+len(o.Diagnostics), "edit"))
	b.WriteString("Send corrected blocks for these edits only, each with its file name above it. ")
	b.WriteString("SEARCH must repeat lines of the file exactly as they are now, indentation included.\n")
	switch fine := len(o.Blocks) - failed; {
	case fine > 0 && o.Written:
		fmt.Fprintf(&b, "The other %s in place: don't resend %s.\n", are(fine), them(fine))
	case fine > 0:
		fmt.Fprintf(&b, "The other %s right: don't resend %s.\n", are(fine), them(fine))
	}
	for i := range o.Blocks {
		if r := &o.Blocks[i]; r.Status == apply.BlockFailed {
			feedbackBlock(&b, r)
		}
	}
	for i := range o.Diagnostics[:min(len(o.Diagnostics), maxAlike)] {
		feedbackDiagnostic(&b, &o.Diagnostics[i])
	}
	if more := len(o.Diagnostics) - maxAlike; more > 0 {
		fmt.Fprintf(&b, "\nAnd %d more like these.\n", more)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func are(n int) string {
	if n == 1 {
		return "block is"
	}
	return fmt.Sprintf("%d blocks are", n)
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func feedbackBlock(b *strings.Builder, r *apply.BlockReport) {
	path := inline(Clean(r.Path))
	if path == "" {
		path = "no file named"
	}
	why, said := strings.CutPrefix(message(r), ": ")
	if said {
		why = ": " + inline(why)
	}
	fmt.Fprintf(b, "\n## Block %d (%s): %s%s\n\n", r.ID, path, Clean(string(r.Reason)), why)
	if r.Block != nil {
		if first := firstLine(r.Block.Search); first != "" {
			fmt.Fprintf(b, "Its SEARCH begins with: %s\n", codeSpan(Clean(clip(first, 120))))
		}
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(b, "Note: %s.\n", inline(Clean(w)))
	}
	if len(r.Candidates) > 0 {
		fmt.Fprintf(b, "It fits at %s. Add neighbouring lines to SEARCH so that it fits one place only.\n", enumerate(r.Candidates))
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
	case r.Nearest != nil:
		fmt.Fprintf(b, "The nearest text of the file is at %s:\n\n", linesOf(r.Nearest.Lines))
		fenced(b, r.Nearest.Text)
		if only := onlyInSearch(r); len(only) > 0 {
			b.WriteString("\nThe file does not have these lines of your SEARCH there:\n\n")
			fenced(b, strings.Join(only, "\n"))
		}
	default:
		if fix := modelRemedy(r.Reason); fix != "" {
			b.WriteString(fix + "\n")
		}
	}
}

// modelRemedy is what a model can do about a refusal; the flags of [remedy] mean nothing to it.
func modelRemedy(reason apply.Reason) string {
	switch reason {
	case apply.NotFound:
		return "Nothing in this file resembles its SEARCH. Check the file name, and copy SEARCH from the file."
	case apply.NoSuchFile, apply.NoName:
		return "Put the path of an existing file, relative to the root of the tree, on the line above the block."
	case apply.Exists:
		return "The file exists. An empty SEARCH makes a new file only: SEARCH for the lines to change."
	case apply.Placeholder:
		return "Write every line of REPLACE out; nothing is filled in."
	case apply.Indentation:
		return "Write SEARCH and REPLACE with the indentation that the file has."
	case apply.Encoding:
		return "The file is not UTF-8. Write what REPLACE adds in characters that it can hold: ASCII, or escapes of the language."
	case apply.Binary:
		return "Edit text only, and write a NUL as an escape of the language."
	case apply.Overlap:
		return "Make one block of the blocks that change the same lines."
	case apply.OutsideRoot:
		return "Use a path inside the tree."
	}
	return ""
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
	fmt.Fprintf(b, "\n## Line %d of your reply: %s\n\n", d.Line, Clean(d.Code))
	remedy, example, shown := strings.Cut(d.Remedy, ":\n")
	for _, f := range [...]struct{ name, value string }{{"Found", inline(clip(d.Found, 160))}, {"Expected", d.Expected}, {"To fix", remedy}} {
		if f.value != "" {
			fmt.Fprintf(b, "%s: %s\n", f.name, Clean(f.value))
		}
	}
	if shown {
		b.WriteByte('\n')
		pasted(b, example)
	}
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
