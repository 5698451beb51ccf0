//go:build unix

package verify

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		line   string
		status Status
		exit   int
		output string
	}{
		"passes":               {"echo well", Passed, 0, "well\n"},
		"fails":                {"echo out; echo err >&2; echo out; exit 3", Failed, 3, "out\nerr\nout\n"},
		"no such command":      {"no-such-command-here 2>/dev/null", Failed, 127, ""},
		"a signal":             {"kill -KILL $$", Failed, -1, ""},
		"no stdin":             {"cat", Passed, 0, ""},
		"its directory":        {"pwd", Passed, 0, dir + "\n"},
		"its environment":      {"echo $SRPATCH_RUN", Passed, 0, "7\n"},
		"not valid UTF-8":      {`printf 'a\377b'`, Passed, 0, "a\uFFFDb"},
		"goes on after output": {"exec 1>&- 2>&-; exit 4", Failed, 4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := Run(t.Context(), c.line, dir, "SRPATCH_RUN=7")
			text, left := r.Output.Text()
			if r.Status != c.status || r.Exit != c.exit || text != c.output || left != 0 ||
				(r.Err == nil) != (c.status == Passed) {
				t.Errorf("%s, exit status %d (%v), %q; want %s, %d, %q", r.Status, r.Exit, r.Err,
					text, c.status, c.exit, c.output)
			}
		})
	}
}

// What cannot be started is no failure of the tree.
func TestNotStarted(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	if r := Run(t.Context(), "true", absent); r.Status != NotStarted || r.Err == nil {
		t.Errorf("%s (%v)", r.Status, r.Err)
	}
}

// Nothing that a command has started goes on, however it ends, and no goroutine waits for it.
func TestNothingIsLeft(t *testing.T) {
	for name, c := range map[string]struct {
		line      string
		interrupt bool
		status    Status
	}{
		"an interrupt":                  {"sleep 100 & echo $! >pid; echo >ready; sleep 100", true, Interrupted},
		"something in the background":   {"sleep 100 >/dev/null 2>&1 & echo $! >pid", false, Passed},
		"it holds the output open":      {"sleep 100 & echo $! >pid", false, Passed},
		"it does not heed what is said": {"(trap '' TERM; sleep 100 & echo $! >pid; echo >ready; wait; sleep 100)", true, Interrupted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.interrupt {
				go func() {
					for ctx.Err() == nil {
						if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
							cancel()
						}
						runtime.Gosched()
					}
				}()
			}
			if r := Run(ctx, c.line, dir); r.Status != c.status {
				t.Errorf("%s (%v), want %s", r.Status, r.Err, c.status)
			}
			text, err := os.ReadFile(filepath.Join(dir, "pid"))
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			for limit := time.Now().Add(10 * time.Second); isAlive(pid); runtime.Gosched() { // it dies when the system comes to it
				if time.Now().After(limit) {
					t.Fatalf("process %d goes on", pid)
				}
			}
		})
	}
}

// isAlive reports whether a process goes on; one that has ended may wait for whoever takes note of
// it.
func isAlive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := bytes.Cut(stat, []byte(") "))
	return err != nil || !bytes.HasPrefix(after, []byte("Z")) && !bytes.HasPrefix(after, []byte("X"))
}
