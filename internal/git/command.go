// Package git runs git, in one way for all that ask it something or have it do something.
package git

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// delay is how long the output of git is waited for once git itself has ended: what it leaves
// behind in the background, or a pipe that does not close, may hold it open.
const delay = 2 * time.Second

// Command prepares git in a directory, whose repository it finds by itself, without anything on
// stdin. It asks nobody for anything.
func Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	git := exec.CommandContext(ctx, "git", args...)
	git.Dir = dir
	git.WaitDelay = delay
	git.Env = append(slices.DeleteFunc(os.Environ(), elsewhere), "GIT_TERMINAL_PROMPT=0")
	return git
}

// elsewhere says of a variable that it names a repository, or a part of one. Git sets them for its
// hooks; where srpatch runs inside one they would name another tree than the one at hand.
func elsewhere(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
		"GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_QUARANTINE_PATH",
		// How names are read is for the caller to say.
		"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS":
		return true
	}
	return false
}

// Top returns the nearest directory from dir upwards that has a .git, or "" if there is none. It
// doesn't need git, and doesn't know whether git takes that for a repository.
func Top(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return ""
		}
	}
}

// Refusal says why git failed, and what the user can do about it.
func Refusal(err error) (why, remedy string) {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err.Error(), "install git"
	}
	said := strings.TrimSpace(string(exit.Stderr))
	why, _, _ = strings.Cut(said, "\n")
	return strings.TrimPrefix(why, "fatal: "), cmp.Or(Trust(said), "fix what git complains about")
}

// Trust returns what the user can do if git says that a repository belongs to somebody else; "" if
// it says something else.
func Trust(said string) (remedy string) {
	for line := range strings.Lines(said) {
		if strings.Contains(line, "git config --global --add safe.directory ") {
			return "if you trust it, run " + strings.TrimSpace(line)
		}
	}
	return ""
}
