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

// placeEach makes each reply a run of its own, one after the other: each is all or nothing, and can
// be undone separately. If one fails, the others are still applied, unless the error concerns all.
// placeEach prints such errors itself, and only returns usage errors. It sets c.code to the
// greatest exit status of all runs. write and diff are those of place.
func (c *command) placeEach(ctx context.Context, write, diff bool) error {
	names, err := c.replies()
	if err != nil {
		return err
	}
	worst := exitOK
	for _, name := range names {
		one := *c
		one.each, one.args = false, []string{name} // so place doesn't call placeEach again
		one.batch = &batch{name, names}
		err := one.place(ctx, write, diff)
		if _, ok := errors.AsType[*usageError](err); ok {
			return err
		}
		if err != nil {
			one.code = exitTrouble
			for _, e := range unjoined(err) {
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

// batch is what a run knows of the others in the same command.
type batch struct {
	// reply is the name of the current reply, replies are all of them.
	reply   string
	replies []string
}

// concernsAll reports whether an error would affect every other reply as well, for example because
// another run holds the lock.
func concernsAll(err error) bool {
	switch code(err) {
	case string(failure.Interrupted), string(workspace.Locked), string(workspace.RecoveryNeeded),
		string(workspace.CheckKept), string(failure.CheckNotStarted):
		return true
	}
	return code(err) == string(gitcommit.NoRepository)
}
