package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// interrupted leaves a run over five files killed right after the operation whose name has this
// prefix.
func interrupted(t *testing.T, op string) (dir string, opt Options, before map[string]string) {
	t.Helper()
	return interruptedAt(t, op, true)
}

// interruptedBefore is interrupted right before the operation.
func interruptedBefore(t *testing.T, op string) (dir string, opt Options, before map[string]string) {
	t.Helper()
	return interruptedAt(t, op, false)
}

func interruptedAt(t *testing.T, op string, after bool) (dir string, opt Options, before map[string]string) {
	t.Helper()
	dir, plan, before, _ := fiveFiles(t)
	opt = Options{StateDir: filepath.Join(memoryDir(t), "state"), Replies: []string{"one"}}
	rehearsal, plan2, _, _ := fiveFiles(t)
	p := &plug{}
	elsewhere := opt
	elsewhere.StateDir = filepath.Join(memoryDir(t), "state")
	w := broken(t, rehearsal, elsewhere, p)
	if _, err := w.Commit(context.Background(), plan2); err != nil {
		t.Fatal(err)
	}
	w.Close()
	for i, o := range p.ops {
		if strings.HasPrefix(o, op) {
			w := broken(t, dir, opt, &plug{at: i + 1, after: after})
			if _, err := w.Commit(context.Background(), plan); err == nil {
				t.Fatal("the run survived")
			}
			w.Close()
			return dir, opt, before
		}
	}
	t.Fatalf("no operation %q in %q", op, p.ops)
	return "", opt, nil
}

// A run that had replaced its last file is not rolled back, however late it is found: what it wrote
// may be committed to git by then, and is in no log.
func TestRunKilledAfterItsLastRenameIsCompleted(t *testing.T) {
	ctx := context.Background()
	for _, op := range []string{"unlink .srpatch-", "rename runs/1.writing runs/1"} {
		dir, opt, before := interruptedBefore(t, op)
		_, _, _, after := fiveFiles(t)
		compareTrees(t, withoutTemps(readTree(t, dir)), after)
		w := openTest(t, dir, opt)
		done, err := w.Begin(ctx)
		if err != nil || len(done) != 1 || len(done[0].Completed) != 5 || len(done[0].Restored) > 0 {
			t.Errorf("killed before %s: Begin: %+v, %v", op, done, err)
		}
		compareTrees(t, readTree(t, dir), after)
		checkState(t, w)
		if runs, err := w.Log(); err != nil || len(runs) != 1 || !runs[0].InForce() {
			t.Errorf("killed before %s: Log: %+v, %v", op, runs, err)
		}
		if w.Applied("a") == nil {
			t.Errorf("killed before %s: the reply does not count as applied", op)
		}
		if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
			t.Errorf("killed before %s: Undo: %v", op, err)
		}
		compareTrees(t, readTree(t, dir), before)
	}
}

// So is an undo, with the directories that it was to empty.
func TestUndoKilledAfterItsLastFileIsCompleted(t *testing.T) {
	ctx := context.Background()
	p := &plug{}
	for { // the first time to count, the second time killed
		dir, plan, before, _ := fiveFiles(t)
		opt := testOptions(t)
		w := openTest(t, dir, opt)
		if _, err := w.Commit(ctx, plan); err != nil {
			t.Fatal(err)
		}
		w.Close()
		w = broken(t, dir, opt, p)
		_, err := w.Undo(ctx, "", UndoOptions{})
		w.Close()
		if err == nil {
			p = &plug{at: 1 + slices.Index(p.ops, "unlink deep/er")}
			continue
		}
		w = openTest(t, dir, opt)
		if done, err := w.Begin(ctx); err != nil || len(done) != 1 || len(done[0].Completed) != 5 {
			t.Errorf("Begin: %+v, %v", done, err)
		}
		compareTrees(t, readTree(t, dir), before)
		return
	}
}

// Somebody's decision to keep what was edited since keeps the rest of such a run as well.
func TestKeepOfARunThatReplacedItsLastFile(t *testing.T) {
	ctx := context.Background()
	dir, opt, _ := interruptedBefore(t, "rename runs/1.writing runs/1")
	writeFiles(t, dir, map[string]string{"a": "edited\n"})
	want := readTree(t, dir)
	w := openTest(t, dir, opt)
	if _, err := w.Begin(ctx); reasonOf(err) != RecoveryNeeded {
		t.Errorf("Begin: %v, want %s", err, RecoveryNeeded)
	}
	done, err := w.Recover(ctx, RecoverKeep)
	if err != nil || len(done) != 1 || len(done[0].Completed) != 4 || len(done[0].Edited) != 1 {
		t.Errorf("Recover: %+v, %v", done, err)
	}
	compareTrees(t, readTree(t, dir), want)
	if runs, err := w.Log(); err != nil || len(runs) != 1 || !runs[0].InForce() {
		t.Errorf("Log: %+v, %v", runs, err)
	}
}

