package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecoverReport: what an interrupted run has left is said in a few lines, however many files it
// had, and the copy that is named is there.
func TestRecoverReport(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	var reply strings.Builder
	for i := range 9 {
		fmt.Fprintf(&reply, "f%d.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.txt", i)), []byte("old\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	srpatch := func(stdin string, args ...string) (code int, report string) {
		var out bytes.Buffer
		code = run(context.Background(), append(args, "-d", dir, "--state-dir", state),
			strings.NewReader(stdin), &out, &out, func(string) string { return "" })
		return code, out.String()
	}
	if code, report := srpatch(reply.String()); code != 0 {
		t.Fatal(report)
	}
	trees, _ := filepath.Glob(filepath.Join(state, "trees", "*"))
	if len(trees) != 1 {
		t.Fatalf("trees %q, want one", trees)
	}
	// As a run looks that was killed right before its commit point.
	done := filepath.Join(trees[0], "runs", "1")
	if err := errors.Join(
		os.Rename(done, done+".writing"),
		os.WriteFile(filepath.Join(dir, "f8.txt"), []byte("edited\n"), 0o666),
	); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"check"}, 1, "srpatch: run 1 was interrupted; srpatch recover completes it or restores its files\n"},
		{nil, 2, "srpatch: f8.txt: was edited after run 1 was interrupted; its content before the run is in " + done + ".before-8-f8.txt" +
			"; to keep the edits, run srpatch recover --keep; to put the files back, run srpatch recover --restore\n"},
		{[]string{"recover", "--restore"}, 0,
			"srpatch: run 1 was interrupted; restored f0.txt, f1.txt, f2.txt, f3.txt, f4.txt, and 3 more\n" +
				"srpatch: f8.txt has been edited since run 1 was interrupted; the other version is in " +
				done + ".edited-8-f8.txt" + "\n"},
	} {
		if code, report := srpatch(reply.String(), append(c.args, "-q")...); code != c.code ||
			!strings.HasPrefix(report, c.want) || c.code != 1 && report != c.want {
			t.Errorf("%q: status %d, want %d:\n%s\nwant:\n%s", c.args, code, c.code, report, c.want)
		}
	}
	if b, err := os.ReadFile(done + ".edited-8-f8.txt"); string(b) != "edited\n" {
		t.Errorf("the copy holds %q (%v)", b, err)
	}
}

// TestDamagedRecordIsSaid: each run that writes says what it cannot recover, goes on, and recover
// fails for it.
func TestDamagedRecordIsSaid(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(filepath.Join(dir, "f.txt"), []byte("one\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	srpatch := func(stdin string, args ...string) (code int, report string) {
		var out, errs bytes.Buffer
		code = run(context.Background(), append(args, "-q", "-d", dir, "--state-dir", state),
			strings.NewReader(stdin), &out, &errs, func(string) string { return "" })
		return code, errs.String()
	}
	if code, report := srpatch("f.txt\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n"); code != 0 || report != "" {
		t.Fatalf("%d: %s", code, report)
	}
	trees, _ := filepath.Glob(filepath.Join(state, "trees", "*"))
	open := filepath.Join(trees[0], "runs", "7.writing")
	if err := os.WriteFile(open, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	const said = "srpatch: run 7 was interrupted, and is left as it is: the journal is damaged, in "
	for _, args := range [][]string{{"undo"}, {"redo"}} {
		if code, report := srpatch("", args...); code != 0 || !strings.HasPrefix(report, said+open) {
			t.Errorf("%q: %d, %s", args, code, report)
		}
	}
	if code, report := srpatch("", "recover"); code != 2 ||
		!strings.Contains(report, "the journal is damaged, in "+open) {
		t.Errorf("recover: %d, %s", code, report)
	}
}
