package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/srpatch/srpatch/internal/effort"
)

// onTerminal runs the command with a terminal of 15 rows for its streams, except for a stdin that is given, and returns what the terminal shows.
func onTerminal(t *testing.T, dir string, columns uint16, env []string, stdin *os.File, args ...string) (shown string, code int) {
	t.Helper()
	env = append([]string{"TERM=xterm", "LESS=", "NO_COLOR=", "FORCE_COLOR="}, env...)
	s := startOn(t, pty.Winsize{Rows: 15, Cols: columns}, env, stdin, dir, args...)
	code = s.end()
	return strings.ReplaceAll(s.shown.String(), "\r\n", "\n"), code
}

// TestPager: what is longer than the screen and writes nothing goes through $PAGER; nothing else does.
func TestPager(t *testing.T) {
	pager := `PAGER=sed "s/^/paged: /"`
	dir := manyBlocks(t, 10)
	rows := strings.Repeat("a row\n", 12)
	tall := "f00009.py\n<<<<<<< SEARCH\n" + rows + "=======\nsize = 2\n" + rows + ">>>>>>> REPLACE\n"
	for name, text := range map[string]string{".tall.md": tall, "f00009.py": "width = 9\nsize = 1\n" + rows} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args  []string
		env   string
		paged bool
	}{
		{[]string{"diff", ".reply.md"}, pager, true},
		{[]string{"-n", ".reply.md"}, pager, true},
		{[]string{"parse", "-v", ".reply.md"}, pager, true},
		{[]string{"why", "10", ".reply.md"}, pager, false}, // fits
		{[]string{"why", "1", ".tall.md"}, pager, true},
		{[]string{"parse", ".reply.md"}, pager, false}, // fits
		{[]string{"diff", "--no-pager", ".reply.md"}, pager, false},
		{[]string{"diff", ".reply.md"}, "PAGER=cat", false},
		{[]string{"diff", ".reply.md"}, "PAGER=", false},
		{[]string{"diff", ".reply.md"}, "PAGER=no-such-pager-is-there", false},
		{[]string{"check", "--json", ".reply.md"}, pager, false},
	} {
		shown, code := onTerminal(t, dir, 80, []string{c.env}, nil, c.args...)
		if code != 0 || strings.Contains(shown, "paged: ") != c.paged || !strings.Contains(shown, "f00009.py") {
			t.Errorf("%q with %s: status %d, paged %v\n%s", c.args, c.env, code, !c.paged, shown)
		}
		if c.args[0] == "diff" && !strings.Contains(shown, "\x1b[32;7m2") {
			t.Errorf("%q: the changed word is not marked:\n%s", c.args, shown)
		}
	}
	// A pager that is left early is no trouble.
	if shown, code := onTerminal(t, dir, 80, []string{"PAGER=head -n 1"}, nil, "diff", ".reply.md"); code != 0 || strings.Count(shown, "\n") != 1 {
		t.Errorf("status %d\n%s", code, shown)
	}
	// A reply that still comes in is shown as it comes.
	reply, err := os.Open(filepath.Join(dir, ".reply.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Close()
	if shown, code := onTerminal(t, dir, 80, []string{pager}, reply, "parse", "-v"); code != 0 || strings.Contains(shown, "paged") {
		t.Errorf("status %d\n%s", code, shown)
	}
	if shown, code := onTerminal(t, dir, 60, []string{pager}, nil, "-v", ".reply.md"); code != 0 || strings.Contains(shown, "paged") {
		t.Errorf("a run that writes: status %d\n%s", code, shown)
	}
}

// TestProgressOnTerminal: a run that takes long says how far it is, and leaves nothing of that on the terminal. A short one says nothing.
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
	} else if strings.Contains(shown[at:], "%") || !strings.Contains(shown[:at], "srpatch: writing: ") || !strings.Contains(shown[at:], "3000 blocks:") {
		t.Errorf("%q", shown)
	}
}