func TestRecoverAfterEdits(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		mode  RecoverMode
		want  string // of file "a", edited since
		saved string
	}{"keep": {RecoverKeep, "edited\n", "a old\n"}, "restore": {RecoverRestore, "a old\n", "edited\n"}} {
		t.Run(name, func(t *testing.T) {
			dir, opt, before := interrupted(t, "unlink d")
			writeFiles(t, dir, map[string]string{"a": "edited\n"})
			w := openTest(t, dir, opt)

			pending, err := w.Pending()
			if err != nil || !slices.Equal(pending, []string{"1"}) {
				t.Fatalf("Pending: %+v, %v", pending, err)
			}
			if got := readTree(t, dir); got["sub/b"] != "b new\n" {
				t.Error("Pending has changed the tree")
			}

			// A writing run touches nothing, and refuses.
			tree := readTree(t, dir)
			for range 2 {
				_, err = w.Commit(ctx, planOf(change("other", []byte("other\n"), []byte("x\n"))))
				if reasonOf(err) != RecoveryNeeded || !strings.Contains(err.Error(), "a: was edited") {
					t.Fatalf("Commit: %v, want %s", err, RecoveryNeeded)
				}
			}
			compareTrees(t, readTree(t, dir), tree)
			_, saved, _ := strings.Cut(err.Error(), "is in ")
			saved, _, _ = strings.Cut(saved, ";")
			if b, err := os.ReadFile(saved); err != nil || string(b) != "a old\n" {
				t.Errorf("the pre-image is said to be in %q: %q, %v", saved, b, err)
			}

			done, err := w.Recover(ctx, c.mode)
			if err != nil || len(done) != 1 || len(done[0].Edited) != 1 || len(done[0].Restored) != 4 {
				t.Fatalf("Recover: %+v, %v", done, err)
			}
			before["a"] = c.want
			compareTrees(t, readTree(t, dir), before)
			if b, err := os.ReadFile(done[0].Edited[0].Saved); err != nil || string(b) != c.saved {
				t.Errorf("the copy is said to be in %q: %q, %v, want %q", done[0].Edited[0].Saved, b, err, c.saved)
			}
			runs, err := w.Log()
			if err != nil || len(runs) != 1 || !runs[0].Interrupted {
				t.Fatalf("Log: %+v, %v", runs, err)
			}
			if _, err := w.Undo(ctx, "", UndoOptions{}); reasonOf(err) != NoSuchRun {
				t.Errorf("Undo of an interrupted run: %v", err)
			}
			run, err := w.Commit(ctx, planOf(change("other", []byte("other\n"), []byte("x\n"))))
			if err != nil || run != "2" {
				t.Errorf("the next run: %q, %v", run, err)
			}
		})
	}
}

// A run that had not come to replacing files leaves edits of its targets alone.
func TestRecoverBeforeWriting(t *testing.T) {
	dir, opt, before := interrupted(t, "fchmod .srpatch-")
	writeFiles(t, dir, map[string]string{"a": "edited\n", "deep/er/mine": "mine\n"})
	w := openTest(t, dir, opt)
	done, err := w.Begin(context.Background())
	if err != nil || len(done) != 1 {
		t.Fatalf("Begin: %+v, %v", done, err)
	}
	before["a"], before["deep/"], before["deep/er/"], before["deep/er/mine"] = "edited\n", "", "", "mine\n"
	compareTrees(t, readTree(t, dir), before)
}

// Nor does one that had, but not to this file.
func TestRecoverNextToEdits(t *testing.T) {
	dir, opt, before := interrupted(t, "exchange .srpatch-") // the first file is replaced, the second is next
	writeFiles(t, dir, map[string]string{"sub/b": "edited\n", "deep/er/c": "mine\n"})
	w := openTest(t, dir, opt)
	if _, err := w.Begin(context.Background()); err != nil {
		t.Fatal(err)
	}
	before["sub/b"], before["deep/"], before["deep/er/"], before["deep/er/c"] = "edited\n", "", "", "mine\n"
	compareTrees(t, readTree(t, dir), before)
	checkState(t, w)
}

