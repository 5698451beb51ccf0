package workspace

import (
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/statedir"
)

// guardState keeps a reply away from the journals: they say what undo and recover write, in this
// tree and in others. A tree among them is refused, and where they lie in the tree they are denied.
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

// literally is the glob that fits a name and no other.
func literally(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
