package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
)

// why prints how the block was judged that the first argument names by its number, and removes this
// argument from c.args. The others are replies.
func (c *command) why(ctx context.Context) error {
	n := 0
	if len(c.args) > 0 {
		n, _ = strconv.Atoi(c.args[0])
	}
	if n < 1 {
		return usagef("why needs the number of a block: srpatch why 2 reply.md")
	}
	c.args = c.args[1:]
	why, err := c.judged(ctx, n)
	switch {
	case c.json:
		form := &report.Why{Error: wireError(err)}
		if err == nil {
			form = report.WhyOf(why)
		}
		err = errors.Join(err, report.JSON(c.stdout, form))
	case err == nil:
		c.printer(c.stdout).Why(why, c.detail())
	}
	return errors.Join(err, c.outputErr)
}

// judged returns how block n was judged. The block is one of the named replies or, if none is
// named, of the run that was refused last.
func (c *command) judged(ctx context.Context, n int) (*apply.Why, error) {
	if err := c.recallUnlessNamed(); err != nil {
		return nil, err
	}
	u, err := c.understand()
	if err != nil {
		return nil, err
	}
	if c.reverse && c.past == nil { // a remembered reply is reversed already
		u.reverse()
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	t, err := c.openTree(u)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := c.prepare(ctx, t, false /* write */); err != nil {
		return nil, err
	}
	why, err := c.engine(t).Why(ctx, &u.Reply, n)
	if errors.Is(err, apply.ErrNoBlock) {
		err = usagef("why: the reply has no block %d; srpatch check lists its edits", n)
	}
	return why, interrupted(err)
}

// recallUnlessNamed recalls the refused run, and sets c.past and the flags of that run, unless a
// reply is named or piped. If there is no such run, it offers the clipboard on a terminal, and fails
// if the user refuses.
func (c *command) recallUnlessNamed() error {
	named, err := c.hasInput()
	if named || err != nil {
		return err
	}
	p, err := c.loadRefused()
	switch {
	case err != nil:
		return err
	case p != nil:
		return c.holdFlags(p)
	case isTerminal(c.stdin) && !c.offerClipboard():
		return usagef("why: no reply is named, and no refused run is remembered for this tree")
	}
	return nil
}
