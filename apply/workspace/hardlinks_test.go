//go:build unix

package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// linkedFiles is a tree with files that have other names in a backup made with cp -al, in git's own directory, and in one that is
// denied.
func linkedFiles(t *testing.T) (dir, backup string) {
	t.Helper()
	base := t.TempDir()
	dir, backup = filepath.Join(base, "tree"), filepath.Join(base, "backup")
	writeFiles(t, dir, map[string]string{"a": "old\n", ".git/config": "old\n", "private/key": "old\n"})
	if err := errors.Join(os.Mkdir(backup, 0o777), os.Link(filepath.Join(dir, "a"), filepath.Join(backup, "a")),
		os.Link(filepath.Join(dir, ".git/config"), filepath.Join(dir, "b")), os.Link(filepath.Join(dir, "private/key"), filepath.Join(dir, "c"))); err != nil {
		t.Fatal(err)
	}
	return dir, backup
}

// What is changed under one name keeps its content under the others: a backup, git's configuration, a file that is denied.
func TestHardLinkedBackupKeepsItsContent(t *testing.T) {
	ctx := context.Background()
	dir, backup := linkedFiles(t)
	before := readTree(t, dir)
	opt := testOptions(t)
	opt.Deny = []string{"private"}
	w := openTest(t, dir, opt)
	plan := planOf(change("a", []byte("old\n"), []byte("new\n")), change("b", []byte("old\n"), []byte("new\n")), change("c", []byte("old\n"), []byte("new\n")))
	if _, err := w.Commit(ctx, plan); err != nil {
		t.Fatal(err)
	}
	after := map[string]string{"a": "new\n", "b": "new\n", "c": "new\n", ".git/": "", ".git/config": "old\n", "private/": "", "private/key": "old\n"}
	compareTrees(t, readTree(t, dir), after)
	compareTrees(t, readTree(t, backup), map[string]string{"a": "old\n"})
	if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, readTree(t, dir), before)
	if _, err := w.Redo(ctx, "", UndoOptions{}); err != nil {
		t.Fatal(err)
	}
	compareTrees(t, readTree(t, backup), map[string]string{"a": "old\n"})
}

// A run that is rolled back leaves the links as they were, too.
func TestRolledBackFileKeepsItsOtherNames(t *testing.T) {
	ctx := context.Background()
	p := &plug{}
	for _, fault := range []error{nil, syscall.EIO, nil} { // the first time to count; then rolled back by the run, and by recovery
		dir, backup := linkedFiles(t)
		writeFiles(t, dir, map[string]string{"z": "old\n"})
		opt := testOptions(t)
		p = &plug{at: 1 + slices.IndexFunc(p.ops, func(op string) bool { return strings.HasPrefix(op, "exchange ") && strings.HasSuffix(op, " z") }), fault: fault}
		w := broken(t, dir, opt, p)
		_, err := w.Commit(ctx, planOf(change("a", []byte("old\n"), []byte("new\n")), change("z", []byte("old\n"), []byte("new\n"))))
		w.Close()
		if p.at == 0 {
			continue
		}
		if err == nil {
			t.Fatal("the run was not broken")
		}
		w = openTest(t, dir, opt)
		if _, err := w.Begin(ctx); err != nil {
			t.Fatal(err)
		}
		a, errA := os.Stat(filepath.Join(dir, "a"))
		b, errB := os.Stat(filepath.Join(backup, "a"))
		if err := errors.Join(errA, errB); err != nil || !os.SameFile(a, b) {
			t.Errorf("a is another file than its backup (%v)", err)
		}
	}
}

func TestTorn(t *testing.T) {
	page := func(c string) string { return strings.Repeat(c, pageSize) }
	for _, c := range []struct {
		what, raw, before, after string
		want                     bool
	}{
		{"before", "one\ntwo\n", "one\ntwo\n", "uno\ndue\n", true},
		{"the beginning", "uno\ntwo\n", "one\ntwo\n", "uno\ndue\n", true},
		{"the end", "one\ndue\n", "one\ntwo\n", "uno\ndue\n", true}, // when it was put back
		{"both ends", "uno\ntwo\ntre\n", "one\ntwo\nthree\n", "uno\ndue\ntre\n", false},
		{"letters of both", "unt\ndwo\n", "one\ntwo\n", "uno\ndue\n", false},
		{"neither", "one\nzwo\n", "one\ntwo\n", "uno\ndue\n", false},
		{"grown halfway", "uno\ndue\nt", "one\n", "uno\ndue\ntre\n", true},
		{"not cut off yet", "uno\ntwo\nthree\n", "one\ntwo\nthree\n", "uno\n", true},
		{"cut off too much", "un", "one\ntwo\n", "uno\n", false},
		{"too long", "uno\ndue\ntre\nx", "one\n", "uno\ndue\ntre\n", false},
		{"pages of both", page("a") + page("B") + page("c"), page("a") + page("b") + page("c"), page("A") + page("B") + page("C"), true},
		{"half a page", page("a") + "B" + page("b")[1:] + page("c"), page("a") + page("b") + page("c"), page("A") + page("B") + page("C"), false},
		{"a last page", page("a") + "end", page("a") + "old", page("A") + "end", true},
	} {
		if got := torn([]byte(c.raw), []byte(c.before), []byte(c.after)); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// Somebody may have made the edit that looks like a half written file: it is kept. One that cannot be one is not touched.
func TestEditOfAHalfWrittenFileIsKept(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		edit    string
		replace bool
	}{
		{"e new\n" + "e old, and longer than the new one\n"[6:], true},
		{"e old, AND longer than the new one\n", false},
	} {
		dir, opt, before := interrupted(t, "write e")
		if err := os.WriteFile(filepath.Join(dir, "e"), []byte(c.edit), 0o666); err != nil {
			t.Fatal(err)
		}
		tree := readTree(t, dir)
		w := openTest(t, dir, opt)
		done, err := w.Begin(ctx)
		if !c.replace {
			if reasonOf(err) != RecoveryNeeded {
				t.Errorf("%v, want %s", err, RecoveryNeeded)
			}
			compareTrees(t, readTree(t, dir), tree)
			continue
		}
		if err != nil || len(done) != 1 || done[0].Images == "" {
			t.Fatalf("Begin: %+v, %v", done, err)
		}
		compareTrees(t, readTree(t, dir), before)
		if b, err := os.ReadFile(filepath.Join(done[0].Images, "edited-4-e")); string(b) != c.edit {
			t.Errorf("the copy holds %q (%v), want %q", b, err, c.edit)
		}
	}
}
