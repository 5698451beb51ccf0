package gitcommit

import (
	"errors"
	"strings"
)

// Code is the stable code of why there is no commit.
type Code string

// What [Repository.Check] refuses, before anything is written.
const (
	// NoGit: git is not installed.
	// Remedy: Install git, or leave out --commit.
	NoGit Code = "no-git"
	// NoRepository: the tree is not in the work tree of a git repository.
	// Remedy: Run `git init`, or leave out --commit.
	NoRepository Code = "no-repository"
	// OtherRepository: a file belongs to another repository below the tree, as a submodule.
	// Remedy: Run srpatch in that repository, or leave out --commit.
	OtherRepository Code = "other-repository"
	// Unfinished: a merge, a rebase, a cherry-pick or a revert is under way, and a commit would become a part of it.
	// Remedy: Finish or abort it with git, and run again.
	Unfinished Code = "unfinished"
	// Unmerged: git's index has conflicts that are not resolved.
	// Remedy: Resolve the conflicts, `git add` the files, and run again.
	Unmerged Code = "unmerged"
	// NoIdentity: git has no name and address to commit with.
	// Remedy: Set user.name and user.email with `git config`.
	NoIdentity Code = "no-identity"
	// Dirty: a file that the run would change is not as it is in HEAD, so that the commit would hold other changes as well.
	// Remedy: Commit or stash the file, or leave out --commit.
	Dirty Code = "dirty"
	// Ignored: git is told to ignore a file that the run would change.
	// Remedy: Change .gitignore, deny the file with --deny, or leave out --commit.
	Ignored Code = "ignored"
	// GitRefused: git does not take a file, as one outside of a sparse checkout, has its index locked, or does not answer.
	// Remedy: Fix what git says, and run again, or leave out --commit.
	GitRefused Code = "git-refused"
)

// What comes of [Repository.Commit].
const (
	// NotCommitted: the files are written and git made no commit of them: a hook refused, or the signature failed.
	// Remedy: Fix what git says, then commit the files yourself.
	NotCommitted Code = "not-committed"
)

// Error is why there is no commit.
type Error struct {
	Code Code
	// Path is the file as git names it, from the top of the work tree; "" where it is about none.
	Path string
	// What is wrong, and what can be done about it.
	What, Remedy string
	// Said is what git said, as it came.
	Said string
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(e.What)
	if said := firstLine(e.Said); said != "" {
		b.WriteString(": " + said)
	}
	if e.Remedy != "" {
		b.WriteString("; " + e.Remedy)
	}
	return b.String()
}

// firstLine is the first line in which git says something, without the word that it begins errors with.
func firstLine(said string) string {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" {
			return strings.TrimPrefix(strings.TrimPrefix(line, "fatal: "), "error: ")
		}
	}
	return ""
}

// ConcernsAll reports whether an error is about the repository as it is, so that it would meet every other run likewise.
func ConcernsAll(err error) bool {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return false
	}
	switch e.Code {
	case NoGit, NoRepository, Unfinished, Unmerged, NoIdentity:
		return true
	}
	return false
}
