//go:build !linux

package gitcommit

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// runBound runs a command. It goes on if srpatch dies.
func runBound(cmd *exec.Cmd, s *scratch) error { return s.run(cmd) }

func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	return err == nil && !errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
