package main

import (
	"context"
	"errors"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/failure"
)

// parse prints the blocks of the replies to stdout, and the attempted edits that weren't understood
// to stderr. It does so even if there are no edits, which is an error. It sets c.code if an edit
// wasn't understood. Failures to write to stdout are joined with the error.
func (c *command) parse(context.Context) error {
	u, err := c.readReplies()
	noEdits := err != nil && code(err) == failure.NoEdits
	if u == nil || err != nil && !noEdits {
		return err
	}
	if len(u.Diagnostics) > 0 {
		c.code = exitRefused
	}
	var jsonErr error
	if c.json {
		jsonErr = report.JSON(c.stdout, report.ParsedOf(&u.Reply))
	} else {
		if noEdits {
			u.Noticed = nil // the error lists them
		}
		report.Understood(c.printer(c.stdout), &u.Reply, c.detail()) // may set c.outputErr
	}
	errs := c.printer(c.stderr)
	(&report.Run{Located: u.located}).Text(errs, errs, report.Quiet)
	return errors.Join(err, jsonErr, c.outputErr)
}
