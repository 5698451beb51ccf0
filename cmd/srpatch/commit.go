package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/gitcommit"
)

// noMessage is the value of --commit without a message. Nobody can type a NUL.
const noMessage = "\x00"

// commit is the commit of a run, prepared before the run writes.
type commit struct {
	repository *gitcommit.Repository
	changes    []gitcommit.Change
}

// prepareCommit makes sure that git will commit what the plan changes, and nothing else. It returns
// nil if no commit is asked for, or, with a warning in the report, if the plan changes nothing.
func (w *work) prepareCommit() (*commit, error) {
	if w.commit == "" {
		return nil, nil
	}
	verbs := map[apply.Action]string{
		apply.Move: "rename", apply.Delete: "delete", apply.Create: "add", apply.Modify: "change",
	}
	prepared := &commit{}
	for i := range w.plan.Files {
		f := &w.plan.Files[i]
		change := gitcommit.Change{Verb: verbs[f.Action]}
		if f.Action == apply.Modify && bytes.Equal(f.Before, f.After) {
			continue
		}
		var err error
		if change.Name, err = w.tree.Target(f.Path); err == nil && f.Action == apply.Move {
			change.From, err = w.tree.Target(f.From)
		}
		if err != nil {
			return nil, err
		}
		prepared.changes = append(prepared.changes, change)
	}
	if len(prepared.changes) == 0 { // an earlier run may have been killed before its commit
		w.report.Warnings = append(w.report.Warnings, "nothing is committed, because the run changes no file")
		return nil, nil
	}
	var err error
	if prepared.repository, err = gitcommit.Open(w.ctx, w.tree.Dir()); err != nil {
		return nil, err
	}
	return prepared, prepared.repository.Check(w.ctx, prepared.changes)
}

// commitRun commits what the run has written, and adds the result to the report. prepared is nil if
// there is nothing to commit. commitRun takes the lock of the tree again, which keeps out other
// runs, because git refuses one of two concurrent commits.
func (w *work) commitRun(prepared *commit) {
	if prepared == nil {
		return
	}
	message := w.commit
	if message == noMessage {
		message = commitMessage(prepared.repository, prepared.changes)
	}
	done := &report.Commit{}
	w.report.Commit = done
	_, err := w.tree.Begin(w.ctx) // takes the lock
	var got *gitcommit.Commit
	if err == nil {
		got, err = prepared.repository.Commit(w.ctx, prepared.changes, message)
	}
	fail := func(says string) {
		done.Error = &report.Error{Code: string(gitcommit.NotCommitted), Message: says}
	}
	switch e, ok := errors.AsType[*gitcommit.Error](err); {
	case ok:
		done.Output = e.Said
		fail(e.What)
	case errors.Is(err, context.Canceled):
		fail("interrupted before git was asked to commit")
	case err != nil:
		fail(diagnosis.Words(err))
	case got == nil:
		done.Unchanged = true
	default:
		*done = report.Commit{
			ID: got.ID, Short: got.Short, Branch: got.Branch, Subject: got.Subject, Added: got.Added, Output: got.Said,
		}
	}
}

// commitMessage returns a message such as "Change a.go, add c.go". If that is too long for a
// subject, the message has a general subject, and one line per file.
func commitMessage(r *gitcommit.Repository, changes []gitcommit.Change) string {
	var lines []string
	for _, c := range changes {
		name := report.Clean(r.Prefix + c.Name)
		if c.From != "" {
			name = report.Clean(r.Prefix+c.From) + " to " + name
		}
		lines = append(lines, c.Verb+" "+name)
	}
	subject := strings.Join(lines, ", ")
	if utf8.RuneCountInString(subject) <= 72 {
		return strings.ToUpper(subject[:1]) + subject[1:]
	}
	return "Apply a reply\n\n" + strings.Join(lines, "\n")
}
