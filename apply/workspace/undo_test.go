package workspace

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

func TestUndoRedo(t *testing.T) {
	ctx := context.Background()
	dir, plan, before, after := fiveFiles(t)
	if err := errors.Join(os.Chmod(filepath.Join(dir, "a"), 0o755),
		os.Chmod(filepath.Join(dir, "d"), 0o640)); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(t)
	w := openTest(t, dir, opt)
	run, err := w.Commit(ctx, plan)
	if err != nil || run != "1" {
		t.Fatalf("Commit: %q, %v", run, err)
	}
	for i := range 3 {
		if run, err = w.Undo(ctx, "", UndoOptions{}); err != nil {
			t.Fatal(err)
		}
		compareTrees(t, readTree(t, dir), before)
		for name, mode := range map[string]os.FileMode{"a": 0o755, "d": 0o640} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || modesKept && info.Mode() != mode {
				t.Errorf("%s has mode %v, want %v", name, info.Mode(), mode)
			}
		}
		if _, err := w.Undo(ctx, "", UndoOptions{}); reasonOf(err) != NoSuchRun {
			t.Errorf("undone twice: %v", err)
		}
		redo := []string{"", "1", run}[i] // by default, by the run and by its undo
		if i == 1 {
			redo = run
		}
		if _, err := w.Redo(ctx, redo, UndoOptions{}); err != nil {
			t.Fatal(err)
		}
		compareTrees(t, readTree(t, dir), after)
		if _, err := w.Redo(ctx, "", UndoOptions{}); reasonOf(err) != NoSuchRun {
			t.Errorf("redone twice: %v", err)
		}
	}
	if _, err := w.Undo(ctx, "99", UndoOptions{}); reasonOf(err) != NoSuchRun {
		t.Errorf("a run that is not: %v", err)
	}
}

func TestUndoByFile(t *testing.T) {
	ctx := context.Background()
	dir, plan, _, after := fiveFiles(t)
	w := openTest(t, dir, testOptions(t))
	if _, err := w.Commit(ctx, plan); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Undo(ctx, "1", UndoOptions{Paths: []string{"./a", "d"}}); err != nil {
		t.Fatal(err)
	}
	after["a"], after["d"] = "a old\n", "d old\n"
	compareTrees(t, readTree(t, dir), after)
	runs, _ := w.Log()
	for _, f := range runs[1].Files {
		if f.Undone != (f.Path == "a" || f.Path == "d") {
			t.Errorf("%s: undone %v", f.Path, f.Undone)
		}
	}
	if !runs[1].InForce() || runs[0].Kind != KindUndo || runs[0].Of != "1" {
		t.Errorf("log: %+v", runs)
	}
	if _, err := w.Undo(ctx, "1", UndoOptions{Paths: []string{"a"}}); reasonOf(err) != NoSuchRun {
		t.Errorf("a file undone twice: %v", err)
	}
}

func TestUndoOfChangedFiles(t *testing.T) {
	ctx := context.Background()
	const old, made = "1\n2\n3\n4\n5\n6\n7\n", "1\n2\nthree\n4\n5\n6\n7\n"
	for name, c := range map[string]struct {
		since string
		opt   UndoOptions
		want  string
		err   apply.Reason
	}{
		"refused":       {"1\n2\nthree\n4\n5\n6\nseven\n", UndoOptions{}, "", apply.Stale},
		"merged":        {"1\n2\nthree\n4\n5\n6\nseven\n", UndoOptions{Merge: true}, "1\n2\n3\n4\n5\n6\nseven\n", ""},
		"merged shift":  {"0\n1\n2\nthree\n4\n5\n6\n7\n", UndoOptions{Merge: true}, "0\n1\n2\n3\n4\n5\n6\n7\n", ""},
		"conflict":      {"1\n2\nTHREE\n4\n5\n6\n7\n", UndoOptions{Merge: true}, "", Conflict},
		"touching":      {"1\n2\nthree\nfour\n5\n6\n7\n", UndoOptions{Merge: true}, "", Conflict},
		"undone since":  {old + "8\n", UndoOptions{Merge: true}, old + "8\n", ""},
		"forced":        {"anything\n", UndoOptions{Force: true}, old, ""},
		"forced absent": {"", UndoOptions{Force: true}, old, ""},
		"absent":        {"", UndoOptions{Merge: true}, "", apply.Stale},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{"f": old})
			w := openTest(t, dir, testOptions(t))
			if _, err := w.Commit(ctx, planOf(change("f", []byte(old), []byte(made)))); err != nil {
				t.Fatal(err)
			}
			if c.since == "" {
				os.Remove(filepath.Join(dir, "f"))
			} else {
				writeFiles(t, dir, map[string]string{"f": c.since})
			}
			before := readTree(t, dir)
			_, err := w.Undo(ctx, "", c.opt)
			if reasonOf(err) != c.err {
				t.Fatalf("%v, want %q", err, c.err)
			}
			if c.err != "" {
				compareTrees(t, readTree(t, dir), before)
				return
			}
			compareTrees(t, readTree(t, dir), map[string]string{"f": c.want})
			if name == "undone since" { // nothing to undo
				return
			}
			if _, err := w.Redo(ctx, "", UndoOptions{}); err != nil {
				t.Fatal(err)
			}
			compareTrees(t, readTree(t, dir), before)
		})
	}
}

