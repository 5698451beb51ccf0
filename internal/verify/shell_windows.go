package verify

import (
	"context"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// shell returns the command that runs a line. Its stdin is empty.
func shell(ctx context.Context, line string) *exec.Cmd {
	name := "cmd.exe"
	if dir, err := windows.GetSystemDirectory(); err == nil {
		name = filepath.Join(dir, name)
	}
	cmd := exec.CommandContext(ctx, name)
	// As it is: cmd.exe knows other quotes than programs do.
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + line + `"`}
	// It would take a program of the tree for one of the path.
	cmd.Env = append(cmd.Environ(), "NoDefaultCurrentDirectoryInExePath=1")
	return cmd
}
