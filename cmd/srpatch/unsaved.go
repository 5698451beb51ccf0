package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
)

// unsaved is a file as an editor holds it, whatever the disk has under its name.
type unsaved struct {
	path string // relative to the tree, with slashes
	// identity is the same for every name of the file.
	identity string
	text     []byte
}

// readUnsaved reads from stdin what --stdin-file names; nil without that flag.
func (c *command) readUnsaved(w *workspace.Workspace) (*unsaved, error) {
	if c.stdinFile == "" {
		return nil, nil
	}
	name := c.stdinFile
	if filepath.IsAbs(name) {
		rel, err := below(w.Dir(), name)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, usagef("--stdin-file: %s is not below %s; -d names the tree", c.stdinFile, w.Dir())
		}
		name = rel
	} else if !filepath.IsLocal(name) {
		return nil, usagef("--stdin-file: %s is not below the tree; -d names another one", c.stdinFile)
	}
	limit := cmp.Or(c.maxSize, apply.DefaultFileSize)
	text, err := io.ReadAll(io.LimitReader(c.stdin, limit+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s from standard input: %w", c.stdinFile, err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s on standard input has more than %d bytes; raise the limit with --max-size", c.stdinFile, limit)
	}
	path := filepath.ToSlash(filepath.Clean(name))
	return &unsaved{path, w.Identity(path), text}, nil
}

// below is the path of a file that an editor names in full, relative to a directory: as both are written, or else without the links in
// the way to the file and to the directory.
func below(dir, name string) (string, error) {
	if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
		return rel, nil
	}
	return filepath.Rel(realPath(dir), filepath.Join(realPath(filepath.Dir(name)), filepath.Base(name)))
}

// holds reports whether it is the file that a path names.
func (u *unsaved) holds(path string, w *workspace.Workspace) bool {
	return u != nil && (path == u.path || w.Identity(path) == u.identity)
}

// ReadFile implements [apply.Tree]. A run may not change what it is told to leave alone, saved or not.
func (t *tree) ReadFile(path string) ([]byte, error) {
	text, err := t.Workspace.ReadFile(path)
	if !t.unsaved.holds(path, t.Workspace) {
		return text, err
	}
	if e, ok := errors.AsType[*apply.ReasonError](err); ok && (e.Reason == apply.Denied || e.Reason == apply.OutsideRoot) {
		return nil, err
	}
	return t.unsaved.text, nil
}

// CanWrite implements [apply.Checker]. A file that was never saved is a new one to the disk.
func (t *tree) CanWrite(change *apply.FileChange) error {
	if change.Action == apply.Modify && t.unsaved.holds(change.Path, t.Workspace) {
		if _, err := t.Workspace.ReadFile(change.Path); errors.Is(err, fs.ErrNotExist) {
			saved := *change
			saved.Action, saved.Before = apply.Create, nil
			change = &saved
		}
	}
	return t.Workspace.CanWrite(change)
}

// Applied implements [apply.Recorder]. What earlier runs have written says nothing of what an editor holds.
func (t *tree) Applied(path string) func(block int) bool {
	if t.unsaved.holds(path, t.Workspace) {
		return nil
	}
	return t.Workspace.Applied(path)
}

// withUnsaved are paths, and that of the unsaved file if it is not among them, in lexical order.
func (t *tree) withUnsaved(paths iter.Seq[string]) iter.Seq[string] {
	if t.unsaved == nil {
		return paths
	}
	all := slices.Collect(paths)
	if at, found := slices.BinarySearch(all, t.unsaved.path); !found {
		all = slices.Insert(all, at, t.unsaved.path)
	}
	return slices.Values(all)
}
