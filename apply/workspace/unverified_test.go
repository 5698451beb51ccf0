package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// TestUnverified: a run is unverified from its commit point on, also if a crash came right before that, and nobody takes it from a process that lives.
func TestUnverified(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	open := func(verifies bool) *Workspace {
		w, err := Open(dir, Options{StateDir: state, Verifies: verifies})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Close() })
		return w
	}
	commit := func(w *Workspace, name string) (string, error) {
		return w.Commit(context.Background(), &apply.Plan{Status: apply.Applied, Files: []apply.FileChange{{Path: name, Action: apply.Create, After: []byte("new\n")}}})
	}
	expect := func(w *Workspace, want ...string) {
		t.Helper()
		if runs, err := w.Unverified(); err != nil || !slices.Equal(runs, want) {
			t.Fatalf("unverified: %q (%v), want %q", runs, err, want)
		}
	}
	w := open(true)
	if run, err := commit(w, "a"); run != "1" || err != nil {
		t.Fatal(run, err)
	}
	expect(open(true))
	if _, err := commit(open(false), "b"); err != nil {
		t.Errorf("a run that is being verified holds up others: %v", err)
	}
	w.letGo()
	if _, err := commit(open(false), "c"); reasonOf(err) != RecoveryNeeded {
		t.Errorf("%v, want %s", err, RecoveryNeeded)
	}
	// As a run looks that was killed right before its commit point.
	s, err := w.openState(false)
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(s.dir, openRuns, "1")
	if err := errors.Join(os.Rename(filepath.Join(s.dir, doneRuns, "1"), at), os.WriteFile(filepath.Join(at, markFile), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	w = open(true)
	if done, err := w.Begin(context.Background()); err != nil || len(done) != 1 || done[0].Completed == nil {
		t.Fatal(done, err)
	}
	expect(w, "1")
	if err := w.Settle("1"); err != nil {
		t.Fatal(err)
	}
	expect(w)
	_ = w.Close()
	expect(open(false))
	if _, err := commit(open(false), "c"); err != nil {
		t.Error(err)
	}
}
