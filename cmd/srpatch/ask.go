package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/parser"
)

// asking is a round of questions about the blocks of a reply. An interrupt ends the process, which
// has written nothing yet.
type asking struct {
	*command
	// plan places blocks, as far as they can be placed.
	plan func([]parser.Block) (*apply.Plan, error)
	// in is where answers are read, or nil before the first question.
	in io.Reader
	// reports say where the blocks are placed, by number. stale is set if that may have changed.
	reports map[int]*apply.BlockReport
	stale   bool
	// rest is the answer for the other blocks of a file, by its path. quit skips all other blocks.
	rest map[string]decision
	quit bool
}

// decision says what happens to a block.
type decision int

const (
	undecided decision = iota
	yes
	no
)

// choose asks about blocks, and keeps those in u that should be applied. It writes nothing. After
// an answer that may give another block a place or take it away, it places the remaining blocks
// again. It asks nothing if the run will be refused anyway.
func (c *command) choose(ctx context.Context, t *tree, u *understood) error {
	if len(u.Diagnostics) > 0 && !c.partial {
		return nil // the run is refused whatever is answered
	}
	planning := *c
	planning.partial = true // a refused block must not keep the others from being placed
	a := &asking{command: c, rest: map[string]decision{}}
	a.plan = func(blocks []parser.Block) (*apply.Plan, error) {
		return planning.planOn(ctx, t, &parser.Reply{Blocks: blocks})
	}
	blocks, n := slices.Clone(u.Blocks), len(u.Blocks)
	if err := a.findPlaces(blocks); err != nil {
		return err
	}
	refused := func(b parser.Block) bool { return a.reports[b.ID].Status == apply.BlockFailed }
	if c.confirm && !c.partial && slices.ContainsFunc(blocks, refused) {
		return nil // as above, because --confirm asks only about blocks that have a place
	}
	for at := 0; at < len(blocks); {
		var err error
		b := &blocks[at]
		answer := a.decidedBefore(a.reports[b.ID])
		switch {
		case answer != undecided:
		case a.quit:
			answer = no
		case a.stale:
			err = a.findPlaces(blocks) // and look at the block again
		default:
			count := fmt.Sprintf("(%d/%d) ", n-len(blocks)+at+1, n)
			answer, err = a.ask(count, b, a.reports[b.ID])
		}
		if err != nil {
			return err
		}
		switch answer {
		case yes:
			at++
		case no:
			blocks, a.stale = slices.Delete(blocks, at, at+1), true
		}
	}
	u.Blocks = blocks
	return nil
}

// findPlaces finds the places of the remaining blocks, and records them in a.reports.
func (a *asking) findPlaces(blocks []parser.Block) error {
	plan, err := a.plan(blocks)
	if err != nil {
		return err
	}
	a.stale, a.reports = false, map[int]*apply.BlockReport{}
	for i := range plan.Blocks {
		a.reports[plan.Blocks[i].ID] = &plan.Blocks[i]
	}
	return nil
}

// decidedBefore returns the decision about a block that needs no question, or undecided. A refused
// block with the decision yes stays in the reply, and is reported as refused.
func (a *asking) decidedBefore(r *apply.BlockReport) decision {
	inexact := len(r.Forgiven) > 0 || r.Strategy != "" && r.Strategy != "exact"
	rest := a.rest[r.Path] // the answer a or d to an earlier block of this file, if any
	refused := r.Status == apply.BlockFailed
	switch {
	case refused && a.partial && (a.confirm || len(r.Corrected) == 0): // it doesn't stop the others
		return yes
	case refused && rest == yes:
		return undecided
	case refused:
		return rest
	case r.Status != apply.BlockApplied: // already applied, or no change
		return yes
	case a.confirm && !inexact: // --confirm asks only about blocks that don't match exactly
		return yes
	}
	return rest
}

// keysHelp explains the answers to the questions of -i.
const keysHelp = `  y, n  apply this block, or skip it
  a, d  apply this block and all later ones for the same file, or skip them
  e     edit this block in $GIT_EDITOR, $VISUAL or $EDITOR
  q     skip this block and all later ones
  1, 2  apply corrected block 1 or 2 instead of the refused block
  ?     explain these keys

Nothing is written until you have answered the last question.
`

// ask shows what would happen to a block, and asks about it until the answer is valid. r is the
// block's report, and count begins the question, for example "(2/5) ". If the user takes a
// corrected block instead or edits the block, ask changes *b and sets a.stale. After an edit it
// returns undecided, because the new block may need another question. Answers that hold for other
// blocks, too, set a.rest or a.quit.
func (a *asking) ask(count string, b *parser.Block, r *apply.BlockReport) (decision, error) {
	if err := a.show(b, r); err != nil {
		return no, err
	}
	question := fmt.Sprintf("Apply block %d to %s", b.ID, report.Clean(r.Path))
	keys := []string{"y", "n", "a", "d", "e", "q", "?"}
	if r.Status == apply.BlockFailed {
		question, keys = fmt.Sprintf("Block %d is refused. What now", b.ID), nil
		for i := range r.Corrected {
			keys = append(keys, strconv.Itoa(i+1))
		}
		keys = append(keys, "n", "d", "e", "q", "?")
	}
	for {
		key, err := a.readAnswer(count + question + " [" + strings.Join(keys, ",") + "]? ")
		if err != nil {
			return no, err
		}
		switch {
		case !slices.Contains(keys, key) || key == "?":
			io.WriteString(a.stderr, keysHelp)
		case key == "y":
			return yes, nil
		case key == "n":
			return no, nil
		case key == "a":
			a.rest[r.Path] = yes
			return yes, nil
		case key == "d":
			a.rest[r.Path] = no
			return no, nil
		case key == "q":
			a.quit = true
			return no, nil
		case key == "e":
			if err = a.edit(b, r); err == nil {
				a.stale = true
				return undecided, nil
			}
		default: // the number of a corrected block
			n, _ := strconv.Atoi(key)
			if err = replace(b, []byte(r.Corrected[n-1]), r.Path); err == nil {
				a.stale = true
				return yes, nil
			}
		}
		if err != nil {
			a.say("%s", report.Clean(err.Error()))
		}
	}
}

