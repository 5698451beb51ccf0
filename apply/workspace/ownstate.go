package workspace

import (
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/statedir"
)

// guardState keeps a reply away from the journals, because undo and recover write what these say.
// It refuses a tree that lies among the journals, and denies the journals if they lie in the tree.
func (t *Tree) guardState() error {
	bases := []string{t.opt.StateDir}
	if t.opt.StateDir != "" {
		bases = append(bases, "") // the user's own, too
	}
	for _, dir := range bases {
		base, err := statedir.Base(dir)
		if err != nil {
			continue // there is none
		}
		trees := existing(filepath.Join(base, statedir.Trees))
		if rel, err := filepath.Rel(trees, t.realDir); err == nil && filepath.IsLocal(rel) {
			return refuse(apply.Denied, "",
				"the directory "+t.dir+" belongs to srpatch, which keeps its journals there",
				"go to the tree of the runs")
		}
		if rel, err := filepath.Rel(t.realDir, trees); err == nil && filepath.IsLocal(rel) {
			t.deny.add("/"+literally(filepath.ToSlash(rel)), "srpatch, because its journals are there")
		}
	}
	return nil
}

// literally returns the glob that matches only name.
func literally(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
