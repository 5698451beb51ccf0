package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/srpatch/srpatch/internal/render"
)

const aboutWhy = `N is the block's number in the report of a run. Nothing is written. What is shown, in this order: the ways to read the block; the
lines at which each strategy would look for it; the places that were compared line by line, the most similar first, with the line of the
file that each line of SEARCH is taken for, and all that speaks against the place; and the verdict, as a run would report it.
With --json one object: report, readings, places.`

// why says how one block was judged.
func (c *command) why(ctx context.Context) error {
	if len(c.args) == 0 {
		return usagef("why needs the number of a block: srpatch why 2 reply.md")
	}
	n, err := strconv.Atoi(c.args[0])
	if err != nil || n < 1 {
		return usagef("why: %q, expected the number of a block: srpatch why 2 reply.md", c.args[0])
	}
	if c.args = c.args[1:]; len(c.args) == 0 && c.readsStdin() && isTerminal(c.stdin) && !c.offerClipboard() {
		return errNoInput
	}
	u, err := c.understand()
	if err != nil {
		return err
	}
	if c.reverse {
		u.reverse()
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	t, err := c.openTree(u)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := c.prepare(ctx, t, false); err != nil {
		return err
	}
	why, err := c.engine(t).Why(ctx, &u.Reply, n)
	if err != nil {
		return interrupted(err)
	}
	if c.json {
		return errors.Join(render.WhyJSON(c.stdout, why), c.lost)
	}
	c.printer(c.stdout).Why(why, c.detail())
	return c.lost
}
