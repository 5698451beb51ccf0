package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/srpatch/srpatch/internal/effort"
)

// eachRepeatedRestore edits the files of a run that was interrupted at an operation, lets `recover
// --restore` fail at each of its operations in turn, repeats it, and calls check with the tree as
// it was before the run.
func eachRepeatedRestore(t *testing.T, interruptedAt string, edits map[string]string,
	check func(dir string, opt Options, before map[string]string)) {
	for at := 1; ; at += effort.Of(11, 3, 1) {
		dir, opt, before := interrupted(t, interruptedAt)
		writeFiles(t, dir, edits)
		p := &plug{at: at, fault: syscall.EIO}
		w := broken(t, dir, opt, p)
		_, _ = w.Recover(context.Background(), RecoverRestore)
		w.Close()
		if p.n < at {
			return
		}
		w = openTest(t, dir, opt)
		if _, err := w.Recover(context.Background(), RecoverRestore); err != nil {
			t.Fatalf("operation %d: %v", at, err)
		}
		w.Close()
		if check(dir, opt, before); t.Failed() {
			t.Fatalf("operation %d: %s", at, p.ops[at-1])
		}
	}
}

// No edit of the user's is lost when `recover --restore` fails anywhere and is repeated, not even
// when the edited files were edited again: what a file held before its pre-image came back is among
// the run's files.
func TestEditsSurviveARepeatedRecovery(t *testing.T) {
	edits := map[string]string{"a": "edit of a\n", "sub/b": "edit of b\n", "deep/er/c": "edit of c\n"}
	eachRepeatedRestore(t, "unlink d", edits, func(dir string, opt Options, before map[string]string) {
		compareTrees(t, readTree(t, dir), before)
		var kept []string
		found, _ := filepath.Glob(filepath.Join(opt.StateDir, "trees", "*", "runs", "1.edited-*"))
		for _, name := range found {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, string(b))
		}
		for name, text := range edits {
			if !slices.Contains(kept, text) {
				t.Errorf("the edit of %s is nowhere; kept are %q", name, kept)
			}
		}
	})
}

// A file that the run never came to keeps the user's edit, however often recovery is repeated.
func TestUntouchedFileKeepsItsEditInARepeatedRecovery(t *testing.T) {
	edits := map[string]string{"a": "edit of a\n", "sub/b": "edit of b\n"}
	eachRepeatedRestore(t, "exchange .srpatch-", edits,
		func(dir string, _ Options, before map[string]string) { // a is replaced, sub/b is next
			before["sub/b"] = "edit of b\n"
			compareTrees(t, readTree(t, dir), before)
		})
}

// An undo that is killed anywhere, and recovered, has put everything back or nothing: no directory
// that the run made stays there without its file.
func TestKilledUndoLeavesNoEmptyDirectory(t *testing.T) {
	ctx := context.Background()
	for at := 1; ; at += effort.Of(7, 1, 1) {
		dir, opt := memoryDir(t), Options{StateDir: filepath.Join(memoryDir(t), "state")}
		w := openTest(t, dir, opt)
		if _, err := w.Commit(ctx, planOf(change("new/dir/f", nil, []byte("made\n")))); err != nil {
			t.Fatal(err)
		}
		w.Close()
		after := readTree(t, dir)
		p := &plug{at: at}
		w = broken(t, dir, opt, p)
		_, _ = w.Undo(ctx, "", UndoOptions{})
		w.Close()
		if p.n < at {
			return
		}
		w = openTest(t, dir, opt)
		if _, err := w.Recover(ctx, RecoverAuto); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if tree := readTree(t, dir); len(tree) > 0 {
			compareTrees(t, tree, after)
		}
		if t.Failed() {
			t.Fatalf("operation %d: %s", at, p.ops[at-1])
		}
	}
}
