//go:build !windows

package verify

import (
	"context"
	"os/exec"
)

// shell returns a command that runs a line in the shell. Its stdin is empty.
func shell(ctx context.Context, line string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", line)
}
