package workspace

import (
	"context"
	"os/exec"

	"github.com/srpatch/srpatch/internal/git"
)

// git prepares a git command for the root that runs no program named in the repository's
// configuration.
func (t *Tree) git(args ...string) *exec.Cmd {
	cmd := git.Command(context.Background(), t.dir, append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1") // a fetch would run what the remote's configuration says
	return cmd
}
