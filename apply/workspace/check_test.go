package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestCheck: the check sees what the run wrote, nobody else writes meanwhile, and its word decides.
func TestCheck(t *testing.T) {
	opt := Options{StateDir: filepath.Join(memoryDir(t), "state"), LockWait: -1}
	objection := errors.New("a test fails")
	dir, plan, before, after := fiveFiles(t)
	run := func(check func(string) error) (string, error) {
		t.Helper()
		opt := opt
		opt.Check = func(_ context.Context, run string) error { return check(run) }
		w := openTest(t, dir, opt)
		defer w.Close()
		return w.Commit(context.Background(), plan)
	}
	id, err := run(func(id string) error {
		compareTrees(t, readTree(t, dir), after)
		other := openTest(t, dir, opt)
		defer other.Close()
		if _, err := other.Undo(context.Background(), "", UndoOptions{}); id != "1" || reasonOf(err) != Locked {
			t.Errorf("run %q, and another one during the check: %v, want %s", id, err, Locked)
		}
		return objection
	})
	if id != "" || reasonOf(err) != CheckFailed || !errors.Is(err, objection) {
		t.Errorf("run %q, %v, want %s", id, err, CheckFailed)
	}
	compareTrees(t, readTree(t, dir), before)
	if runs, err := openTest(t, dir, opt).Log(); len(runs) > 0 || err != nil {
		t.Errorf("the log has %v (%v)", runs, err)
	}

	// It may have put back a file itself.
	_, err = run(func(string) error {
		writeFiles(t, dir, map[string]string{"a": "a old\n"})
		return errors.Join(objection, os.Remove(filepath.Join(dir, "deep/er/c")))
	})
	if reasonOf(err) != CheckFailed {
		t.Errorf("%v, want %s", err, CheckFailed)
	}
	compareTrees(t, readTree(t, dir), before)

	// A file that has changed keeps the run, which undo knows.
	id, err = run(func(string) error {
		writeFiles(t, dir, map[string]string{"a": "a new\nmore\n"})
		return objection
	})
	if id == "" || reasonOf(err) != CheckKept {
		t.Errorf("run %q, %v, want %s", id, err, CheckKept)
	}
	after["a"] = "a new\nmore\n"
	compareTrees(t, readTree(t, dir), after)
	w := openTest(t, dir, opt)
	if _, err := w.Undo(context.Background(), id, UndoOptions{Force: true}); err != nil {
		t.Error(err)
	}
	compareTrees(t, readTree(t, dir), before)
}

// TestKilledInCheck: a crash during the check is one before the commit point. What the check has
// changed by then is for the user to decide on.
func TestKilledInCheck(t *testing.T) {
	for _, formats := range []bool{false, true} {
		opt := Options{StateDir: filepath.Join(memoryDir(t), "state")}
		dir, plan, before, _ := fiveFiles(t)
		p := &plug{}
		opt.Check = func(context.Context, string) error {
			if formats {
				writeFiles(t, dir, map[string]string{"a": "formatted\n"})
			}
			p.at = p.n + 1 // the next operation and all after it
			return nil
		}
		w := broken(t, dir, opt, p)
		if _, err := w.Commit(context.Background(), plan); err == nil {
			t.Fatal("the run was not killed")
		}
		w.Close()
		opt.Check = nil
		next := openTest(t, dir, opt)
		_, err := next.Begin(context.Background())
		if formats {
			if reasonOf(err) != RecoveryNeeded {
				t.Fatalf("%v, want %s", err, RecoveryNeeded)
			}
			before["a"] = "formatted\n"
			_, err = next.Recover(context.Background(), RecoverKeep)
		}
		if err != nil {
			t.Fatal(err)
		}
		compareTrees(t, readTree(t, dir), before)
		checkState(t, next)
	}
}