// show prints the diff of a block, or why the block is refused. r is its report from the plan of
// all blocks.
func (a *asking) show(b *parser.Block, r *apply.BlockReport) error {
	p := a.printer(a.stderr)
	if r.Status == apply.BlockFailed {
		(&report.Run{Blocks: []apply.BlockReport{*r}}).Text(p, p, report.Quiet)
		return nil
	}
	alone, err := a.plan([]parser.Block{*b})
	if err != nil {
		return err
	}
	if diff := alone.Diff(); len(diff) > 0 {
		report.Diff(p, diff)
	} else { // alone it has no place, because it needs the blocks before it
		report.Sides(p, b)
	}
	report.Tolerated(p, r)
	return nil
}

// edit lets the user edit a block, or the first corrected block if it's refused, and changes *b if
// the text has changed. r is the block's report. It fails if markers can't express the block.
func (a *asking) edit(b *parser.Block, r *apply.BlockReport) (err error) {
	var text []byte
	if len(r.Corrected) > 0 {
		text = []byte(r.Corrected[0])
	} else if text, err = parser.Format([]parser.Block{*b}); err != nil {
		return err
	}
	after, err := a.inEditor(text)
	if err != nil || bytes.Equal(after, text) {
		return err
	}
	return replace(b, after, r.Path)
}

// replace puts the only block in a text in the place of b. It gets the number and the lines of b.
// If it names no file or the file of b, it also gets the name of b as the reply has it. path is the
// file that b was found to mean.
func replace(b *parser.Block, text []byte, path string) error {
	reply := parser.Parse(text)
	if len(reply.Diagnostics) > 0 {
		d := reply.Diagnostics[0]
		return fmt.Errorf("line %d: %s", d.Line, d.Found)
	}
	if n := len(reply.Blocks); n != 1 {
		return fmt.Errorf("the text has %d blocks, expected one", n)
	}
	other := reply.Blocks[0]
	other.ID, other.Lines, other.Turn = b.ID, b.Lines, b.Turn
	if other.Path == "" || other.Path == path || other.Path == b.Path {
		other.Path, other.RawPath, other.Names = b.Path, b.RawPath, b.Names
		other.Inherited, other.Labels = b.Inherited, b.Labels
	}
	*b = other
	return nil
}

// inEditor returns a text after the user has edited it. Meanwhile an interrupt goes to the editor.
func (a *asking) inEditor(text []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "srpatch-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "block.md")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	editor := "vi"
	if runtime.GOOS == "windows" {
		editor = "notepad"
	}
	for _, name := range []string{"EDITOR", "VISUAL", "GIT_EDITOR"} { // the last one wins
		editor = cmp.Or(strings.TrimSpace(a.env(name)), editor)
	}
	words := strings.Fields(editor) // "code --wait" has arguments
	cmd := exec.Command(words[0], append(words[1:], file)...)
	sh, err := exec.LookPath("sh")
	// Like git, let the shell read a command that is more than a name.
	if err == nil && strings.ContainsAny(editor, "|&;<>()$`\\\"' \t*?[#~=%") {
		cmd = exec.Command(sh, "-c", editor+` "$@"`, editor, file)
	}
	if f, ok := a.in.(*os.File); ok && isTerminal(f) {
		cmd.Stdin = f
	}
	cmd.Stdout, cmd.Stderr = a.stderr, a.stderr // stdout may carry the diff
	held := make(chan os.Signal, 1)             // keeps interrupts from ending srpatch
	signal.Notify(held, os.Interrupt)
	defer signal.Stop(held)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the editor failed, and the block is unchanged: %s: %w", editor, err)
	}
	return os.ReadFile(file)
}

// readAnswer prints a question, and returns the answer in lower case. On the first call it opens
// a.in: stdin or, if a reply is read from there, the terminal.
func (a *asking) readAnswer(prompt string) (_ string, err error) {
	if a.in == nil && !a.readsStdin() {
		a.in = a.stdin
	}
	if a.in == nil {
		if a.in, err = a.terminal(); err != nil {
			return "", usagef("there is no terminal to ask on (%v); "+
				"give the reply as a file, and the answers on stdin", err)
		}
	}
	return a.question(a.in, prompt)
}

// question prints a question on stderr, and returns the answer in lower case. It's an error if the
// input ends, because a user who is gone has not said yes.
func (c *command) question(in io.Reader, prompt string) (string, error) {
	io.WriteString(c.stderr, prompt)
	var line []byte
	var err error
	// Don't read beyond the line. The next one may be for an editor, or for another run.
	for b, n := make([]byte, 1), 0; err == nil && !bytes.HasSuffix(line, []byte("\n")); {
		n, err = in.Read(b)
		line = append(line, b[:n]...)
	}
	if err != nil || !isTerminal(in) {
		fmt.Fprintln(c.stderr) // a terminal shows the line end that the user types
	}
	answer := strings.ToLower(string(bytes.TrimSpace(line)))
	if answer == "" && err != nil {
		return "", codef(failure.NoAnswer,
			"the answers ended before the last question; nothing was written")
	}
	return answer, nil
}

// openTerminal opens the terminal of the process, even if its standard streams are redirected. It
// stays open until the process ends.
func openTerminal() (io.Reader, error) {
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	return os.Open(name)
}