// What is where a run's directory was is not the run's.
func TestRecoverAmongReplacedDirectories(t *testing.T) {
	dir, opt, before := interrupted(t, "rename d ")
	for _, name := range []string{"deep", "sub"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	writeFiles(t, dir, map[string]string{"deep": "a file now\n"})
	w := openTest(t, dir, opt)
	if _, err := w.Begin(context.Background()); reasonOf(err) != RecoveryNeeded {
		t.Fatalf("%v, want %s", err, RecoveryNeeded)
	}
	if _, err := w.Recover(context.Background(), RecoverRestore); reasonOf(err) != apply.NotRegular {
		t.Errorf("%v, want %s", err, apply.NotRegular)
	}
	if _, err := w.Recover(context.Background(), RecoverKeep); err != nil {
		t.Fatal(err)
	}
	before["deep"] = "a file now\n"
	delete(before, "sub/")
	delete(before, "sub/b")
	compareTrees(t, readTree(t, dir), before)
	checkState(t, w)
}

// A removed directory comes back with its file.
func TestRecoverRestoresIntoRemovedDirectory(t *testing.T) {
	dir, opt, before := interrupted(t, "rename d ")
	if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	w := openTest(t, dir, opt)
	if _, err := w.Recover(context.Background(), RecoverRestore); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, readTree(t, dir), before)
}

// withoutTemps is a tree without temporary files.
func withoutTemps(tree map[string]string) map[string]string {
	maps.DeleteFunc(tree, func(name, _ string) bool { return strings.Contains(name, tempPrefix) })
	return tree
}

// editJournal edits the file of the only run there is.
func editJournal(t *testing.T, opt Options, edit func(string) string) {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(opt.StateDir, "trees", "*", "runs", "1*"))
	if len(found) != 1 {
		t.Fatalf("journals: %q", found)
	}
	b, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(found[0], []byte(edit(string(b))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// resealed is an edit of a record that gets its sum again, as by somebody who knows how.
func resealed(edit func(string) string) func(string) string {
	return func(text string) string {
		text, rest, _ := strings.Cut(edit(text), `,"sum":`)
		_, images, _ := strings.Cut(rest, "\n")
		return string(seal([]byte(text+"}"))) + "\n" + images
	}
}

func TestJournalIsNotGuessedAt(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		sealed   bool
		want     apply.Reason
	}{
		"newer":     {`"version":3`, `"version":4`, false, JournalVersion},
		"damaged":   {`{`, `[`, false, JournalDamaged},
		"other":     {`srpatch-journal`, `x`, true, JournalDamaged},
		"mode":      {`"mode":420`, `"mode":511`, false, JournalDamaged},
		"sum":       {`,"sum":"`, `,"sum":"0`, false, JournalDamaged},
		"pre-image": {"a old", "a odd", false, JournalDamaged},
		"outside":   {`"real":"a"`, `"real":"../a"`, true, JournalDamaged},
		"temporary": {`"temp":".srpatch-`, `"temp":"other`, true, JournalDamaged},
		"git":       {`"real":"a"`, `"real":".git/a"`, true, JournalDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			dir, opt, _ := interrupted(t, "unlink d")
			tree := readTree(t, dir)
			edit := func(s string) string {
				if !strings.Contains(s, c.from) {
					t.Fatalf("no %q in %s", c.from, s)
				}
				return strings.Replace(s, c.from, c.to, 1)
			}
			if c.sealed {
				edit = resealed(edit)
			}
			editJournal(t, opt, edit)
			w := openTest(t, dir, opt)
			done, err := w.Recover(context.Background(), RecoverAuto)
			if reasonOf(err) != c.want || len(done) > 0 {
				t.Errorf("%+v, %v, want %s", done, err, c.want)
			}
			if c.want == JournalDamaged &&
				(!strings.Contains(err.Error(), opt.StateDir) || !strings.Contains(err.Error(), "then remove it")) {
				t.Errorf("%v, without where and what to do", err)
			}
			compareTrees(t, readTree(t, dir), tree)
		})
	}
}

// One record that cannot be read, in whatever state its run was, stops no other run.
func TestUnreadableOpenRecordStopsNoOtherRun(t *testing.T) {
	ctx := context.Background()
	for want, edit := range map[apply.Reason]func(string) string{
		JournalDamaged: func(s string) string { return strings.Replace(s, "{", "[", 1) },
		JournalVersion: func(s string) string { return strings.Replace(s, `"version":3`, `"version":4`, 1) },
	} {
		dir, opt, _ := interrupted(t, "unlink d")
		editJournal(t, opt, edit)
		w := openTest(t, dir, opt)
		found, err := w.Begin(ctx)
		if err != nil || len(found) != 1 || reasonOf(found[0].Err) != want {
			t.Errorf("Begin: %+v, %v", found, err)
		}
		if run, err := w.Commit(ctx,
			planOf(change("other", []byte("other\n"), []byte("x\n")))); err != nil || run != "2" {
			t.Errorf("Commit: %q, %v", run, err)
		}
		if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
			t.Errorf("Undo: %v", err)
		}
		if _, err := w.Redo(ctx, "", UndoOptions{}); err != nil {
			t.Errorf("Redo: %v", err)
		}
		if runs, err := w.Log(); err != nil || len(runs) != 3 {
			t.Errorf("Log: %+v, %v", runs, err)
		}
		if b, err := os.ReadFile(filepath.Join(w.state.dir, runFile(1, runWriting))); err != nil ||
			!strings.Contains(string(b), "a old\n") {
			t.Errorf("the pre-images: %q, %v", b, err)
		}
	}
}

