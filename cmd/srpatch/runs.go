package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/diagnosis"
)

// turn undoes or redoes a run, and reports what happened to each file.
func (c *command) turn(ctx context.Context) error {
	done, err := c.changed(ctx)
	done.Kind = c.verb.name
	if err != nil {
		done.Status, done.Error = report.StatusError, wireError(err)
	}
	c.warn(done.Warnings)
	switch {
	case c.json:
		c.outputErr = report.JSON(c.stdout, done)
	case err == nil && !c.quiet:
		c.printTurn(&done)
	}
	if err == nil { // the run is done, even if the report couldn't be printed
		c.sayIncomplete(c.outputErr)
	}
	return err
}

// changed undoes or redoes the run and the files that the arguments name, or the latest run. It
// returns what turn reports.
func (c *command) changed(ctx context.Context) (done report.Turn, err error) {
	done.Status = apply.Applied
	ctx, stop := interruptible(ctx)
	defer stop()
	t, err := c.openTree(nil)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	change := t.Undo
	if c.verb.set == vRedo {
		change = t.Redo
	}
	run, opt := "", workspace.UndoOptions{Merge: c.merge, Force: c.force}
	names := c.args
	if len(names) > 0 {
		if _, err := strconv.ParseUint(names[0], 10, 64); err == nil { // a file named 7 is ./7
			run, names = names[0], names[1:]
		}
	}
	for _, name := range names {
		opt.Paths = append(opt.Paths, filepath.ToSlash(name)) // a shell completes dir\file on Windows
	}
	if err = c.prepare(ctx, t, true /* write */); err == nil {
		done.Run, err = change(ctx, run, opt)
	}
	if err != nil {
		return done, interrupted(err)
	}
	// If the log can't be read now, the report just has less in it. The new run is its first.
	if runs, err := t.Log(); err == nil && len(runs) > 0 && runs[0].ID == done.Run {
		done.Of = runs[0].Of
		err = t.forgetUndone(done.Of) // drops what was refused in that run
		for _, f := range runs[0].Files {
			done.Files = append(done.Files, wireFile(&f))
		}
		return done, err
	}
	return done, nil
}

// printTurn prints what an undo or a redo did to each file, and the number of its run.
func (c *command) printTurn(done *report.Turn) {
	out := c.printer(c.stdout).W
	if done.Run == "" {
		fmt.Fprintln(out, "the merge changes nothing; nothing was written")
		return
	}
	for _, f := range done.Files {
		what := report.Became(f.Action)
		if reflect.DeepEqual(f.Before, f.After) { // it has the same hash, or didn't exist
			what = "unchanged"
		}
		fmt.Fprintf(out, "%s  %s\n", report.Clean(f.Path), what)
	}
	fmt.Fprintf(out, "run %s is the %s of run %s\n", done.Run, done.Kind, done.Of)
}

// wireFile returns the wire form of a file of a run in the log.
func wireFile(f *workspace.RunFile) report.File {
	return report.FileOf(f.Path, f.From, f.Action, f.Before, f.After)
}

// log lists the runs, newest first.
func (c *command) log(context.Context) error {
	runs, err := c.runs()
	if c.json {
		return errors.Join(err, logJSON(c.stdout, runs, err))
	}
	if err != nil {
		return err
	}
	if len(runs) == 0 && !c.quiet {
		fmt.Fprintln(c.stderr, "srpatch: no runs for this tree")
	}
	var b strings.Builder
	for i := range runs {
		c.logRun(&b, &runs[i])
	}
	_, err = io.WriteString(c.stdout, b.String())
	return err
}

// runs reads the log of the tree.
func (c *command) runs() (runs []workspace.Run, err error) {
	t, err := c.openTree(nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	return t.Log()
}

// logJSON writes the log as JSON. err is the reason why the log is incomplete, or nil.
func logJSON(w io.Writer, runs []workspace.Run, err error) error {
	log := report.Log{Error: wireError(err)}
	for i := range runs {
		r := &runs[i]
		run := report.LoggedRun{
			Run: r.ID, Kind: string(r.Kind), Of: r.Of, Time: r.Time, InForce: r.InForce(), Interrupted: r.Interrupted,
			Files: []report.LoggedFile{}, Error: wireError(r.Err),
		}
		if len(r.Replies) > 0 {
			run.Reply = r.Replies[0]
		}
		for _, f := range r.Files {
			run.Files = append(run.Files, report.LoggedFile{File: wireFile(&f), Undone: f.Undone})
		}
		log.Runs = append(log.Runs, run)
	}
	return report.JSON(w, log)
}

// logRun writes one line about a run: its number, time, kind, state and first files, or why its
// record can't be read.
func (c *command) logRun(b *strings.Builder, r *workspace.Run) {
	if r.Err != nil {
		fmt.Fprintf(b, "%s  %s\n", r.ID, report.Clean(strings.ReplaceAll(diagnosis.Words(r.Err), "\n", "; ")))
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

// recover completes or rolls back interrupted runs, and reports them on stderr.
func (c *command) recover(ctx context.Context) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	mode := workspace.RecoverAuto
	switch {
	case c.keep:
		mode = workspace.RecoverKeep
	case c.restore:
		mode = workspace.RecoverRestore
	}
	t, err := c.openTree(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	done, err := t.Recover(ctx, mode)
	c.sayRecovered(done)
	if err == nil && len(done) == 0 && !c.quiet {
		fmt.Fprintln(c.stdout, "nothing to recover")
	}
	return err
}
