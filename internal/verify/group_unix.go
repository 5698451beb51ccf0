//go:build unix

package verify

import (
	"os/exec"
	"syscall"
)

// runGroup runs a command in a process group of its own. When ctx is done, the group is asked to
// end. When the command has ended, what is left of the group is killed. The group is also a
// session, so a program that asks the terminal for a password fails instead of being stopped
// forever.
func runGroup(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // usually nothing is left
	}
	return err
}
