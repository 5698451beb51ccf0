package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/internal/verify"
)

// maxNamed is how many bytes of file names a command gets, because systems limit the size of a
// variable.
const maxNamed = 100_000

// checkRun runs the commands of --verify, in order, until one fails, and adds their results to the
// report. It returns why that one failed, or nil. run is the name of the run, or "" without a
// journal. The commands get run, or 0 for "", and the names of the changed files in their
// environment.
func (w *work) checkRun(ctx context.Context, run string) error {
	v := &report.Verify{}
	w.report.Verify = v
	var names []string // of the files that exist now
	for i := range w.plan.Files {
		if f := &w.plan.Files[i]; f.Action != apply.Delete {
			names = append(names, f.Path)
		}
	}
	files := strings.Join(names, "\n")
	if len(files) > maxNamed { // systems limit the size of a variable
		files = ""
	}
	for _, commandLine := range w.verify {
		result := verify.Run(ctx, commandLine, w.tree.Dir(),
			runVariable+"="+cmp.Or(run, "0"), "SRPATCH_FILES="+files)
		if v.Command != "" { // the one before
			v.Passed = append(v.Passed, v.Command)
		}
		v.Command, v.Status, v.MS = commandLine, result.Status, v.MS+result.Took.Milliseconds()
		v.Output, v.Truncated = result.Output.Text()
		v.Exit = nil
		if result.Exit >= 0 {
			v.Exit = &result.Exit
		}
		if v.Failed() {
			return cmp.Or(result.Err, errors.New(v.How()))
		}
	}
	return nil
}

// runVariable tells the --verify command which run it is for, or "0" if the run has no journal.
// If that command runs srpatch, that must not wait for the lock, which its own parent holds.
const runVariable = "SRPATCH_RUN"

// settleCheck returns what err, the error of writing the run, means to the user. If the run was
// rolled back because a command of --verify exited with an error, that's a result and not an error:
// settleCheck marks the plan as refused, and returns nil. If the command was interrupted or
// couldn't be started, it returns an error that says so. If a command failed but the run stays, it
// sets Verify.Kept in the report.
func (w *work) settleCheck(err error) error {
	v := w.report.Verify
	if !v.Failed() {
		return err
	}
	e, hasReason := errors.AsType[*apply.ReasonError](err)
	if rolledBack := hasReason && e.Reason == workspace.CheckFailed; !rolledBack {
		v.Kept = true
		return err
	}
	w.report.Files, w.plan.Status = nil, apply.Refused
	switch v.Status {
	case verify.Interrupted:
		return codef(failure.Interrupted,
			"interrupted while the --verify command ran; the files are as they were before")
	case verify.NotStarted:
		return codef(failure.CheckNotStarted, "the --verify command could not be started, and the "+
			"files are as they were before: %w",
			errors.Unwrap(errors.Unwrap(err))) // the cause, without the workspace's words
	}
	return nil
}

// checkFailure returns the error that tells programs that a run was rolled back because a command
// of --verify failed, or nil.
func checkFailure(v *report.Verify) error {
	if !v.TookBack() {
		return nil
	}
	return codef(failure.Code(workspace.CheckFailed),
		"the --verify command %s; the files are as they were before", v.How())
}
