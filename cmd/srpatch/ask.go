package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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

// asking is a round of questions about the blocks of a reply.
type asking struct {
	*command
	// plan places blocks, as far as they can be placed.
	plan func(context.Context, []parser.Block) (*apply.Plan, error)

	// ctx is parent, also ended by an interrupt. While an editor runs, interrupts aren't caught.
	parent, ctx context.Context
	stop        context.CancelFunc

	// in is where answers are read, or nil before the first question. tty is the terminal opened
	// for it.
	in  io.Reader
	tty io.Closer

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
	a := &asking{command: c, parent: ctx, rest: map[string]decision{}}
	a.plan = func(ctx context.Context, blocks []parser.Block) (*apply.Plan, error) {
		return planning.planOn(ctx, t, &parser.Reply{Blocks: blocks})
	}
	a.listen()
	defer a.close()
	blocks, n := slices.Clone(u.Blocks), len(u.Blocks)
	if err := a.findPlaces(blocks); err != nil {
		return err
	}
	refused := func(b parser.Block) bool { return a.reports[b.ID].Status == apply.BlockFailed }
	if c.confirm && !c.partial && slices.ContainsFunc(blocks, refused) {
		return nil // as above, because --confirm offers no corrections
	}
	for at := 0; at < len(blocks); {
		answer, err := a.decide(blocks, at, n)
		if err != nil {
			return err
		}
		switch answer {
		case yes:
			at++
		case no:
			blocks, a.stale = slices.Delete(blocks, at, at+1), true
		case undecided: // the user has edited the block: look at it again
		}
	}
	u.Blocks = blocks
	return nil
}

// decide returns what happens to the block at index at of the remaining blocks. It asks the user
// unless that is decided already. If an earlier answer may have moved the block, it first places
// all remaining blocks again. n is how many blocks there were at the beginning.
func (a *asking) decide(blocks []parser.Block, at, n int) (decision, error) {
	b := &blocks[at]
	answer := a.decidedBefore(a.reports[b.ID])
	if answer == undecided && a.quit {
		answer = no
	}
	if answer == undecided && a.stale {
		if err := a.findPlaces(blocks); err != nil {
			return no, err
		}
		answer = a.decidedBefore(a.reports[b.ID])
	}
	if answer != undecided {
		return answer, nil
	}
	count := fmt.Sprintf("(%d/%d) ", n-len(blocks)+at+1, n)
	return a.ask(count, b, a.reports[b.ID])
}

// findPlaces finds the places of the remaining blocks, and records them in a.reports.
func (a *asking) findPlaces(blocks []parser.Block) error {
	plan, err := a.plan(a.ctx, blocks)
	if err != nil {
		return err
	}
	a.stale, a.reports = false, map[int]*apply.BlockReport{}
	for i := range plan.Blocks {
		a.reports[plan.Blocks[i].ID] = &plan.Blocks[i]
	}
	return nil
}

// listen makes an interrupt end the questions.
func (a *asking) listen() { a.ctx, a.stop = interruptible(a.parent) }

func (a *asking) close() {
	a.stop()
	if a.tty != nil {
		a.tty.Close()
	}
}

// decidedBefore returns the decision about a block that needs no question, or undecided. A refused
// block with the decision yes stays in the reply, and is reported as refused.
func (a *asking) decidedBefore(r *apply.BlockReport) decision {
	inexact := len(r.Forgiven) > 0 || r.Strategy != "" && r.Strategy != "exact"
	refused := r.Status == apply.BlockFailed
	canCorrect := len(r.Corrected) > 0 && !a.confirm // -i offers the corrected blocks
	switch {
	case refused && a.partial && !canCorrect: // with --partial, it doesn't stop the others
		return yes
	case refused && a.rest[r.Path] == no:
		return no
	case refused:
		return undecided
	case r.Status != apply.BlockApplied: // already applied, or no change
		return yes
	case a.confirm && !inexact: // --confirm asks only about blocks that don't match exactly
		return yes
	}
	return a.rest[r.Path] // the answer a or d to an earlier block of this file, if any
}

