package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/gitcommit"
)

// placeEach makes a run of each reply, one after the other: all or nothing each, and a run of its
// own to undo. A reply that comes to trouble does not hold up the next one.
func (c *command) placeEach(ctx context.Context, write, diff bool) error {
	names, err := c.replies()
	if err != nil {
		return err
	}
	worst := exitOK
	for _, name := range names {
		one := *c
		one.each, one.args = false, []string{name}
		one.batch = &batch{name, names}
		err := one.place(ctx, write, diff)
		if _, ok := errors.AsType[*usageError](err); ok {
			return err
		}
		if err != nil {
			one.code = exitTrouble
			for _, e := range joined(err) {
				fmt.Fprintf(c.stderr, "srpatch: %s: %s\n", report.Clean(name), report.Clean(diagnosis.Words(e)))
			}
		}
		worst = max(worst, one.code)
		if err != nil && concernsAll(err) {
			break
		}
	}
	c.code = worst
	return nil
}

// batch is what a run knows of the other runs that were asked for with it.
type batch struct {
	// reply is the name of the one at hand, replies are all of them.
	reply   string
	replies []string
}

// concernsAll reports whether an error would meet every other reply as well.
func concernsAll(err error) bool {
	switch code(err) {
	case string(failure.Interrupted), string(workspace.Locked), string(workspace.RecoveryNeeded),
		string(workspace.CheckKept), string(failure.CheckNotStarted):
		return true
	}
	return code(err) == string(gitcommit.NoRepository)
}
