package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// newRepository is a directory with files in a first commit.
func newRepository(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and the test looks at the commits that it makes")
	}
	dir := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"config", "user.name", "N"},
		{"config", "user.email", "n@example.com"}, {"config", "gc.auto", "0"}, {"add", "."},
		{"commit", "-q", "-m", "one"}} {
		said(t, dir, args...)
	}
	return dir
}

// said is what git prints in a directory.
func said(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestConcurrentCommits: runs that commit on one tree at the same time wait for each other, and
// each has a commit of its own.
func TestConcurrentCommits(t *testing.T) {
	const n = 4
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("%d.txt", i)] = "free\n"
	}
	dir, state := newRepository(t, files), t.TempDir()
	// A hook that takes long, and fails where another one is at work.
	const alone = "#!/bin/sh\nmkdir .git/busy || exit 1\nfor n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do git status >/dev/null; done\nrmdir .git/busy\n"
	if err := os.WriteFile(filepath.Join(dir, ".git/hooks/pre-commit"), []byte(alone), 0o777); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			cmd := exec.Command("srpatch", "--commit", "-d", dir, "--state-dir", state)
			cmd.Stdin = strings.NewReader(fmt.Sprintf("%d.txt\n<<<<<<< SEARCH\nfree\n=======\ntaken\n>>>>>>> REPLACE\n\nnew%d.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n", i, i))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v: %s", i, err, out)
			}
		})
	}
	all.Wait()
	log := said(t, dir, "log", "--format=%s", "--name-only")
	for i := range n {
		if want := fmt.Sprintf("Change %d.txt, add new%d.txt\n\n%d.txt\nnew%d.txt\n", i, i, i,
			i); !strings.Contains(log, want) {
			t.Errorf("no commit %q in\n%s", want, log)
		}
	}
	if status := said(t, dir, "status", "--porcelain"); status != "" {
		t.Errorf("afterwards\n%s", status)
	}
}
