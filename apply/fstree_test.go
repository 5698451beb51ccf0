package apply_test

import (
	"errors"
	"fmt"
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

// crowded is a file system whose root has so many files.
type crowded int

func (c crowded) Open(name string) (fs.File, error) { return fstest.MapFS{}.Open(name) }

func (c crowded) ReadDir(string) (files []fs.DirEntry, err error) {
	for i := range c {
		files = append(files, entry(fmt.Sprintf("%06d.txt", i)))
	}
	return files, nil
}

// entry is a regular file by its name.
type entry string

func (e entry) Name() string             { return string(e) }
func (entry) IsDir() bool                { return false }
func (entry) Type() fs.FileMode          { return 0 }
func (entry) Info() (fs.FileInfo, error) { return nil, fs.ErrNotExist }

// A file system of which not all names were listed says so, as a name may be that of a file which was not.
func TestFSKnowsThatItIsNotAll(t *testing.T) {
	for n, complete := range map[crowded]bool{199_999: true, 200_000: false} { // the root is a name as well
		tree := apply.FS(n)
		if got := len(slices.Collect(tree.Paths())); got != 199_999 || tree.Complete() != complete {
			t.Errorf("of %d files %d are listed, complete: %t", n, got, tree.Complete())
		}
	}
}
