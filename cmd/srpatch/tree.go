package main

import (
	"iter"
	"path/filepath"

	"github.com/srpatch/srpatch/apply/workspace"
)

// tree is a workspace that does not offer the replies of the run when a name is looked for. A reply that lies in the tree
// holds every SEARCH text, and would be suggested for every block without a file.
type tree struct {
	*workspace.Workspace
	replies map[string]bool
}

func (c *command) besides(w *workspace.Workspace, root string) *tree {
	t := &tree{w, map[string]bool{}}
	for _, name := range c.args {
		abs, err := filepath.Abs(name)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(root, abs); err == nil {
			t.replies[filepath.ToSlash(rel)] = true
		}
	}
	return t
}

// Paths implements [apply.Tree].
func (t *tree) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for path := range t.Workspace.Paths() {
			if !t.replies[path] && !yield(path) {
				return
			}
		}
	}
}
