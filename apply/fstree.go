package apply

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/internal/charset"
)

// maxPaths is how many names of a file system are listed.
const maxPaths = 200_000

// binaryPrefix is how much of a file is searched for NUL bytes, as in git.
const binaryPrefix = 8000

// FS is the tree of a file system: its regular files, except for git's own. Nothing is written to it. Symbolic links are followed as
// fsys follows them: [os.Root.FS] never leaves the root, [os.DirFS] does. Its files are listed once, when that is first needed.
func FS(fsys fs.FS) Tree {
	t := &fsTree{fsys: fsys}
	t.list = sync.OnceValues(t.walk)
	return t
}

type fsTree struct {
	fsys fs.FS
	list func() (paths []string, complete bool)
}

func (t *fsTree) ReadFile(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, &ReasonError{OutsideRoot, fmt.Errorf("%w: %q", errOutside, name)}
	}
	info, err := fs.Stat(t.fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &ReasonError{NotRegular, errors.New("not a regular file; name a file")}
	}
	text, err := fs.ReadFile(t.fsys, name)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(text[:min(len(text), binaryPrefix)], 0) >= 0 && charset.Marked(text) == nil {
		return nil, &ReasonError{Binary, errors.New("a binary file; edit it with a tool made for its format")}
	}
	return text, nil
}

func (t *fsTree) Paths() iter.Seq[string] {
	paths, _ := t.list()
	return slices.Values(paths)
}

func (t *fsTree) Complete() bool {
	_, complete := t.list()
	return complete
}

// walk lists the regular files, as far as the limit allows. What cannot be read is not listed.
func (t *fsTree) walk() (paths []string, complete bool) {
	left := maxPaths
	_ = fs.WalkDir(t.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch left--; {
		case left < 0:
			return fs.SkipAll
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case path.Base(name) == ".git" && d.IsDir():
			return fs.SkipDir
		case d.Type().IsRegular():
			paths = append(paths, name)
		}
		return nil
	})
	slices.Sort(paths)
	return paths, left >= 0
}
