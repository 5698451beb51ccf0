package apply_test

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/srpatch/srpatch/apply"
)

// A file system is a tree of its regular files.
func TestFS(t *testing.T) {
	tree := apply.FS(fstest.MapFS{
		"a/b.txt": {Data: []byte("b\n")}, "a.txt": {Data: []byte("a\n")}, ".git/config": {Data: []byte("git's\n")}, "link": {Mode: fs.ModeSymlink, Data: []byte("a.txt")},
		"nul.bin": {Data: []byte("a\x00b")}, "wide.txt": {Data: []byte("\xff\xfea\x00\n\x00")},
	})
	if got, want := slices.Collect(tree.Paths()), []string{"a.txt", "a/b.txt", "nul.bin", "wide.txt"}; !slices.Equal(got, want) || !tree.Complete() {
		t.Errorf("the paths are %q, want %q", got, want)
	}
	for path, want := range map[string]any{
		"a/b.txt": "b\n", "wide.txt": "\xff\xfea\x00\n\x00", "nul.bin": apply.Binary, "a": apply.NotRegular, "../a.txt": apply.OutsideRoot, "/a.txt": apply.OutsideRoot,
		"none.txt": fs.ErrNotExist,
	} {
		text, err := tree.ReadFile(path)
		switch want := want.(type) {
		case string:
			if err != nil || string(text) != want {
				t.Errorf("%s: %q %v", path, text, err)
			}
		case error:
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", path, err, want)
			}
		}
	}
}
