package eval

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestHistoryGivesRealHunks(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and real hunks come out of its histories")
	}
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git",
			append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("func number%c%c() int { return %d }", 'A'+i/10, 'a'+i%10, i*i))
	}
	write := func() {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "numbers.go"),
			[]byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	write()
	run("add", ".")
	run("commit", "-q", "-m", "first")
	lines[20] = "func twenty() int { return 400 }"
	lines = append(lines[:40], lines[41:]...)
	write()
	run("commit", "-q", "-a", "-m", "second")

	tree, err := LoadHistory(t.Context(), dir, 1, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.sources) != 1 {
		t.Fatalf("%d files with hunks, want 1: the first commit has no parent", len(tree.sources))
	}
	got := tree.sources[0].hunks
	if len(got) != 2 || got[0].start != 20 || got[0].end != 21 || got[0].with[0] != lines[20] ||
		got[1].start != 40 || got[1].end != 41 || got[1].with != nil {
		t.Errorf("got hunks %+v", got)
	}
}
