package main

import (
	"context"
	"errors"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/failure"
)

// parse prints what the replies are understood as.
func (c *command) parse(context.Context) error {
	u, err := c.readReplies()
	if u == nil || err != nil && code(err) != string(failure.NoEdits) {
		return err
	}
	if len(u.Diagnostics) > 0 {
		c.code = exitRefused
	}
	var failure error
	if c.json {
		failure = report.JSON(c.stdout, report.ParsedOf(&u.Reply))
	} else {
		if err != nil {
			u.Noticed = nil // the error lists them
		}
		report.Understood(c.printer(c.stdout), &u.Reply, c.detail())
	}
	errs := c.printer(c.stderr)
	(&report.Run{Located: u.located}).Text(errs, errs, report.Quiet)
	return errors.Join(c.withoutEdits(err), failure, c.lost)
}
