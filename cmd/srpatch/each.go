package main

import (
	"context"
	"slices"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/gitcommit"
)

// placeEach makes each reply a run of its own, one after the other: each is all or nothing, and can
// be undone separately. If one fails, the others are still applied, unless the error concerns all,
// for example because another run holds the lock. placeEach prints such errors itself, and only
// returns usage errors. It sets c.code to the greatest exit status of all runs.
func (c *command) placeEach(ctx context.Context) error {
	concernAll := []failure.Code{
		failure.Interrupted, failure.CheckNotStarted, failure.Code(workspace.Locked),
		failure.Code(workspace.RecoveryNeeded), failure.Code(workspace.CheckKept),
		failure.Code(gitcommit.NoRepository),
	}
	names, err := c.replies()
	if err != nil {
		return err
	}
	worst := exitOK
	for _, name := range names {
		one := *c
		one.each, one.args = false, []string{name} // so place doesn't call placeEach again
		one.batch = &batch{name, names}
		err := one.place(ctx)
		if err != nil && code(err) == failure.Usage {
			return err
		}
		if err != nil {
			one.code = exitTrouble
			for _, e := range unjoined(err) {
				c.say("%s: %s", report.Clean(name), report.Clean(diagnosis.Words(e)))
			}
		}
		worst = max(worst, one.code)
		if err != nil && slices.Contains(concernAll, code(err)) {
			break
		}
	}
	c.code = worst
	return nil
}

// batch is what a run knows of the others in the same command.
type batch struct {
	// reply is the name of the current reply, replies are all of them.
	reply   string
	replies []string
}