func TestUndoOfUTF16Merges(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	wide := func(s string) string { return "\xff\xfe" + strings.Join(strings.Split(s, ""), "\x00") + "\x00" }
	writeFiles(t, dir, map[string]string{"f": wide("a\nb\nc\nd\n")})
	w := openTest(t, dir, testOptions(t))
	if _, err := w.Commit(ctx, planOf(change("f", []byte("a\nb\nc\nd\n"), []byte("A\nb\nc\nd\n")))); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, map[string]string{"f": wide("A\nb\nc\nD\n")})
	if _, err := w.Undo(ctx, "", UndoOptions{Merge: true}); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, readTree(t, dir), map[string]string{"f": wide("a\nb\nc\nD\n")})
}

// A directory swapped for a link, or a journal that was tampered with, leads no undo out of the
// root.
func TestUndoStaysInside(t *testing.T) {
	ctx := context.Background()
	outside, dir := t.TempDir(), t.TempDir()
	writeFiles(t, outside, map[string]string{"f": "new\n"})
	writeFiles(t, dir, map[string]string{"sub/f": "old\n", "elsewhere/f": "new\n"})
	opt := testOptions(t)
	w := openTest(t, dir, opt)
	if _, err := w.Commit(ctx, planOf(change("sub/f", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]apply.Reason{outside: apply.OutsideRoot, "elsewhere": apply.Stale} {
		if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
			t.Fatal(err)
		}
		symlink(t, to, filepath.Join(dir, "sub"))
		if _, err := w.Undo(ctx, "", UndoOptions{Force: true}); reasonOf(err) != want {
			t.Errorf("sub -> %s: %v, want %s", to, err, want)
		}
	}
	editJournal(t, opt, resealed(func(s string) string {
		return strings.ReplaceAll(s, `"real":"sub/f"`, `"real":"../`+filepath.Base(outside)+`/f"`)
	}))
	if _, err := w.Undo(ctx, "", UndoOptions{Force: true}); reasonOf(err) != JournalDamaged {
		t.Errorf("tampered journal: %v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(outside, "f")); string(b) != "new\n" {
		t.Errorf("outside: %q", b)
	}
}

func TestApplied(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "a\nb\n", "g": "g\n"})
	opt := testOptions(t)
	opt.Replies = []string{"one"}
	w := openTest(t, dir, opt)
	if w.Applied("f") != nil {
		t.Error("before any run")
	}
	if _, err := w.Commit(ctx,
		planOf(change("f", []byte("a\nb\n"), []byte("a\n")), change("g", []byte("g\n"), nil))); err != nil {
		t.Fatal(err)
	}
	if w.Applied("f") == nil || w.Applied("g") == nil || w.Applied("h") != nil {
		t.Error("after the run")
	}
	opt.Replies = []string{"two"}
	if openTest(t, dir, opt).Applied("f") != nil {
		t.Error("for another reply")
	}
	writeFiles(t, dir, map[string]string{"f": "a\nb\n"})
	if w.Applied("f") != nil {
		t.Error("of a file changed since")
	}
	writeFiles(t, dir, map[string]string{"f": "a\n"})
	if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
		t.Fatal(err)
	}
	if w.Applied("f") != nil || w.Applied("g") != nil {
		t.Error("of an undone run")
	}
	if _, err := w.Redo(ctx, "", UndoOptions{}); err != nil || w.Applied("f") == nil {
		t.Errorf("of a redone run: %v", err)
	}
}

