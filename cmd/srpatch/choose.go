package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/parser"
)

// openTerminal opens the terminal of the process, whatever its standard streams are.
func openTerminal() (io.ReadCloser, error) {
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	return os.Open(name)
}

// choose asks about every block that has its place, and leaves the chosen ones in u. It returns the plan with what was
// not asked about: blocks that failed or have nothing to change, and diagnostics.
func (c *command) choose(ctx context.Context, t *tree, u *understood) (kept *apply.Plan, err error) {
	answers, err := c.answers()
	if err != nil {
		return nil, err
	}
	defer answers.Close()
	one := *c
	one.partial = true
	if kept, err = one.planOn(ctx, t, &u.Reply); err != nil {
		return nil, err
	}
	a := asking{command: c, in: bufio.NewReader(answers), echo: isTerminal(answers), of: map[string]byte{}}
	for i := range kept.Blocks {
		if kept.Blocks[i].Status == apply.BlockApplied {
			a.total++
		}
	}
	var chosen []parser.Block
	var others []apply.BlockReport
	for _, r := range kept.Blocks {
		if r.Status != apply.BlockApplied {
			others = append(others, r)
			continue
		}
		i := slices.IndexFunc(u.Blocks, func(b parser.Block) bool { return b.ID == r.ID })
		diff, err := one.diffAlone(ctx, t, &u.Blocks[i])
		if err != nil {
			return nil, err
		}
		if a.wants(&r, diff) {
			chosen = append(chosen, u.Blocks[i])
		}
	}
	u.Blocks, u.Diagnostics = chosen, nil
	kept.Blocks = others
	return kept, nil
}

// answers is where answers are read: stdin, unless a reply comes from there.
func (c *command) answers() (io.ReadCloser, error) {
	if !c.readsStdin() {
		if f, ok := c.stdin.(*os.File); ok {
			return f, nil
		}
		return io.NopCloser(c.stdin), nil
	}
	tty, err := c.terminal()
	if err != nil {
		return nil, usagef("-i: no terminal to ask on (%v); give the reply as a file, and the answers on stdin", err)
	}
	return tty, nil
}

// diffAlone is what a block changes by itself; nothing if it has no place without the blocks before it.
func (c *command) diffAlone(ctx context.Context, t *tree, b *parser.Block) ([]byte, error) {
	plan, err := c.planOn(ctx, t, &parser.Reply{Blocks: []parser.Block{*b}})
	if err != nil {
		return nil, err
	}
	return unifiedDiff(plan)
}

// asking is a round of questions.
type asking struct {
	*command
	in           *bufio.Reader
	asked, total int
	quit         bool
	echo         bool            // the terminal shows what is answered
	of           map[string]byte // the answer for the rest of a file
}

const answerHelp = `y - apply this block
n - do not apply it
q - quit: apply neither this block nor the rest
a - apply this block and the rest of its file
d - apply neither this block nor the rest of its file
? - print this help
`

// wants shows a block and asks whether it is to be applied. The end of the input is a q.
func (a *asking) wants(r *apply.BlockReport, diff []byte) bool {
	a.asked++
	if rest := a.of[r.Path]; rest != 0 || a.quit {
		return rest == 'a' && !a.quit
	}
	p := a.printer(a.stderr)
	if len(diff) > 0 {
		render.Diff(p, diff)
	} else {
		render.Sides(p, r.Block)
	}
	for {
		fmt.Fprintf(a.stderr, "(%d/%d) Apply block %d to %s [y,n,q,a,d,?]? ", a.asked, a.total, r.ID, render.Clean(r.Path))
		line, err := a.in.ReadString('\n')
		answer := strings.ToLower(strings.TrimSpace(line))
		if err != nil || !a.echo {
			fmt.Fprintln(a.stderr)
		}
		if err != nil && answer == "" {
			answer = "q"
		}
		switch answer {
		case "y", "yes":
			return true
		case "n", "no":
			return false
		case "q":
			a.quit = true
			return false
		case "a", "d":
			a.of[r.Path] = answer[0]
			return answer == "a"
		}
		io.WriteString(a.stderr, answerHelp)
	}
}

// addKept puts what was not asked about into the plan of the chosen blocks.
func addKept(plan, kept *apply.Plan) {
	plan.Diagnostics = append(plan.Diagnostics, kept.Diagnostics...)
	plan.Blocks = append(plan.Blocks, kept.Blocks...)
	slices.SortFunc(plan.Blocks, func(a, b apply.BlockReport) int { return cmp.Compare(a.ID, b.ID) })
	failed := slices.ContainsFunc(kept.Blocks, func(r apply.BlockReport) bool { return r.Status == apply.BlockFailed })
	if plan.Status == apply.Applied && (failed || len(kept.Diagnostics) > 0) {
		plan.Status = apply.Partial
	}
}