func TestStateDirectory(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a": "old\n"})
	plan := planOf(change("a", []byte("old\n"), []byte("new\n")))
	ctx := context.Background()

	w := openTest(t, dir, Options{StateDir: filepath.Join(dir, "state")})
	if _, err := w.Commit(ctx, plan); reasonOf(err) != NoState || !strings.Contains(err.Error(), "Options.StateDir") {
		t.Errorf("state inside the tree: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	writeFiles(t, filepath.Dir(file), map[string]string{"file": ""})
	w = openTest(t, dir, Options{StateDir: filepath.Join(file, "state")})
	if _, err := w.Commit(ctx, plan); reasonOf(err) != NoState {
		t.Errorf("no place for the state: %v", err)
	}
	w = openTest(t, dir, Options{StateDir: filepath.Join(file, "state"), NoJournal: true})
	if run, err := w.Commit(ctx, plan); err != nil || run != "" {
		t.Errorf("without journal: %q, %v", run, err)
	}

	base := t.TempDir()
	t.Setenv("XDG_STATE_HOME", base)
	w = openTest(t, dir, Options{})
	if run, err := w.Commit(ctx, planOf(change("a", []byte("new\n"), []byte("newer\n")))); err != nil || run != "1" {
		t.Errorf("with XDG_STATE_HOME: %q, %v", run, err)
	}
	err := filepath.Walk(filepath.Join(base, "srpatch"), func(p string, info os.FileInfo, err error) error {
		if err == nil && modesKept && info.Mode()&0o077 != 0 {
			t.Errorf("%s has mode %v", p, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestCancelledRunLeavesNothing(t *testing.T) {
	dir, plan, before, _ := fiveFiles(t)
	w := openTest(t, dir, testOptions(t))
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := w.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := w.Commit(ctx, plan); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	compareTrees(t, readTree(t, dir), before)
	checkState(t, w)
}

// FuzzJournal recovers, lists and undoes what any journal says.
func FuzzJournal(f *testing.F) {
	const file = `{"path":"f","real":"f","action":"modify","temp":".srpatch-x-0","before":{"sha256":"%s","offset":0,"size":7,"mode":420,"uid":-1,"gid":-1},"after":null}`
	const text = `{"format":"srpatch-journal","version":3,"run":"1","kind":"apply","time":"2026-01-31T10:15:02Z","root":"/","pid":1,"dirs":["sub"],"files":[`
	f.Add([]byte(text+fmt.Sprintf(file, hash([]byte("before\n")))+"]}\n"), false)
	f.Add([]byte(text+strings.Replace(fmt.Sprintf(file, hash(nil)), `"size":7`, `"size":-1`, 1)+"]}"), false)
	f.Add([]byte(text+strings.ReplaceAll(fmt.Sprintf(file, hash(nil)), `"f"`, `"..%2Foutside%2Ff"`)+"]}"), true)
	f.Add([]byte(strings.Replace(text, "sub", "../outside", 1)+"]}"), true)
	f.Add([]byte(text+"]}"), true)
	f.Add([]byte(strings.Replace(text, `"version":3`, `"version":2`, 1)+fmt.Sprintf(file,
		hash([]byte("before\n")))+"]}"), true)
	f.Fuzz(func(t *testing.T, journal []byte, sealed bool) {
		if sealed {
			journal = seal(journal)
		}
		base, root := fenced(t)
		ctx := context.Background()
		for _, state := range []runState{runBegun, runWriting, runDone} {
			opt := Options{StateDir: filepath.Join(base, "state"+string(state))}
			w := broken(t, root, opt, &plug{})
			s, err := w.openState(true)
			if err != nil {
				t.Fatal(err)
			}
			writeFiles(t, s.dir, map[string]string{runFile(1, state): string(journal) + "\nbefore\n"})
			_, recoverErr := w.Recover(ctx, RecoverAuto)
			_, logErr := w.Log()
			_, undoErr := w.Undo(ctx, "", UndoOptions{Force: true})
			for _, err := range []error{recoverErr, logErr, undoErr} {
				if err != nil && reasonOf(err) == "" {
					t.Errorf("%v has no reason", err)
				}
			}
			w.Close()
		}
		checkFence(t, base)
	})
}