// ask shows what would happen to a block, and asks about it until the answer is valid. r is the
// block's report, and count begins the question, for example "(2/5) ". If the user takes a
// corrected block instead or edits the block, ask changes *b and sets a.stale. After an edit it
// returns undecided, because the new block may need another question. Answers that hold for other
// blocks, too, set a.rest or a.quit.
func (a *asking) ask(count string, b *parser.Block, r *apply.BlockReport) (decision, error) {
	if err := a.show(b, r); err != nil {
		return no, err
	}
	question, keys, instead := offer(b, r)
	for {
		key, err := a.readAnswer(count + question + " [" + strings.Join(keys, ",") + "]? ")
		if err != nil {
			return no, err
		}
		if key == "yes" || key == "no" {
			key = key[:1]
		}
		switch {
		case !slices.Contains(keys, key) || key == "?":
			a.help(keys)
		case key == "y" && len(instead) > 0: // the only corrected block
			*b, a.stale = instead[0], true
			return yes, nil
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
			a.say("%s", report.Clean(err.Error()))
		default: // the number of a corrected block
			n, _ := strconv.Atoi(key)
			*b, a.stale = instead[n-1], true
			return yes, nil
		}
	}
}

// offer returns the question about a block, such as "Apply block 2 to a.go", the keys that answer
// it, and the corrected blocks that may be taken instead of a refused one.
func offer(
	b *parser.Block, r *apply.BlockReport,
) (question string, keys []string, instead []parser.Block) {
	if r.Status != apply.BlockFailed {
		question = fmt.Sprintf("Apply block %d to %s", b.ID, report.Clean(r.Path))
		return question, []string{"y", "n", "a", "d", "e", "q", "?"}, nil
	}
	for _, text := range r.Corrected { // leave out those that cannot be parsed
		if other, err := replacement([]byte(text), b, r.Path); err == nil {
			instead = append(instead, other)
		}
	}
	switch len(instead) {
	case 0:
		question = fmt.Sprintf("Block %d is refused. Edit it or skip it", b.ID)
	case 1:
		question, keys = fmt.Sprintf("Apply the corrected block instead of block %d", b.ID), []string{"y"}
	default:
		question = fmt.Sprintf("Apply which of these instead of block %d", b.ID)
		for i := range instead {
			keys = append(keys, strconv.Itoa(i+1))
		}
	}
	return question, append(keys, "n", "d", "e", "q", "?"), instead
}

// help prints what the keys do.
func (a *asking) help(keys []string) {
	about := map[string]string{
		"y": "apply this block", "n": "skip it", "a": "apply this block and all later ones for its file",
		"d": "skip this block and all later ones for its file", "e": "edit the block",
		"q": "quit: skip this block and all that follow", "?": "print this help",
	}
	for _, key := range keys {
		fmt.Fprintf(a.stderr, "%s - %s\n", key, cmp.Or(about[key], "apply the corrected block "+key))
	}
	io.WriteString(a.stderr, "Nothing is written until the last answer; Ctrl-C leaves everything as it is.\n")
}