// A run of some blocks adds them to those which earlier runs of the reply have applied to the same
// file, and to no others. The first and the second block ask for the same.
func TestAppliedBlocksAddUp(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "0", "g": "0"})
	opt := testOptions(t)
	opt.Replies = []string{"one"}
	w := openTest(t, dir, opt)
	blocks := parser.Parse([]byte(strings.Repeat("f\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n\n", 2) +
		"f\n<<<<<<< SEARCH\nb\n=======\n>>>>>>> REPLACE\n\nf\n<<<<<<< SEARCH\nc\n=======\n>>>>>>> REPLACE\n")).Blocks
	commit := func(name, before, after string, block int, status apply.BlockStatus) {
		t.Helper()
		plan := planOf(change(name, []byte(before), []byte(after)))
		plan.Blocks = []apply.BlockReport{
			{ID: block, Path: name, Block: &blocks[block], Status: status},
			{ID: 9, Path: name, Block: &blocks[3], Status: apply.BlockFailed},
		}
		if _, err := w.Commit(ctx, plan); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(name string, want ...int) {
		t.Helper()
		var got []int
		if applied := w.Applied(name); applied != nil {
			for i := range blocks {
				if applied(&blocks[i]) {
					got = append(got, i)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has blocks %v, want %v", name, got, want)
		}
	}
	commit("f", "0", "1", 1, apply.BlockApplied)
	expect("f", 0)
	commit("g", "0", "1", 2, apply.BlockApplied)
	expect("f", 0)
	expect("g", 2)
	commit("f", "1", "2", 2, apply.BlockApplied)
	expect("f", 0, 2)
	commit("f", "2", "3", 0, apply.BlockApplied)
	expect("f", 0, 1, 2)
	if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
		t.Fatal(err)
	}
	expect("f", 0, 2)
	commit("f", "2", "4", 2, apply.BlockAlready)
	expect("f", 0, 2)
	writeFiles(t, dir, map[string]string{"f": "changed"})
	expect("f")
}

// One record that cannot be read takes no other run with it.
func TestUnreadableRecordHidesNoOtherRun(t *testing.T) {
	ctx := context.Background()
	for want, damage := range map[apply.Reason]func(record string) error{
		JournalDamaged: func(record string) error { return os.WriteFile(record, []byte("{"), 0o600) },
		IO:             func(record string) error { return errors.Join(os.Remove(record), os.Mkdir(record, 0o700)) },
	} {
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{"f": "f0\n", "g": "g0\n"})
		opt := testOptions(t)
		w := openTest(t, dir, opt)
		for _, name := range []string{"f", "g"} {
			if _, err := w.Commit(ctx, planOf(change(name, []byte(name+"0\n"), []byte(name+"1\n")))); err != nil {
				t.Fatal(err)
			}
		}
		damaged, _ := filepath.Glob(filepath.Join(opt.StateDir, "trees", "*", "runs", "2"))
		if len(damaged) != 1 || damage(damaged[0]) != nil {
			t.Fatalf("no record to damage: %v", damaged)
		}
		w = openTest(t, dir, opt)
		runs, err := w.Log()
		if err != nil || len(runs) != 2 || reasonOf(runs[0].Err) != want || runs[1].Err != nil {
			t.Fatalf("%+v, %v, want %s", runs, err, want)
		}
		// It may be what "the newest run" means.
		if _, err := w.Undo(ctx, "", UndoOptions{}); reasonOf(err) != want {
			t.Errorf("undo of the newest: %v", err)
		}
		if _, err := w.Undo(ctx, "1", UndoOptions{}); err != nil {
			t.Errorf("undo of the other: %v", err)
		}
		if got := readTree(t, dir); got["f"] != "f0\n" || got["g"] != "g1\n" {
			t.Errorf("%q", got)
		}
	}
}

func TestPrune(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "0"})
	opt := testOptions(t)
	opt.Keep.Bytes = 105_000
	opt.Replies = []string{"one"}
	w := openTest(t, dir, opt)
	text := []byte("0")
	for i := range 2*pruneEvery + 1 {
		next := bytes.Repeat([]byte{byte('a' + i%20)}, 10_000)
		if _, err := w.Commit(ctx, planOf(change("f", text, next))); err != nil {
			t.Fatal(err)
		}
		text = next
	}
	runs, err := w.Log()
	// 5 runs of 20,000 bytes were kept at the last pruning, and one was made since.
	if err != nil || len(runs) != 6 || runs[0].ID != "33" || runs[5].ID != "28" {
		t.Errorf("%d runs are kept (%v)", len(runs), err)
	}
	w.state.prune(Keep{Age: time.Hour, Bytes: 1 << 20}, time.Now().Add(2*time.Hour))
	w.forget()
	if runs, err := w.Log(); err != nil || len(runs) != 1 || runs[0].ID != "33" {
		t.Errorf("%+v are kept (%v)", runs, err)
	}
}

// The logs of trees that nobody uses any more do not stay for ever; those that are in use, or have
// something to recover, do.
func TestSweep(t *testing.T) {
	ctx := context.Background()
	opt := testOptions(t)
	opt.Keep.Age = time.Hour
	long := time.Now().Add(-2 * time.Hour)
	log := func(dir string) int {
		t.Helper()
		w := openTest(t, dir, opt)
		runs, err := w.Log()
		if err != nil {
			t.Fatal(err)
		}
		return len(runs)
	}
	var dirs []string
	for i := range 3 {
		dir := t.TempDir()
		writeFiles(t, dir, map[string]string{"f": "old\n"})
		w := openTest(t, dir, opt)
		if _, err := w.Commit(ctx, planOf(change("f", []byte("old\n"), []byte("new\n")))); err != nil {
			t.Fatal(err)
		}
		if i != 0 {
			if err := os.Chtimes(filepath.Join(w.state.dir, runsDir), long, long); err != nil {
				t.Fatal(err)
			}
		}
		if i == 2 {
			writeFiles(t, filepath.Join(w.state.dir, runsDir), map[string]string{"2.begun": "?"})
			if err := os.Chtimes(filepath.Join(w.state.dir, runsDir), long, long); err != nil {
				t.Fatal(err)
			}
		}
		dirs = append(dirs, dir)
	}
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "old\n"})
	if _, err := openTest(t, dir, opt).Commit(ctx, planOf(change("f", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0, 1} {
		if n := log(dirs[i]); n != want {
			t.Errorf("tree %d has %d runs in its log, want %d", i, n, want)
		}
	}
}
