package verify

import (
	"context"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

// shell returns a command that runs a line in the shell. Its stdin is empty.
func shell(ctx context.Context, line string) *exec.Cmd {
	name := "cmd.exe"
	if dir, err := windows.GetSystemDirectory(); err == nil {
		name = filepath.Join(dir, name)
	}
	cmd := exec.CommandContext(ctx, name)
	// Pass the line unchanged: cmd.exe has other quotes than programs.
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + line + `"`}
	// Otherwise cmd.exe prefers a program in the tree to one in the path.
	cmd.Env = append(cmd.Environ(), "NoDefaultCurrentDirectoryInExePath=1")
	return cmd
}
