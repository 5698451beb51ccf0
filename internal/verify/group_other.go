//go:build !unix && !windows

package verify

import "os/exec"

// runGroup runs a command on systems without process groups.
func runGroup(cmd *exec.Cmd) error { return cmd.Run() }
