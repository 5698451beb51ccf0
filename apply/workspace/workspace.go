package workspace

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"

	"github.com/srpatch/srpatch/apply"
)

// Options are the choices of a workspace.
type Options struct{}

// Workspace is a directory tree: it implements [apply.Tree] and is the only way a plan reaches the disk.
type Workspace struct{ root *os.Root }

// Open opens the tree at dir.
func Open(dir string, opt Options) (*Workspace, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Workspace{root: root}, nil
}

// Close releases the tree.
func (w *Workspace) Close() error { return w.root.Close() }

// ReadFile implements [apply.Tree].
func (w *Workspace) ReadFile(path string) ([]byte, error) { return fs.ReadFile(w.root.FS(), path) }

// Paths implements [apply.Tree].
func (w *Workspace) Paths() iter.Seq[string] { return func(func(string) bool) {} }

// Complete implements [apply.Tree].
func (w *Workspace) Complete() bool { return true }

// Commit writes the plan's files, all or none, and returns the name of the run.
func (w *Workspace) Commit(ctx context.Context, plan *apply.Plan) (run string, err error) {
	return "", errors.ErrUnsupported
}
