package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// A run made with a raised limit can be undone, redone and recovered with the default one: the
// journal says how large its files are.
func TestFileLargerThanTheLimitIsUndone(t *testing.T) {
	ctx := context.Background()
	small, large := "old\n", strings.Repeat("grown\n", 10)
	for name, c := range map[string]struct{ before, after string }{
		"was larger": {large, small}, "grew larger": {small, large}, "stayed larger": {large, large + "x\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{"f": c.before})
			opt := testOptions(t)
			w := openTest(t, dir, opt)
			if _, err := w.Commit(ctx, planOf(change("f", []byte(c.before), []byte(c.after)))); err != nil {
				t.Fatal(err)
			}
			w.Close()
			opt.Limits.FileSize = 10
			w = openTest(t, dir, opt)
			if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
				t.Fatal(err)
			}
			compareTrees(t, readTree(t, dir), map[string]string{"f": c.before})
			if _, err := w.Redo(ctx, "", UndoOptions{}); err != nil {
				t.Fatal(err)
			}
			compareTrees(t, readTree(t, dir), map[string]string{"f": c.after})
		})
	}
}

// What has grown since is bounded by the limit, which can be raised.
func TestUndoOfAFileGrownSincePastTheLimit(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "old\n"})
	opt := testOptions(t)
	opt.Limits.FileSize = 10
	w := openTest(t, dir, opt)
	if _, err := w.Commit(ctx, planOf(change("f", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	w.Close()
	writeFiles(t, dir, map[string]string{"f": "new\nand much more\n"})
	for _, c := range []struct {
		limit int64
		want  apply.Reason
	}{{10, apply.TooLarge}, {100, ""}} {
		opt.Limits.FileSize = c.limit
		w := openTest(t, dir, opt)
		if _, err := w.Undo(ctx, "", UndoOptions{Force: true}); reasonOf(err) != c.want {
			t.Errorf("limit %d: %v, want %q", c.limit, err, c.want)
		}
		w.Close()
	}
	if b, err := os.ReadFile(filepath.Join(dir, "f")); err != nil || string(b) != "old\n" {
		t.Errorf("%q, %v", b, err)
	}
}
