// Package git runs git in the same way for every caller.
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

// delay is how long to wait for git's output after git itself has ended. A background process, or a
// pipe that stays open, may hold it up.
const delay = 2 * time.Second

// Command prepares git in a directory, whose repository git finds by itself. stdin is empty, and
// git never prompts.
func Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	git := exec.CommandContext(ctx, "git", args...)
	git.Dir = dir
	git.WaitDelay = delay
	git.Env = append(slices.DeleteFunc(os.Environ(), elsewhere), "GIT_TERMINAL_PROMPT=0")
	return git
}

// elsewhere reports whether a variable names a repository, or a part of one. Git sets such
// variables for its hooks, so inside a hook they would name another tree.
func elsewhere(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
		"GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_QUARANTINE_PATH",
		// The caller decides how names are read.
		"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS":
		return true
	}
	return false
}

// Top returns the nearest directory, from dir upwards, that has a .git, or "". It doesn't run git,
// and can't tell whether git accepts that as a repository.
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

// Refusal returns why git failed, and what the user can do about it.
func Refusal(err error) (why, remedy string) {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err.Error(), "install git"
	}
	said := strings.TrimSpace(string(exit.Stderr))
	why, _, _ = strings.Cut(said, "\n")
	return strings.TrimPrefix(why, "fatal: "), cmp.Or(Trust(said), "fix what git complains about")
}

// Trust returns what the user can do if git says that the repository belongs to somebody else, or
// "" if it says something else.
func Trust(said string) (remedy string) {
	for line := range strings.Lines(said) {
		if strings.Contains(line, "git config --global --add safe.directory ") {
			return "if you trust it, run " + strings.TrimSpace(line)
		}
	}
	return ""
}
