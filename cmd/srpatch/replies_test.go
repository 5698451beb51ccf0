package main

import (
	"os"
	"slices"
	"testing"
)

// TestExpanded: where the shell leaves names with stars to programs, they stand for the files that they fit, and a file that is
// called so is itself.
func TestExpanded(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a.md", "b.md", "c.txt", "[c].txt"} {
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got := expanded([]string{"c.txt", "*.md", "-", "[c].txt", "none*"})
	if want := []string{"c.txt", "a.md", "b.md", "-", "[c].txt", "none*"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
