package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// TestUndoOfWhatIsUndoneByHand: a file that was put back by hand made undo refuse all others of its
// run.
func TestUndoOfWhatIsUndoneByHand(t *testing.T) {
	for name, byHand := range map[string][]string{"all": {"a", "b", "c", "d"}, "some": {"a", "d"}, "none": nil} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			before := map[string]string{"a": "a\n", "b": "b\n", "c": "c\n"}
			writeFiles(t, dir, before)
			w := openTest(t, dir, testOptions(t))
			if _, err := w.Commit(t.Context(), planOf(
				change("a", []byte("a\n"), []byte("x\n")),
				change("b", []byte("b\n"), []byte("x\n")), change("c", []byte("c\n"), nil),
				change("d", nil, []byte("x\n")),
			)); err != nil {
				t.Fatal(err)
			}
			for _, file := range byHand {
				if content, ok := before[file]; ok {
					writeFiles(t, dir, map[string]string{file: content})
				} else if err := os.Remove(filepath.Join(dir, file)); err != nil {
					t.Fatal(err)
				}
			}
			after := readTree(t, dir)
			if run, err := w.Undo(t.Context(), "", UndoOptions{}); err != nil || run != "2" {
				t.Errorf("run %q, %v", run, err)
			}
			compareTrees(t, readTree(t, dir), before)
			if _, err := w.Undo(t.Context(), "", UndoOptions{}); reasonOf(err) != NoSuchRun {
				t.Errorf("the run is undone twice: %v", err)
			}
			if runs, err := w.Log(); err != nil || runs[1].InForce() {
				t.Errorf("log: %+v, %v", runs, err)
			}
			if _, err := w.Redo(t.Context(), "", UndoOptions{}); err != nil {
				t.Error(err)
			}
			compareTrees(t, readTree(t, dir), after)
		})
	}
}

// TestEmptyMergeIsLogged: a merge that changed nothing was a run, and an undo of its own.
func TestEmptyMergeIsLogged(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "1\n2\n3\n"})
	w := openTest(t, dir, testOptions(t))
	if _, err := w.Commit(t.Context(), planOf(change("f", []byte("1\n2\n3\n"), []byte("one\n2\n3\n")))); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, map[string]string{"f": "1\n2\n3\n4\n"})
	if run, err := w.Undo(t.Context(), "", UndoOptions{Merge: true}); err != nil || run != "" {
		t.Errorf("run %q, %v", run, err)
	}
	if runs, err := w.Log(); err != nil || len(runs) != 1 {
		t.Errorf("%d runs are logged, %v", len(runs), err)
	}
}

// TestJournalsAsTree: a reply could say what the undo of another tree's run writes.
func TestJournalsAsTree(t *testing.T) {
	base := t.TempDir()
	writeFiles(t, base, map[string]string{"tree/f": "old\n", "sub/f": "old\n"})
	opt := Options{StateDir: filepath.Join(base, "st*te")}
	w := openTest(t, filepath.Join(base, "tree"), opt)
	if _, err := w.Commit(t.Context(), planOf(change("f", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	journals, err := filepath.Glob(filepath.Join(base, "st[*]te/trees/*"))
	if err != nil || len(journals) != 1 {
		t.Fatalf("%q, %v", journals, err)
	}
	symlink(t, journals[0], filepath.Join(base, "link"))
	for _, dir := range []string{journals[0], filepath.Dir(journals[0]),
		filepath.Join(journals[0], "runs"), filepath.Join(base, "link")} {
		if w, err := Open(dir, opt); reasonOf(err) != apply.Denied {
			t.Errorf("%s is a tree: %v", dir, err)
			w.Close()
		}
	}
	opt.NoJournal = true
	w = openTest(t, base, opt)
	journal := "st*te/trees/" + filepath.Base(journals[0]) + "/runs/1"
	for _, name := range []string{journal, "link/runs/1"} {
		if _, err := w.ReadFile(name); reasonOf(err) != apply.Denied {
			t.Errorf("%s is read: %v", name, err)
		}
	}
	if _, err := w.ReadFile("tree/f"); err != nil {
		t.Error(err)
	}
	t.Setenv("XDG_STATE_HOME", filepath.Join(base, "xdg"))
	if err := os.MkdirAll(filepath.Join(base, "xdg/srpatch/trees/x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if w, err := Open(filepath.Join(base, "xdg/srpatch/trees/x"), opt); reasonOf(err) != apply.Denied {
		t.Errorf("the user's own journals are a tree for another state directory: %v", err)
		w.Close()
	}
}

// poorDisk does not let the process give files away.
type poorDisk struct{ disk }

type poorFile struct{ file }

func (d poorDisk) Open(name string, flag int, perm os.FileMode) (file, error) {
	f, err := d.disk.Open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return poorFile{f}, nil
}

func (poorFile) Chown(int, int) error { return os.ErrPermission }

// TestNoSetuidForAnotherOwner: whoever edits the file of somebody else may become its owner.
func TestNoSetuidForAnotherOwner(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"theirs": "old\n"})
	name := filepath.Join(dir, "theirs")
	if err := os.Chown(name, 4711, 4712); err != nil {
		t.Skipf("only the superuser can make a file of somebody else: %v", err)
	}
	if err := os.Chmod(name, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	w, err := open(dir, testOptions(t), func(d disk) disk { return poorDisk{d} })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	old, now := []byte("old\n"), []byte("new\n")
	if _, err := w.Commit(t.Context(), planOf(change("theirs", old, now))); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(name)
	if err != nil || info.Mode() != 0o755 {
		t.Errorf("the mode is %v (%v)", info.Mode(), err)
	}
}

// TestLeftBehindIsSaid: a run that can open no more files can remove none of its own, and did not
// say that they are there.
func TestLeftBehindIsSaid(t *testing.T) {
	found := 0
	for at := 1; ; at += 3 {
		p := &plug{at: at, fault: syscall.EMFILE, sticky: true}
		dir, plan, before, _ := fiveFiles(t)
		opt := Options{StateDir: filepath.Join(memoryDir(t), "state"), NoJournal: at%2 == 0}
		w := broken(t, dir, opt, p)
		_, err := w.Commit(t.Context(), plan)
		w.Close()
		if p.n < at {
			break
		}
		for name := range readTree(t, dir) {
			if _, ok := before[name]; ok || err == nil || reasonOf(err) == RollbackFailed {
				continue
			}
			if !strings.Contains(err.Error(), "left behind: too many open files") {
				t.Errorf("at %d, %s: %s is there, and the error says: %v", at, p.ops[at-1], name, err)
			}
			found++
		}
	}
	if found == 0 {
		t.Error("nothing was left behind")
	}
}
