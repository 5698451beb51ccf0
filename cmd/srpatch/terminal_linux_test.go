package main

import (
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/srpatch/srpatch/internal/effort"
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

// TestProgressOnTerminal: a run that takes long says how far it is, and leaves nothing of that on
// the terminal. A short one says nothing.
func TestProgressOnTerminal(t *testing.T) {
	if shown, _ := onTerminal(t, manyBlocks(t, 3), 80, nil, nil, ".reply.md"); strings.Contains(shown, "%") {
		t.Errorf("%q", shown)
	}
	if effort.Of(0, 0, 1) == 0 {
		t.Skip("a run that shows its progress takes seconds")
	}
	shown, code := onTerminal(t, manyBlocks(t, 3000), 80, nil, nil, ".reply.md")
	if at := strings.LastIndex(shown, "\r\x1b[K"); code != 0 {
		t.Errorf("status %d\n%s", code, shown)
	} else if at < 0 {
		t.Skip("the run was over before its progress is shown, which nothing slows down")
	} else if strings.Contains(shown[at:], "%") ||
		!strings.Contains(shown[:at], "srpatch: writing: ") || !strings.Contains(shown[at:], "3000 blocks:") {
		t.Errorf("%q", shown)
	}
}