// show prints the diff of a block, or why the block is refused. r is its report from the plan of
// all blocks.
func (a *asking) show(b *parser.Block, r *apply.BlockReport) error {
	p := a.printer(a.stderr)
	alone, err := a.plan(a.ctx, []parser.Block{*b})
	if err != nil {
		return err
	}
	if r.Status == apply.BlockFailed {
		shown := *r
		if own := &alone.Blocks[0]; own.Reason == r.Reason {
			// They are about the file as it is now, not as the blocks before would leave it.
			shown.Nearest, shown.Message = own.Nearest, own.Message
		}
		(&report.Run{Blocks: []apply.BlockReport{shown}}).Text(p, p, report.Quiet)
		return nil
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
// the text has changed. If the block replaces part of a line, which markers can't express, only
// REPLACE is edited. r is the block's report.
func (a *asking) edit(b *parser.Block, r *apply.BlockReport) error {
	if b.Substring && r.Status != apply.BlockFailed {
		text, err := a.inEditor(b.Replace, filepath.Ext(r.Path))
		if err == nil && !bytes.HasSuffix(b.Replace, []byte("\n")) {
			text = bytes.TrimSuffix(text, []byte("\n")) // the editor added it
		}
		if err == nil {
			b.Replace = text
		}
		return err
	}
	var text []byte
	var err error
	if len(r.Corrected) > 0 {
		text = []byte(r.Corrected[0])
	} else {
		lines := *b // a refused block that replaces part of a line is edited as lines
		lines.Substring = false
		lines.Search, lines.Replace = withLineEnd(b.Search), withLineEnd(b.Replace)
		text, err = parser.Format([]parser.Block{lines})
	}
	if err != nil {
		return err
	}
	after, err := a.inEditor(text, ".md")
	if err != nil || bytes.Equal(after, text) {
		return err
	}
	other, err := replacement(after, b, r.Path)
	if err == nil {
		*b = other
	}
	return err
}

// withLineEnd returns a side of a block, with a line end added if it's missing.
func withLineEnd(side []byte) []byte {
	if len(side) == 0 || side[len(side)-1] == '\n' {
		return side
	}
	return append(bytes.Clone(side), '\n')
}

// replacement returns the only block in a text, to be applied instead of b. It gets the number and
// the lines of b. If it names no file or the file of b, it also gets the name of b as the reply has
// it. path is the file that b was found to mean.
func replacement(text []byte, b *parser.Block, path string) (parser.Block, error) {
	reply := parser.Parse(text)
	if len(reply.Diagnostics) > 0 {
		d := reply.Diagnostics[0]
		return parser.Block{}, fmt.Errorf("line %d: %s", d.Line, d.Found)
	}
	if n := len(reply.Blocks); n != 1 {
		return parser.Block{}, fmt.Errorf("the text has %d blocks, expected one", n)
	}
	other := reply.Blocks[0]
	other.ID, other.Lines, other.Turn = b.ID, b.Lines, b.Turn
	if other.Path == "" || other.Path == path || other.Path == b.Path {
		other.Path, other.RawPath, other.Names = b.Path, b.RawPath, b.Names
		other.Inherited, other.Labels = b.Inherited, b.Labels
	}
	return other, nil
}

// inEditor returns a text after the user has edited it, in a file whose name ends in ext. Meanwhile
// an interrupt goes to the editor.
func (a *asking) inEditor(text []byte, ext string) (_ []byte, err error) {
	dir, err := os.MkdirTemp("", "srpatch-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if strings.Trim(strings.ToLower(ext), ".abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		ext = "" // a model chose the name, so it may contain anything
	}
	file := filepath.Join(dir, "block"+ext)
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
	cmd.Stdout, cmd.Stderr = a.stdout, a.stderr
	if !isTerminal(a.stdout) {
		cmd.Stdout = a.stderr // stdout may carry the diff
	}
	held := make(chan os.Signal, 1) // ignores interrupts, which would end srpatch otherwise
	signal.Notify(held, os.Interrupt)
	a.stop()
	err = cmd.Run()
	a.listen()
	signal.Stop(held)
	if err != nil {
		return nil, fmt.Errorf("the editor failed, and the block is unchanged: %s: %w", editor, err)
	}
	return os.ReadFile(file)
}

// readAnswer prints a question, and returns the answer in lower case. On the first call it opens
// a.in. It's an error if the input ends, because a user who is gone has not said yes.
func (a *asking) readAnswer(prompt string) (string, error) {
	if a.in == nil {
		if err := a.open(); err != nil {
			return "", err
		}
	}
	io.WriteString(a.stderr, prompt)
	var line []byte
	got := make(chan error, 1)
	go func() {
		// Don't read beyond the line. The next one may be for an editor, or for another run.
		for b := make([]byte, 1); ; {
			n, err := a.in.Read(b)
			if line = append(line, b[:n]...); err != nil || n > 0 && b[0] == '\n' {
				got <- err
				return
			}
		}
	}()
	select {
	case err := <-got:
		if err != nil || !isTerminal(a.in) {
			fmt.Fprintln(a.stderr) // a terminal shows the line end that the user types
		}
		if answer := strings.ToLower(string(bytes.TrimSpace(line))); answer != "" || err == nil {
			return answer, nil
		}
		return "", codef(failure.NoAnswer,
			"the answers ended before the last question; nothing was written")
	case <-a.ctx.Done():
		fmt.Fprintln(a.stderr)
		return "", a.ctx.Err()
	}
}

// open sets a.in, where answers are read: stdin or, if a reply is read from there, the terminal.
func (a *asking) open() error {
	if !a.readsStdin() {
		a.in = a.stdin
		return nil
	}
	tty, err := a.terminal()
	if err != nil {
		flag := "-i"
		if a.confirm {
			flag = "--confirm"
		}
		return usagef("%s: no terminal to ask on (%v); "+
			"give the reply as a file, and the answers on stdin", flag, err)
	}
	a.in, a.tty = tty, tty
	return nil
}

// openTerminal opens the terminal of the process, even if its standard streams are redirected.
func openTerminal() (io.ReadCloser, error) {
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	return os.Open(name)
}
