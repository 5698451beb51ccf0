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

// TestConcurrentProcesses: processes that run at the same time on one tree wait for each other, and
// every one's edits are there in the end, whether the replies are different ones or all the same.
func TestConcurrentProcesses(t *testing.T) {
	for _, n := range []int{2, 8} {
		for _, same := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d, same reply %v", n, same), func(t *testing.T) {
				dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
				var old, want strings.Builder
				for i := range n {
					fmt.Fprintf(&old, "slot %d is free\n", i)
					if same && i > 0 {
						fmt.Fprintf(&want, "slot %d is free\n", i)
					} else {
						fmt.Fprintf(&want, "slot %d is taken\n", i)
					}
				}
				for _, name := range []string{"one.txt", "two.txt"} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(old.String()), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				var all sync.WaitGroup
				for i := range n {
					all.Go(func() {
						if same {
							i = 0
						}
						var reply strings.Builder
						for _, name := range []string{"one.txt", "two.txt"} {
							fmt.Fprintf(&reply,
								"%s\n<<<<<<< SEARCH\nslot %d is free\n=======\nslot %d is taken\n>>>>>>> REPLACE\n", name, i, i)
						}
						if !same {
							fmt.Fprintf(&reply, "new%d.txt\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n", i)
						}
						cmd := exec.Command("srpatch", "-d", dir, "--state-dir", state)
						cmd.Stdin = strings.NewReader(reply.String())
						if out, err := cmd.CombinedOutput(); err != nil {
							t.Errorf("process %d: %v: %s", i, err, out)
						}
					})
				}
				all.Wait()
				for _, name := range []string{"one.txt", "two.txt"} {
					if got, err := os.ReadFile(filepath.Join(dir, name)); string(got) != want.String() {
						t.Errorf("%s: %q (%v), want %q", name, got, err, want.String())
					}
				}
				files, runs := 2+n, n
				if same {
					files, runs = 2, 1
				}
				if entries, err := os.ReadDir(dir); err != nil || len(entries) != files {
					t.Errorf("%v is in the tree (%v), want %d files", entries, err, files)
				}
				out, err := exec.Command("srpatch", "log", "-d", dir, "--state-dir", state).Output()
				if err != nil || strings.Count(string(out), "\n") != runs {
					t.Errorf("log: %v\n%s, want %d runs", err, out, runs)
				}
			})
		}
	}
}
