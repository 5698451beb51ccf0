package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyBlocks writes a tree and a reply with so many blocks, each for a file of its own.
func manyBlocks(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	var reply strings.Builder
	for i := range n {
		name := fmt.Sprintf("f%05d.py", i)
		if err := os.WriteFile(filepath.Join(dir, name),
			fmt.Appendf(nil, "width = %d\nsize = 1\n", i), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&reply, "%s\n<<<<<<< SEARCH\nwidth = %d\nsize = 1\n=======\nwidth = %d\nsize = 2\n>>>>>>> REPLACE\n\n", name, i, i)
	}
	if err := os.WriteFile(filepath.Join(dir, ".reply.md"), []byte(reply.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}
