package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/verify"
)

// Verify is what the command of --verify came to.
type Verify struct {
	Command string `json:"command"`
	// Status is passed, failed, interrupted or not-started.
	Status verify.Status `json:"status"`
	// Run is the run that the command was for.
	Run string `json:"run"`
	// Kept says that the run stays although the command did not pass: files of it were changed meanwhile.
	Kept bool `json:"kept,omitempty"`
	// Exit is the command's exit status; absent where it has none.
	Exit *int `json:"exit,omitempty"`
	// Output is what it wrote. Where Truncated is not 0, so many bytes are left out in the middle of it, and a line says so.
	Output    string `json:"output"`
	Truncated int64  `json:"truncated,omitempty"`
	MS        int64  `json:"ms"`
}

// Failed reports whether the command did not pass; false of none.
func (v *Verify) Failed() bool { return v != nil && v.Status != verify.Passed }

// TookBack reports whether the run was taken back for it.
func (v *Verify) TookBack() bool { return v.Failed() && !v.Kept }

// How says how the command ended, where it did not pass.
func (v *Verify) How() string {
	switch v.Status {
	case verify.Interrupted:
		return "was interrupted"
	case verify.NotStarted:
		return "could not be started"
	}
	if v.Exit == nil {
		return "failed: killed by a signal"
	}
	if *v.Exit == 0 {
		return "undid edits of the run"
	}
	return "failed: exit status " + strconv.Itoa(*v.Exit)
}

func (v *Verify) took() string {
	d := time.Duration(v.MS) * time.Millisecond
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// shownOutput is how many lines of a command's output a report shows, its last ones.
const shownOutput = 20

// verified says that the command passed, or how it did not and what it wrote.
func (p Printer) verified(o *Outcome, detail Detail) {
	v := o.Verify
	if v == nil {
		return
	}
	if !v.Failed() {
		if detail >= Normal {
			p.paragraph("", green, "verified:", Clean(v.Command)+" ("+v.took()+")")
		}
		return
	}
	mark, st, _ := sign(apply.BlockFailed)
	p.line(p.paint(st, mark), " ", p.paint(bold, Clean(v.Command)), " ", v.How())
	lines := slices.Collect(cleanLines(v.Output))
	if over := len(lines) - shownOutput; over > 0 && detail < Verbose {
		p.line(indent, p.paint(dim, "("+v.lines(over)+" before these; -v and --json show them)"))
		lines = lines[over:]
	}
	for _, line := range lines {
		p.code(indent, plain, line)
	}
	if v.TookBack() && o.Looking == "" && detail >= Normal {
		p.wrapped("", 0, "run "+Clean(v.Run)+" was taken back; srpatch redo "+Clean(v.Run)+" writes it again, without the check")
	}
}

// lines are n lines of the output, or more, if it is not all there.
func (v *Verify) lines(n int) string {
	if v.Truncated > 0 {
		return "more than " + plural(n, "line")
	}
	return plural(n, "line")
}

// toldHead and toldTail are how many lines of a command's output a model is told, from its beginning and from its end.
const (
	toldHead = 20
	toldTail = quoted - toldHead
)

// feedbackVerify tells a model that its edits were taken back because a command failed.
func feedbackVerify(b *strings.Builder, v *Verify) {
	fmt.Fprintf(b, "\n## The check\n\nAfter your edits %s %s.", codeSpan(Clean(v.Command)), v.How())
	if strings.TrimSpace(v.Output) == "" {
		b.WriteString(" It wrote nothing.\n")
		return
	}
	b.WriteString(" It wrote:\n\n")
	lines := strings.SplitAfter(v.Output, "\n")
	if n := len(lines); n > quoted {
		left := "[" + v.lines(n-quoted+1) + " left out]\n"
		lines = slices.Concat(lines[:toldHead], []string{left}, lines[n-toldTail+1:])
	}
	fenced(b, strings.Join(lines, ""))
}
