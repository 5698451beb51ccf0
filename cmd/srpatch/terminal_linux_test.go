package main

import (
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// onTerminal runs the command with a terminal of 15 rows for its streams, except for a stdin that
// is given, and returns what the terminal shows.
func onTerminal(t *testing.T, dir string, columns uint16, env []string, stdin *os.File,
	args ...string) (shown string, code int) {
	t.Helper()
	env = append([]string{"TERM=xterm", "NO_COLOR="}, env...)
	s := startOn(t, pty.Winsize{Rows: 15, Cols: columns}, env, stdin, dir, args...)
	code = s.end()
	return strings.ReplaceAll(s.shown.String(), "\r\n", "\n"), code
}
