package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/internal/verify"
)

// verifyRun runs the command of --verify on what the run has written, and takes the run back unless it passes. An error is trouble: that the
// command does not pass is an outcome.
func (c *command) verifyRun(ctx context.Context, t *tree, plan *apply.Plan, done *outcome) error {
	if c.verify == "" || done.run == "" {
		return nil
	}
	c.progress.at("running the command of --verify")
	command := verify.Command{Line: c.verify, Dir: t.Dir(), Env: []string{"SRPATCH_RUN=" + done.run}, Timeout: c.verifyTimeout}
	result := command.Run(ctx)
	c.progress.clear()
	v := wireVerify(c.verify, done.run, &result)
	done.verify = v
	if !v.Failed() {
		return nil
	}
	// Whoever interrupts the run wants it to end, and what it has written to be gone.
	if _, err := t.Undo(context.WithoutCancel(ctx), done.run, workspace.UndoOptions{}); err != nil {
		v.Kept = true
		kept := fmt.Errorf("run %s stays, although the command %s: it cannot be taken back as a whole; srpatch undo %s --merge takes its changes out of what the files hold now, --force puts back what they held before",
			done.run, v.How(), done.run)
		return errors.Join(&trouble{codeVerifyKept, kept}, err)
	}
	done.warnings = append(done.warnings, t.Warnings()...)
	done.run, done.files = "", nil
	plan.Status = apply.Refused
	switch result.Status {
	case verify.Interrupted:
		return &trouble{codeInterrupted, fmt.Errorf("interrupted while the command of --verify ran; run %s was taken back", v.Run)}
	case verify.NotStarted:
		return &trouble{codeVerifyNotStarted, fmt.Errorf("the command of --verify could not be started, and run %s was taken back: %w", v.Run, result.Err)}
	}
	return nil
}

// wireVerify is the wire form of what a command came to.
func wireVerify(line, run string, r *verify.Result) *render.Verify {
	v := &render.Verify{Command: line, Status: r.Status, Run: run, MS: r.Took.Milliseconds()}
	v.Output, v.Truncated = r.Output.Text()
	if r.Exit >= 0 {
		v.Exit = &r.Exit
	}
	return v
}

// unverified is the error by which programs know a run that was taken back because its command did not pass; nil of any other run.
func unverified(v *render.Verify) error {
	if !v.TookBack() {
		return nil
	}
	return &trouble{codeVerifyFailed, fmt.Errorf("the command of --verify %s; run %s was taken back", v.How(), v.Run)}
}
