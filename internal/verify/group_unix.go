//go:build unix

package verify

import (
	"os/exec"
	"syscall"
)

// runGroup runs a command in a process group of its own. When its context is done the group is
// asked to end; when the command is over, what is left of the group is killed. It is a session of
// its own as well: what asks the terminal for a password fails, instead of being stopped for ever.
func runGroup(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	err := cmd.Run()
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // as a rule there is none
	}
	return err
}
