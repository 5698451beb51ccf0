package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUndoOfManyFilesIsShort: a hundred lines of success are one, as those of the run are; -v has them all.
func TestUndoOfManyFilesIsShort(t *testing.T) {
	dir, state := manyBlocks(t, 30), t.TempDir()
	srpatch := func(args ...string) string {
		var out bytes.Buffer
		code := run(context.Background(), append(args, "-d", dir, "--state-dir", state), strings.NewReader(""), &out, &out, func(string) string { return "" })
		if code != 0 {
			t.Fatalf("%q: status %d\n%s", args, code, out.String())
		}
		return out.String()
	}
	srpatch(dir + "/.reply.md")
	if got, want := srpatch("undo"), "30 of 30 files  put back  (-v lists them)\nrun 2 is the undo of run 1\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := srpatch("redo", "-v"); strings.Count(got, "  put back\n") != 30 {
		t.Errorf("-v: %s", got)
	}
}

// manyBlocks writes a tree and a reply with so many blocks, each for a file of its own.
func manyBlocks(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var reply strings.Builder
	for i := range n {
		name := fmt.Sprintf("f%05d.py", i)
		if err := os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, "width = %d\nsize = 1\n", i), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&reply, "%s\n<<<<<<< SEARCH\nwidth = %d\nsize = 1\n=======\nwidth = %d\nsize = 2\n>>>>>>> REPLACE\n\n", name, i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, ".reply.md"), []byte(reply.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}
