package workspace

import (
	"context"
	"os/exec"

	"github.com/srpatch/srpatch/internal/git"
)

// git prepares a git command about the root. Nothing that the repository's configuration names is
// run.
func (t *Tree) git(args ...string) *exec.Cmd {
	cmd := git.Command(context.Background(), t.dir, append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1") // a fetch would run what the remote's configuration says
	return cmd
}
