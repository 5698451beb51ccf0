// Package gitcommit makes git commit what a run wrote, and nothing else. It imports
// internal/excerpt and internal/git.
//
// [Repository.Check] asks git, before the run writes, whether it would take the files, and only
// these. [Repository.Commit] runs git commit --only with all hooks. Afterwards the index lacks what
// a hook has staged, so git reset brings the committed files up to date there.
package gitcommit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/internal/excerpt"
	"github.com/srpatch/srpatch/internal/git"
)

// Code is the stable code of a reason why there is no commit.
type Code string

// All but NotCommitted are returned before anything is written.
const (
	// NoRepository: the tree is not in a git work tree.
	NoRepository Code = "no-repository"
	// Dirty: the commit would include uncommitted changes to a file that the run changes.
	Dirty Code = "dirty"
	// GitRefused: git is missing or would refuse the commit, for example during a merge.
	GitRefused Code = "git-refused"
	// NotCommitted: the files were written, but git didn't commit them, for example because a hook
	// refused.
	NotCommitted Code = "not-committed"
)

// Error is the reason why there is no commit.
type Error struct {
	Code         Code
	What, Remedy string
	// Said is the output of git and its hooks.
	Said string
}

func (e *Error) Error() string {
	said := e.Said[max(0, strings.Index(e.Said, "fatal: ")):] // advice comes before it
	said, _, _ = strings.Cut(said, "\nhint: ")
	what := strings.TrimSuffix(e.What+": "+strings.Join(strings.Fields(said), " "), ": ")
	return strings.TrimSuffix(what+"; "+e.Remedy, "; ")
}

// Change is what a run does to a file. Verb is change, add, delete or rename. Name is relative to
// the directory that was opened, without links, and so is From, the old name of a renamed file.
type Change struct{ Verb, Name, From string }

// Commit describes a commit that was made.
type Commit struct {
	ID, Short, Subject string
	Branch             string   // "" if HEAD is detached
	Added              []string // files that a hook has added, from the top of the work tree
	Said               string   // by git and its hooks
}

// Repository is the repository whose work tree contains a directory. Prefix is the path of the
// directory in it, with a slash at the end, or "".
type Repository struct{ dir, Prefix string }

// Open finds the repository of a directory.
func Open(ctx context.Context, dir string) (*Repository, error) {
	r := &Repository{dir: dir}
	out, err := r.ask(ctx, nil, "rev-parse", "--show-toplevel", "--show-prefix")
	if e, ok := errors.AsType[*Error](err); ok && e.Remedy == "" {
		e.Code, e.What = NoRepository, "the tree is not in the work tree of a git repository"
		e.Remedy, e.Said = "run git init, name a repository with -d, or leave out --commit", ""
	}
	_, r.Prefix, _ = strings.Cut(out, "\n")
	return r, err
}

// ask runs git, with names of files on stdin if there are any, and returns its output. Git's
// messages are in English.
func (r *Repository) ask(ctx context.Context, names []string, args ...string) (string, error) {
	cmd := r.git(ctx, names, args...)
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch said := stderr.String(); {
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		err = &Error{GitRefused, "git is not installed", "install it, or leave out --commit", ""}
	case err != nil:
		err = &Error{GitRefused, "git would not commit the run", git.Trust(said), said}
	}
	return strings.TrimSuffix(stdout.String(), "\n"), err
}

// git returns a command that runs git, with names of files on stdin if there are any. The names are
// relative to the top of the work tree.
func (r *Repository) git(ctx context.Context, names []string, args ...string) *exec.Cmd {
	if len(names) > 0 {
		args = append(args, "--pathspec-from-file=-", "--pathspec-file-nul")
	}
	var specs strings.Builder
	for _, name := range names {
		specs.WriteString(":(top,literal)" + name + "\x00")
	}
	cmd := git.Command(ctx, r.dir, args...)
	cmd.Stdin = strings.NewReader(specs.String())
	return cmd
}

// split returns the NUL-terminated names in out, except those in without.
func split(out string, without []string) []string {
	return slices.DeleteFunc(strings.Split(out, "\x00"), func(name string) bool {
		return name == "" || slices.Contains(without, name)
	})
}

// names returns the files of changes, relative to the top of the work tree.
func (r *Repository) names(changes []Change) (names []string) {
	for _, c := range changes {
		if names = append(names, r.Prefix+c.Name); c.From != "" {
			names = append(names, r.Prefix+c.From)
		}
	}
	return names
}

