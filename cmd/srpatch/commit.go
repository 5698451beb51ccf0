package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/srpatch/srpatch/internal/remedy"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/gitcommit"
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

// commit is that of a run, from before the run writes.
type commit struct {
	repository *gitcommit.Repository
	files      []gitcommit.File
	changes    []gitcommit.Change
	message    string
	// earlier are the runs that are committed, too.
	earlier []string
	// note is kept until git has made the commit.
	note []byte
}

// prepareCommit makes sure that git will take what the plan changes, and nothing else with it. It is nil where no commit is asked for, or the
// plan changes nothing. An earlier run whose commit is still open is committed, too, if the plan is about one of its files.
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
	if len(made.files)+len(t.uncommitted) == 0 {
		return nil, nil
	}
	var err error
	if made.repository, err = gitcommit.Open(ctx, t.Dir()); err != nil {
		return nil, err
	}
	if err = made.takeEarlier(t, plan); err != nil || len(made.files) == 0 {
		return nil, err
	}
	if err := made.repository.Check(ctx, made.files); err != nil {
		return nil, err
	}
	if c.commit.Message == "" {
		made.message = made.repository.Message(made.changes)
	}
	made.note, err = json.Marshal(made.repository.Note(made.files, made.message))
	t.WillCommit(made.note)
	return made, err
}

// takeEarlier adds the open runs that the plan is about, if their files are as they left them.
func (m *commit) takeEarlier(t *tree, plan *apply.Plan) error {
	if len(t.uncommitted) == 0 {
		return nil
	}
	about := map[string]bool{}
	for i := range plan.Blocks {
		about[plan.Blocks[i].Path] = true
	}
	for i := range plan.Files {
		about[plan.Files[i].Path], about[plan.Files[i].From] = true, true
	}
	runs, err := t.Log()
	for i := range runs {
		run := &runs[i]
		if !slices.Contains(t.uncommitted, run.ID) || !slices.ContainsFunc(run.Files, func(f workspace.RunFile) bool { return about[f.Path] }) {
			continue
		}
		var one commit
		for _, f := range run.Files {
			if f.Undone || f.Before == f.After {
				continue
			}
			at, err := t.Target(f.Path)
			if err != nil {
				return err
			}
			one.files = append(one.files, gitcommit.File{Name: at, Sum: f.After, Earlier: true})
			verb := map[apply.Action]string{apply.Create: "Add", apply.Delete: "Delete"}[f.Action]
			one.changes = append(one.changes, gitcommit.Change{Verb: cmp.Or(verb, "Change"), Name: at})
		}
		if !m.repository.Holds(one.files) {
			continue
		}
		m.earlier = append(m.earlier, run.ID)
		for j, f := range one.files {
			if at := slices.IndexFunc(m.files, func(other gitcommit.File) bool { return other.Name == f.Name }); at >= 0 {
				m.files[at].Earlier = true
				continue
			}
			m.files, m.changes = append(m.files, f), append(m.changes, one.changes[j])
		}
	}
	return err
}

// runs are those that the commit has: that of the plan, if it wrote anything, and earlier ones.
func (m *commit) runs(run string) []string {
	if m == nil || run == "" && len(m.earlier) == 0 {
		return nil
	}
	if run != "" {
		return append([]string{run}, m.earlier...)
	}
	return m.earlier
}

// uncommitted says that the commit of a run was asked for and is missing.
func uncommitted(run string) string {
	return "run " + run + " is not committed: apply its reply again with --commit, or git commit its files; srpatch recover --keep leaves it uncommitted"
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

// unlogged stands for the run in the note of a commit where there is no journal.
const unlogged = "0"

// finishCommits brings git's index up to date with commits that git made although srpatch was killed meanwhile, and reports whether there was one.
func (c *command) finishCommits(ctx context.Context, t *tree) (finished bool) {
	err := t.OpenCommits(ctx, func(run string, text []byte) bool {
		var note gitcommit.Note
		if json.Unmarshal(text, &note) != nil {
			return true
		}
		repository, err := gitcommit.Open(ctx, t.Dir())
		var f gitcommit.Finished
		if err == nil {
			f, err = repository.Finish(ctx, note)
		}
		if err == nil && f.Open && t.inForce(run) {
			t.uncommitted = append(t.uncommitted, run)
		}
		if err == nil && f.Commit != "" {
			finished = true
			what := "git's index is up to date now"
			if len(f.Gone) > 0 {
				of := "its edits"
				if run != unlogged {
					of = "the edits of run " + run
				}
				what = "HEAD no longer has " + of + ": a later commit has taken back " + c.someOf(f.Gone)
			}
			fmt.Fprintf(c.stderr, "srpatch: srpatch was killed while git made the commit %s; %s\n", f.Commit, what)
			if run != unlogged {
				err = t.NoteCommit(run, f.Commit)
			}
		}
		if err != nil {
			c.warn([]string{"the commit of run " + run + " cannot be finished: " + remedy.Words(err)})
		}
		return err == nil && !f.Open
	})
	if err != nil {
		c.warn([]string{remedy.Words(err)})
	}
	return finished
}

// inForce reports whether a run is in the log and not undone.
func (t *tree) inForce(id string) bool {
	runs, _ := t.Log()
	return slices.ContainsFunc(runs, func(r workspace.Run) bool { return r.ID == id && r.InForce() })
}

// commitRun commits what a run has written, and notes the commit with the run. No other run is at work on the tree meanwhile: of two that commit at
// once git refuses one.
func (c *command) commitRun(ctx context.Context, t *tree, made *commit, done *report.Run) {
	if made == nil {
		return
	}
	done.Commit = &report.Commit{}
	fail := func(what, said string) {
		done.Commit.Output = said
		done.Commit.Error = &report.Error{Code: string(gitcommit.NotCommitted), Message: what}
	}
	runs := made.runs(done.Run)
	run := unlogged
	if len(runs) > 0 {
		run = runs[0]
	}
	made.repository.Noting = func(n gitcommit.Note) error {
		text, err := json.Marshal(n)
		if err != nil {
			return err
		}
		return t.BeginCommit(run, text)
	}
	_, err := t.Begin(ctx)
	var got *gitcommit.Commit
	if err == nil {
		got, err = made.repository.Commit(ctx, made.files, made.message)
	}
	switch {
	case err != nil && run != unlogged: // the same run again with --commit makes it
		warn(done, t.BeginCommit(run, made.note))
	case got == nil || got.Stale == nil: // else the next run brings the index up to date
		warn(done, t.EndCommit(run))
	}
	switch e, ok := errors.AsType[*gitcommit.Error](err); {
	case ok:
		fail(e.What, e.Said)
		return
	case ctx.Err() != nil:
		fail("interrupted before git was asked to commit", "")
		return
	case err != nil:
		fail(remedy.Words(err), "")
		return
	case got == nil:
		done.Commit.Unchanged = true
		return
	}
	*done.Commit = report.Commit{ID: got.ID, Short: got.Short, Branch: got.Branch, Subject: got.Subject, Differs: got.Differs, Output: got.Said}
	if got.Stale != nil {
		done.Warnings = append(done.Warnings, remedy.Words(got.Stale))
	}
	for _, run := range runs {
		err := t.NoteCommit(run, got.ID)
		if run != runs[0] && got.Stale == nil {
			err = errors.Join(err, t.EndCommit(run))
		}
		warn(done, err)
		if run != done.Run {
			done.Warnings = append(done.Warnings, fmt.Sprintf("the commit also contains run %s, which was not committed", run))
		}
	}
}
