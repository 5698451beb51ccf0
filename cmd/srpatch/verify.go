package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/regular"
	"github.com/srpatch/srpatch/internal/verify"
)

// verifyRun runs the command of --verify on what the run has written, and on earlier runs that are not verified. Unless it passes,
// all of them are taken back, the newest first. An error is trouble: that the command does not pass is an outcome.
func (c *command) verifyRun(ctx context.Context, t *tree, plan *apply.Plan, done *report.Run, earlier []string) error {
	runs := earlier
	if done.Run != "" {
		runs = append([]string{done.Run}, earlier...)
	}
	if c.verify == "" || len(runs) == 0 {
		return nil
	}
	c.progress.at("running the command of --verify")
	command := verify.Command{Line: c.verify, Dir: t.Dir(), Env: []string{"SRPATCH_RUN=" + runs[0]}}
	result := command.Run(ctx)
	c.progress.clear()
	v := wireVerify(c.verify, runs[0], &result)
	done.Verify = v
	defer func() {
		if v.Failed() {
			warn(done, t.settle(v, runs))
		}
	}()
	if !v.Failed() {
		if name := t.tookBack(plan); name != "" {
			v.Status, v.Kept = verify.Failed, true
			return &trouble{codeVerifyKept, fmt.Errorf("the command of --verify exited with 0, but %s is as before run %s; the run is not verified", name, v.Run)}
		}
		if err := t.Settle(runs...); err != nil {
			done.Warnings = append(done.Warnings, remedy.Words(err))
		}
		return nil
	}
	for i, run := range runs {
		// Whoever interrupts the run wants it to end, and what it has written to be gone.
		if _, err := t.Undo(context.WithoutCancel(ctx), run, workspace.UndoOptions{}); err != nil {
			v.Kept = true
			for _, older := range runs[i+1:] {
				done.Warnings = append(done.Warnings, "run "+older+" stays as well")
			}
			kept := fmt.Errorf("run %s stays, although the command %s: it cannot be taken back whole; srpatch undo %s --merge removes its changes and keeps later ones, --force puts the old files back",
				run, v.How(), run)
			return errors.Join(&trouble{codeVerifyKept, kept}, err)
		}
		if i > 0 || run != done.Run {
			done.Warnings = append(done.Warnings, fmt.Sprintf("run %s, which was not verified, was taken back as well", run))
		}
		if run == done.Run {
			done.Run, done.Files = "", nil
		}
	}
	plan.Status = apply.Refused
	switch result.Status {
	case verify.Interrupted:
		return &trouble{codeInterrupted, fmt.Errorf("interrupted while the command of --verify ran; run %s was taken back", v.Run)}
	case verify.NotStarted:
		return &trouble{codeVerifyNotStarted, fmt.Errorf("the command of --verify could not be started, and run %s was taken back: %w", v.Run, result.Err)}
	}
	return nil
}

// settle ends what is open of runs that did not pass: they are taken back, or the user is told that they stay. What was interrupted stays
// unverified if it stays. Redo runs nothing.
func (t *tree) settle(v *report.Verify, runs []string) error {
	var errs []error
	for _, run := range runs {
		errs = append(errs, t.EndCommit(run))
	}
	if v.Status == verify.Failed || !v.Kept {
		errs = append(errs, t.Settle(runs...))
	}
	return errors.Join(errs...)
}

// tookBack is a file of the plan that is as before the run again; "" if there is none. What a command makes of the files otherwise, as a
// formatter does, is its right.
func (t *tree) tookBack(plan *apply.Plan) string {
	for i := range plan.Files {
		f := &plan.Files[i]
		name := cmp.Or(f.From, f.Path)
		at, err := t.Target(name)
		if err != nil || f.Action == apply.Modify && bytes.Equal(f.Before, f.After) {
			continue
		}
		at = filepath.Join(t.Dir(), filepath.FromSlash(at))
		_, err = os.Lstat(at)
		if f.Action == apply.Create {
			if errors.Is(err, fs.ErrNotExist) {
				return name
			}
			continue
		}
		if now, err := regular.ReadFile(at); err == nil && t.Sum(name, f.Before) == fmt.Sprintf("%x", sha256.Sum256(now)) {
			return name
		}
	}
	return ""
}

// wireVerify is the wire form of what a command came to.
func wireVerify(line, run string, r *verify.Result) *report.Verify {
	v := &report.Verify{Command: line, Status: r.Status, Run: run, MS: r.Took.Milliseconds()}
	v.Output, v.Truncated = r.Output.Text()
	if r.Exit >= 0 {
		v.Exit = &r.Exit
	}
	return v
}

// unverified is the error by which programs know a run that was taken back because its command did not pass; nil of any other run.
func unverified(v *report.Verify) error {
	if !v.TookBack() {
		return nil
	}
	return &trouble{codeVerifyFailed, fmt.Errorf("the command of --verify %s; run %s was taken back", v.How(), v.Run)}
}
