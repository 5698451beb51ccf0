package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestExpanded: where the shell leaves names with stars to programs, they stand for the files that they fit, except for hidden ones, and a file
// that is called so is itself. Two stars stand for what is below, too.
func TestExpanded(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.md", "b.md", "c.txt", "[c].txt", ".h.md", "d/e.md", "d/f/g.md"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := expanded([]string{"c.txt", "*.md", "-", "[c].txt", "none*"})
	if want := []string{"c.txt", "a.md", "b.md", "-", "[c].txt", "none*"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	below := expanded([]string{"d/**"})
	if want := []string{filepath.FromSlash("d/e.md"), filepath.FromSlash("d/f/g.md")}; !slices.Equal(below, want) {
		t.Errorf("%q, want %q", below, want)
	}
}
