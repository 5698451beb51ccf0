package main

import (
	"context"
	"errors"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/failure"
)

// parse prints the blocks of the replies to stdout, and the attempted edits that weren't understood
// to stderr. It does so even if there are no edits, which is an error.
func (c *command) parse(context.Context) error {
	u, err := c.readReplies()
	if u == nil || err != nil && code(err) != string(failure.NoEdits) {
		return err
	}
	if len(u.Diagnostics) > 0 {
		c.code = exitRefused
	}
	var failed error
	if c.json {
		failed = report.JSON(c.stdout, report.ParsedOf(&u.Reply))
	} else {
		if err != nil {
			u.Noticed = nil // the error lists them
		}
		report.Understood(c.printer(c.stdout), &u.Reply, c.detail())
	}
	errs := c.printer(c.stderr)
	(&report.Run{Located: u.located}).Text(errs, errs, report.Quiet)
	return errors.Join(c.withoutEdits(err), failed, c.lost)
}
