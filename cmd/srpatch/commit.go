package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/gitcommit"
	"github.com/srpatch/srpatch/internal/render"
)

// commitFlag is the value of --commit[=MSG].
type commitFlag struct {
	On bool `json:"on"`
	// Message is "" where the run is to say itself what it did.
	Message string `json:"message,omitempty"`
}

// String implements [pflag.Value].
func (f *commitFlag) String() string { return f.Message }

// Type implements [pflag.Value].
func (f *commitFlag) Type() string { return "message" }

// noMessage is the value of --commit alone. None that is typed has a NUL.
const noMessage = "\x00"

// Set implements [pflag.Value].
func (f *commitFlag) Set(message string) error {
	if message == noMessage {
		*f = commitFlag{On: true}
		return nil
	}
	if strings.TrimSpace(message) == "" {
		return errors.New("expected a message")
	}
	*f = commitFlag{On: true, Message: message}
	return nil
}

// validTrailer wants a key before the first = or colon, as git does.
func validTrailer(t string) error {
	if i := strings.IndexAny(t, "=:"); i < 0 || strings.TrimSpace(t[:i]) == "" || strings.ContainsAny(t, "\r\n") {
		return fmt.Errorf("%q, expected KEY=VALUE in a line, as Assisted-by=NAME", t)
	}
	return nil
}

// commit is that of a run, from before the run writes.
type commit struct {
	repository *gitcommit.Repository
	files      []gitcommit.File
	changes    []gitcommit.Change
	message    string
}

// prepareCommit makes sure that git will take what the plan changes, and nothing else with it. It is nil where no commit is asked for, or the
// plan changes nothing.
func (c *command) prepareCommit(ctx context.Context, t *tree, plan *apply.Plan) (*commit, error) {
	if !c.commit.On {
		return nil, nil
	}
	made := &commit{message: strings.TrimRight(c.commit.Message, "\n") + "\n"}
	for i := range plan.Files {
		if err := made.take(t, &plan.Files[i]); err != nil {
			return nil, err
		}
	}
	if len(made.files) == 0 {
		return nil, nil
	}
	var err error
	if made.repository, err = gitcommit.Open(ctx, t.Dir()); err != nil {
		return nil, err
	}
	if err := made.repository.Check(ctx, made.files); err != nil {
		return nil, err
	}
	if c.commit.Message == "" {
		made.message = made.repository.Message(made.changes)
	}
	made.message, err = made.repository.WithTrailers(ctx, made.message, c.trailers)
	return made, err
}

// take adds what a plan makes of a file.
func (m *commit) take(t *tree, f *apply.FileChange) (err error) {
	target := func(name, sum string) string {
		at, failure := t.Target(name)
		err = errors.Join(err, failure)
		m.files = append(m.files, gitcommit.File{Name: at, Sum: sum})
		return at
	}
	var done gitcommit.Change
	switch f.Action {
	case apply.Move:
		done = gitcommit.Change{Verb: "Rename", From: target(f.From, ""), Name: target(f.Path, t.Sum(f.From, f.After))}
	case apply.Delete:
		done = gitcommit.Change{Verb: "Delete", Name: target(f.Path, "")}
	case apply.Create:
		done = gitcommit.Change{Verb: "Add", Name: target(f.Path, t.Sum(f.Path, f.After))}
	default:
		if bytes.Equal(f.Before, f.After) {
			return nil
		}
		done = gitcommit.Change{Verb: "Change", Name: target(f.Path, t.Sum(f.Path, f.After))}
	}
	m.changes = append(m.changes, done)
	return err
}

// commitRun commits what a run has written, and notes the commit with the run. No other run is at work on the tree meanwhile: of two that commit at
// once git refuses one.
func (c *command) commitRun(ctx context.Context, t *tree, made *commit, done *outcome) {
	if made == nil {
		return
	}
	done.commit = &render.Commit{}
	fail := func(what, said string) {
		done.commit.Output = said
		done.commit.Error = &render.Error{Code: string(gitcommit.NotCommitted), Message: what}
	}
	_, err := t.Begin(ctx)
	var got *gitcommit.Commit
	if err == nil {
		got, err = made.repository.Commit(ctx, made.files, made.message)
	}
	switch e, ok := errors.AsType[*gitcommit.Error](err); {
	case ok:
		fail(e.What, e.Said)
		return
	case ctx.Err() != nil:
		fail("interrupted before git was asked to commit", "")
		return
	case err != nil:
		fail(err.Error(), "")
		return
	case got == nil:
		done.commit.Unchanged = true
		return
	}
	*done.commit = render.Commit{ID: got.ID, Short: got.Short, Branch: got.Branch, Subject: got.Subject, Differs: got.Differs, Output: got.Said}
	if got.Stale != nil {
		done.warnings = append(done.warnings, got.Stale.Error())
	}
	if done.run != "" {
		if err := t.NoteCommit(done.run, got.ID); err != nil {
			done.warnings = append(done.warnings, err.Error())
		}
	}
}
