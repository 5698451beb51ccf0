package replay

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os/exec"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// repository gives the files of commits.
type repository struct {
	ctx context.Context
	dir string
}

func (r *repository) git(args ...string) ([]byte, error) {
	return exec.CommandContext(r.ctx, "git", append([]string{"-C", r.dir}, args...)...).Output()
}

// changed returns the paths that a commit changed.
func (r *repository) changed(commit string) []string {
	names, _ := r.git("diff-tree", "-r", "-z", "--no-commit-id", "--name-only", commit)
	return strings.FieldsFunc(string(names), func(c rune) bool { return c == 0 })
}

// tree returns the files of a commit, or nil if there is no such commit.
func (r *repository) tree(commit string) *tree {
	names, err := r.git("ls-tree", "-r", "-z", "--name-only", commit)
	if err != nil {
		return nil
	}
	t := &tree{repo: r, commit: commit, edited: map[string][]byte{}}
	t.names = strings.FieldsFunc(string(names), func(c rune) bool { return c == 0 })
	slices.Sort(t.names)
	return t
}

// tree is the files of a commit, read as they are needed, and edits of them. The zero tree is
// empty.
type tree struct {
	repo   *repository
	commit string
	names  []string
	edited map[string][]byte // nil for a file that is gone
}

var _ apply.Tree = (*tree)(nil)

func (t *tree) clone() *tree {
	c := *t
	c.edited = maps.Clone(t.edited)
	return &c
}

// set replaces a file, or removes it if data is nil. The path "" is none.
func (t *tree) set(path string, data []byte) {
	if path == "" {
		return
	}
	if t.edited == nil {
		t.edited = map[string][]byte{}
	}
	t.edited[path] = data
}

func (t *tree) ReadFile(path string) ([]byte, error) {
	missing := &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	if data, ok := t.edited[path]; ok {
		if data == nil {
			return nil, missing
		}
		return data, nil
	}
	if _, ok := slices.BinarySearch(t.names, path); !ok {
		return nil, missing
	}
	data, err := t.repo.git("cat-file", "blob", t.commit+":"+path)
	if err != nil {
		return nil, fmt.Errorf("read %s of %s: %w", path, t.commit, err)
	}
	return bytes.Clone(data), nil
}

func (t *tree) Paths() iter.Seq[string] {
	names := slices.Clone(t.names)
	for p := range t.edited {
		names = append(names, p)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(p string) bool {
		data, edited := t.edited[p]
		return edited && data == nil
	})
	return slices.Values(names)
}

func (t *tree) Complete() bool { return true }
