package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/render"
)

// changeRun is Undo or Redo.
type changeRun func(*workspace.Workspace, context.Context, string, workspace.UndoOptions) (string, error)

func (c *command) undo(ctx context.Context) error { return c.turn(ctx, (*workspace.Workspace).Undo) }
func (c *command) redo(ctx context.Context) error { return c.turn(ctx, (*workspace.Workspace).Redo) }

// turn takes a run back, or takes that back, and reports what became of each file.
func (c *command) turn(ctx context.Context, change changeRun) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	t, err := c.openTree(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	run, opt := "", workspace.UndoOptions{Merge: c.merge, Force: c.force}
	if opt.Paths = c.args; len(c.args) > 0 && isNumber(c.args[0]) {
		run, opt.Paths = c.args[0], c.args[1:]
	}
	made, err := "", c.prepare(ctx, t, true)
	if err == nil {
		made, err = change(t.Workspace, ctx, run, opt)
	}
	err = interrupted(err)
	if err != nil || c.quiet {
		return err
	}
	runs, err := t.Log()
	if err != nil || len(runs) == 0 || runs[0].ID != made {
		return err
	}
	for _, f := range runs[0].Files {
		fmt.Fprintf(c.stdout, "%s  %s\n", render.Clean(f.Path), became(f.Action))
	}
	_, err = fmt.Fprintf(c.stdout, "run %s is the %s of run %s\n", made, runs[0].Kind, runs[0].Of)
	return err
}

// isNumber distinguishes the name of a run from that of a file; a file that has one for its name is ./7.
func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}

func became(a apply.Action) string {
	switch a {
	case apply.Create:
		return "is there again"
	case apply.Delete:
		return "removed"
	}
	return "put back"
}

// log lists the runs, newest first.
func (c *command) log(context.Context) (err error) {
	if len(c.args) > 0 {
		return usagef("log takes no arguments")
	}
	t, err := c.openTree(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	runs, err := t.Log()
	if err != nil {
		return err
	}
	var b strings.Builder
	for i := range runs {
		c.logRun(&b, &runs[i])
	}
	_, err = io.WriteString(c.stdout, b.String())
	return err
}

func (c *command) logRun(b *strings.Builder, r *workspace.Run) {
	if r.Err != nil {
		fmt.Fprintf(b, "%s  %s\n", r.ID, render.Clean(strings.ReplaceAll(r.Err.Error(), "\n", "; ")))
		return
	}
	what := string(r.Kind)
	if r.Of != "" {
		what += " of " + r.Of
	}
	switch {
	case r.Interrupted:
		what += " (interrupted)"
	case !r.InForce():
		what += " (undone)"
	}
	var names []string
	for _, f := range r.Files {
		names = append(names, f.Path)
	}
	fmt.Fprintf(b, "%s  %s  %s  %s\n", r.ID, r.Time.Local().Format("2006-01-02 15:04:05"), what, c.someOf(names))
}

// recover finishes interrupted runs.
func (c *command) recover(ctx context.Context) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	mode, saved := workspace.RecoverAuto, ""
	switch {
	case c.keep && c.restore:
		return usagef("--keep and --restore contradict each other")
	case c.keep:
		mode, saved = workspace.RecoverKeep, "what it held before the run"
	case c.restore:
		mode, saved = workspace.RecoverRestore, "the edited content"
	}
	if len(c.args) > 0 {
		return usagef("recover takes no arguments")
	}
	t, err := c.openTree(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	done, err := t.Recover(ctx, mode)
	c.say(done, "complete now", "as before it", saved)
	if err == nil && len(done) == 0 && !c.quiet {
		fmt.Fprintln(c.stdout, "nothing to recover")
	}
	return err
}
