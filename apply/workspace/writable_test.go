package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// guardedDisk is a disk some of whose directories belong to somebody else, which a test that runs
// as root could not have.
type guardedDisk struct {
	disk
	guarded []string
}

func (d guardedDisk) Writable(dir string) error {
	if slices.Contains(d.guarded, dir) {
		return &fs.PathError{Op: "access", Path: dir, Err: fs.ErrPermission}
	}
	return d.disk.Writable(dir)
}

// TestDirectoryNotWritable: a file is replaced by its name, so its directory has to be writable,
// and CanWrite says so before anything is written.
func TestDirectoryNotWritable(t *testing.T) {
	dir := memoryDir(t)
	writeFiles(t, dir, map[string]string{"ours/a": "a\n", "theirs/b": "b\n"})
	opt := testOptions(t)
	w, err := open(dir, opt, func(d disk) disk { return guardedDisk{d, []string{"theirs"}} })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	before := readTree(t, dir)
	for _, c := range []struct {
		change apply.FileChange
		want   apply.Reason
	}{
		{change("ours/a", []byte("a\n"), []byte("x\n")), ""},
		{change("ours/new/deep", nil, []byte("x\n")), ""},
		{change("theirs/b", []byte("b\n"), []byte("x\n")), apply.NotWritable},
		{change("theirs/b", []byte("b\n"), nil), apply.NotWritable},
		{change("theirs/new/deep", nil, []byte("x\n")), apply.NotWritable},
	} {
		if err := w.CanWrite(&c.change); reasonOf(err) != c.want {
			t.Errorf("CanWrite(%s %s): %v, want %q", c.change.Action, c.change.Path, err, c.want)
		}
		if c.want == "" {
			continue
		}
		if _, err := w.Commit(context.Background(), planOf(c.change)); reasonOf(err) != c.want {
			t.Errorf("Commit(%s %s): %v, want %q", c.change.Action, c.change.Path, err, c.want)
		}
	}
	compareTrees(t, readTree(t, dir), before)
}

// TestTextThatCannotBeEncoded: CanWrite knows what the file's encoding cannot hold.
func TestTextThatCannotBeEncoded(t *testing.T) {
	dir := memoryDir(t)
	writeFiles(t, dir, map[string]string{"wide": "\xff\xfea\x00\n\x00", "narrow": "a\n"})
	w := openTest(t, dir, testOptions(t))
	for name, want := range map[string]apply.Reason{"wide": apply.NotWritable, "narrow": ""} {
		text, err := w.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c := change(name, text, []byte("\xe9\n"))
		if err := w.CanWrite(&c); reasonOf(err) != want {
			t.Errorf("CanWrite(%s): %v, want %q", name, err, want)
		}
		if _, err := w.Commit(context.Background(), planOf(c)); reasonOf(err) != want {
			t.Errorf("Commit(%s): %v, want %q", name, err, want)
		}
	}
}

// TestSameFileInPlan: CheckPlan knows that two changes are of one file, by links or by the old name
// of a move, as Commit does.
func TestSameFileInPlan(t *testing.T) {
	dir := memoryDir(t)
	writeFiles(t, dir, map[string]string{"a": "a\n", "b": "b\n"})
	symlink(t, "a", filepath.Join(dir, "soft"))
	if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	opt := testOptions(t)
	w := openTest(t, dir, opt)
	before := readTree(t, dir)
	old, now := []byte("a\n"), []byte("x\n")
	for name, c := range map[string]struct {
		plan *apply.Plan
		want apply.Reason
	}{
		"symbolic link": {planOf(change("a", old, now), change("soft", old, now)), apply.Overlap},
		"moved and deleted": {planOf(apply.FileChange{Path: "c", From: "hard", Action: apply.Move,
			Before: old, After: now}, change("a", old, nil)), ""},
		"two different files": {planOf(change("a", old, now), change("b", []byte("b\n"), now)), ""},
	} {
		if err := w.CheckPlan(c.plan); reasonOf(err) != c.want {
			t.Errorf("%s: CheckPlan: %v, want %q", name, err, c.want)
		}
		if c.want == "" {
			continue
		}
		if _, err := w.Commit(context.Background(), c.plan); reasonOf(err) != c.want {
			t.Errorf("%s: Commit: %v, want %q", name, err, c.want)
		}
	}
	compareTrees(t, readTree(t, dir), before)
}
