package main

import (
	"context"
	"slices"

	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/parser"
)

// parse prints what the replies are understood as.
func (c *command) parse(ctx context.Context) error {
	u, err := c.understand()
	if u == nil {
		return err
	}
	if len(u.Diagnostics) > 0 {
		c.code = exitRefused
	}
	errs := c.printer(c.stderr)
	render.Report(errs, errs, render.Outcome{Diagnostics: u.located}, render.Quiet)
	if c.json {
		blocks := func(yield func(*parser.Block) bool) {
			for i := range u.Blocks {
				if !yield(&u.Blocks[i]) {
					return
				}
			}
		}
		if e := render.ParseJSON(c.stdout, blocks, func() ([]parser.Shell, []parser.Diagnostic) { return u.Shell, u.Diagnostics }); e != nil {
			return e
		}
		return err
	}
	render.Understood(c.printer(c.stdout), slices.Values(u.Blocks), u.Shell, c.detail())
	return err
}
