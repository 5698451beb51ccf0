package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// TestAttributesAreKept: what belongs to a file and is not its content outlives a run, its undo and
// a rollback.
func TestAttributesAreKept(t *testing.T) {
	if !modesKept {
		t.Skip("the system keeps no modes and owners")
	}
	ctx := context.Background()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"f": "old\n"})
	name := filepath.Join(dir, "f")
	if err := os.Chmod(name, 0o640|fs.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	xattrs := true
	if err := mark(name); err != nil {
		t.Logf("no extended attributes here: %v", err)
		xattrs = false
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 { // only the superuser can give files away
		uid, gid = 4711, 4712
		if err := errors.Join(os.Chown(name, uid, gid), os.Chmod(name, 0o640|fs.ModeSetgid)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(when, content string) {
		t.Helper()
		if b, err := os.ReadFile(name); string(b) != content {
			t.Errorf("%s: content %q (%v), want %q", when, b, err, content)
		}
		info, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if u, g := owner(info); info.Mode() != 0o640|fs.ModeSetgid || u != uid || g != gid {
			t.Errorf("%s: mode %v, owner %d:%d", when, info.Mode(), u, g)
		}
		if xattrs && !marked(name) {
			t.Errorf("%s: the extended attribute is gone", when)
		}
	}
	opt := testOptions(t)
	w := openTest(t, dir, opt)
	if _, err := w.Commit(ctx, planOf(change("f", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	check("run", "new\n")
	if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
		t.Fatal(err)
	}
	check("undo", "old\n")
	w.Close()

	w = openTest(t, dir, opt)
	if _, err := w.Redo(ctx, "", UndoOptions{}); err != nil {
		t.Fatal(err)
	}
	w.Close()
	p := &plug{fault: syscall.EIO}
	p.each = func(op string) {
		if strings.HasPrefix(op, "rename runs/") && strings.Contains(op, ".writing ") {
			p.at = p.n
		}
	}
	w = broken(t, dir, opt, p)
	defer w.Close()
	if _, err := w.Undo(ctx, "", UndoOptions{}); reasonOf(err) != IO {
		t.Fatalf("%v, want %s", err, IO)
	}
	check("rollback", "new\n")
}

// The extended attributes of a file that is deleted or moved come back with it: by undo, by redo of
// an undo that removed it, and when the run is rolled back or recovered.
func TestDeletedFileComesBackWithItsExtendedAttributes(t *testing.T) {
	ctx := context.Background()
	moved := apply.FileChange{Path: "g", From: "f", Action: apply.Move, Before: []byte("old\n"), After: []byte("old\n")}
	other := change("z", []byte("z old\n"), []byte("z new\n"))
	for name, c := range map[string]struct {
		change apply.FileChange
		fault  error // what breaks the run at the commit point; nil kills it when f is gone and z is not replaced
	}{
		"undo":        {change: change("f", []byte("old\n"), nil)},
		"undo move":   {change: moved},
		"rolled back": {change("f", []byte("old\n"), nil), syscall.EIO},
		"recovered":   {change("f", []byte("old\n"), nil), nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "f")
			set := func() {
				writeFiles(t, dir, map[string]string{"f": "old\n", "z": "z old\n"})
				if err := mark(file); err != nil {
					t.Skipf("no extended attributes here: %v", err)
				}
			}
			set()
			opt := testOptions(t)
			p := &plug{}
			w := broken(t, dir, opt, p)
			if _, err := w.Commit(ctx, planOf(c.change, other)); err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(name, "undo") {
				if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
					t.Fatal(err)
				}
			} else {
				set()
				at := slices.IndexFunc(p.ops, func(op string) bool {
					if c.fault == nil {
						return strings.HasSuffix(op, " z") && strings.HasPrefix(op, "exchange ")
					}
					return strings.HasPrefix(op, "rename runs/") && strings.Contains(op, ".writing ")
				})
				w.Close()
				w = broken(t, dir, testOptions(t), &plug{at: at + 1, fault: c.fault})
				if _, err := w.Commit(ctx, planOf(c.change, other)); err == nil {
					t.Fatal("the run was not broken")
				}
				state := w.opt
				w.Close()
				w = openTest(t, dir, state)
				if _, err := w.Recover(ctx, RecoverAuto); err != nil {
					t.Fatal(err)
				}
			}
			w.Close()
			compareTrees(t, readTree(t, dir), map[string]string{"f": "old\n", "z": "z old\n"})
			if !marked(file) {
				t.Error("the extended attribute is gone")
			}
		})
	}
}

// A read-only file is written when forced, and stays read-only.
func TestForce(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"ro": "old\n"})
	if err := os.Chmod(filepath.Join(dir, "ro"), 0o444); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(t)
	opt.Force = true
	w := openTest(t, dir, opt)
	if _, err := w.Commit(context.Background(), planOf(change("ro", []byte("old\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "ro"))
	if err != nil || info.Mode() != 0o444 || readTree(t, dir)["ro"] != "new\n" {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}
