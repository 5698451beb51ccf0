// Package git runs git, in one way for all that ask it something or have it do something.
package git

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// delay is how long the output of git is waited for once git itself has ended: what it leaves behind in the background, or a pipe that does
// not close, may hold it open.
const delay = 2 * time.Second

// Command prepares git in a directory, whose repository it finds by itself, without anything on stdin. It asks nobody for anything.
func Command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	git := exec.CommandContext(ctx, "git", args...)
	git.Dir = dir
	git.WaitDelay = delay
	git.Env = append(slices.DeleteFunc(os.Environ(), elsewhere), "GIT_TERMINAL_PROMPT=0")
	return git
}

// elsewhere says of a variable that it names a repository, or a part of one. Git sets them for its hooks; where srpatch runs inside one they
// would name another tree than the one at hand.
func elsewhere(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	switch name {
	case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_NAMESPACE", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_QUARANTINE_PATH",
		"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS": // how names are read is for the caller to say
		return true
	}
	return false
}