// differing returns the files of changes that differ from HEAD, relative to the top of the work
// tree, each with its two status letters from git status.
func (r *Repository) differing(ctx context.Context, changes []Change) (map[string]string, error) {
	names, differ := r.names(changes), map[string]string{}
	out, err := r.ask(ctx, nil, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
	for _, line := range split(out, nil) {
		if name := line[3:]; slices.Contains(names, name) {
			differ[name] = line[:2]
		}
	}
	return differ, err
}

// Check returns an error for changes that git would not commit, or not alone. Call it before they
// are written.
func (r *Repository) Check(ctx context.Context, changes []Change) error {
	differ, err := r.differing(ctx, changes)
	if err != nil {
		return err
	}
	if len(differ) > 0 {
		names := strings.Join(slices.Sorted(maps.Keys(differ)), ", ")
		return &Error{Dirty, "uncommitted changes would be part of the commit: " + names,
			"commit them first, or put them away with git stash", ""}
	}
	names := r.names(changes)
	_, errAdd := r.ask(ctx, names, "add", "--dry-run", "--ignore-missing")
	_, errIdentity := r.ask(ctx, nil, "var", "GIT_COMMITTER_IDENT")
	_, err = r.ask(ctx, names, "commit", "--dry-run", "--only")
	if e, ok := errors.AsType[*Error](err); ok && !strings.Contains(e.Said, "fatal: ") {
		err = nil // there is nothing to commit yet
	}
	return errors.Join(errAdd, errIdentity, err)
}

// Commit commits changes that are written. It returns nil if git sees none. Git waits for its hooks
// without a limit, and is asked to end if ctx is cancelled.
func (r *Repository) Commit(ctx context.Context, changes []Change, message string) (*Commit, error) {
	differ, err := r.differing(ctx, changes)
	if err != nil || len(differ) == 0 {
		return nil, err
	}
	staged, _ := r.ask(ctx, nil, "diff", "--cached", "--name-only", "-z", "--no-renames")
	names := slices.Sorted(maps.Keys(differ))
	isTracked := func(name string) bool { return differ[name] != "??" }
	untracked := slices.DeleteFunc(slices.Clone(names), isTracked)
	if len(untracked) > 0 {
		if _, err := r.ask(ctx, untracked, "add", "--intent-to-add"); err != nil {
			return nil, err
		}
	}
	before, _ := r.ask(context.WithoutCancel(ctx), nil, "rev-parse", "--quiet", "--verify", "HEAD")
	said, err := r.commit(ctx, names, message)
	ctx = context.WithoutCancel(ctx) // a commit that was made is reported even after an interrupt
	about, _ := r.ask(ctx, nil, "log", "-1", "--no-show-signature", "--encoding=UTF-8", "--format=%H%n%h%n%s")
	made := strings.SplitN(about+"\n\n", "\n", 3)
	c := &Commit{ID: made[0], Short: made[1], Subject: strings.TrimSpace(made[2]), Said: said}
	if err != nil && c.ID == before { // else it was interrupted after the commit
		_, _ = r.ask(ctx, r.names(changes), "reset", "-q")
		return nil, &Error{NotCommitted, "git made no commit", "", said}
	}
	committed, _ := r.ask(ctx, nil, "diff-tree", "--root", "-r", "-z", "--no-commit-id", "--name-only", "HEAD")
	if stale := split(committed, split(staged, nil)); len(stale) > 0 {
		_, _ = r.ask(ctx, stale, "reset", "-q")
	}
	c.Added = split(committed, r.names(changes))
	branch, _ := r.ask(ctx, nil, "symbolic-ref", "--quiet", "HEAD")
	c.Branch = strings.TrimPrefix(branch, "refs/heads/")
	return c, nil
}

// commit runs git commit, and returns its output. That goes to a file, because a pipe would break
// if srpatch is killed, and the hooks would fail.
func (r *Repository) commit(ctx context.Context, names []string, message string) (string, error) {
	log, err := os.CreateTemp("", "srpatch-")
	if err != nil {
		return err.Error(), err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	cmd := r.git(ctx, names, "-c", "i18n.commitEncoding=UTF-8",
		"commit", "--quiet", "--only", "--cleanup=whitespace", "--message="+message)
	cmd.Env = append(cmd.Env, "GIT_EDITOR=:")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // removes locks
	err = cmd.Run()
	var out excerpt.Writer
	_, _ = log.Seek(0, io.SeekStart)
	_, _ = io.Copy(&out, log)
	said, _ := out.Text()
	return said, err
}
