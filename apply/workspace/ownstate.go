package workspace

import (
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/statedir"
)

// guardState keeps a reply away from the journals: they say what undo and recover write, in this
// tree and in others. A tree among them is refused, and where they lie in the tree they are denied.
func (w *Workspace) guardState() error {
	bases := []string{w.opt.StateDir}
	if w.opt.StateDir != "" {
		bases = append(bases, "") // the user's own, too
	}
	for _, dir := range bases {
		base, err := statedir.Base(dir)
		if err != nil {
			continue // there is none
		}
		trees := existing(filepath.Join(base, statedir.Trees))
		if rel, err := filepath.Rel(trees, w.realDir); err == nil && filepath.IsLocal(rel) {
			return refuse(apply.Denied, "", "the directory "+w.dir+" belongs to srpatch, which keeps its journals there", "go to the tree of the runs")
		}
		if rel, err := filepath.Rel(w.realDir, trees); err == nil && filepath.IsLocal(rel) {
			w.deny.add("/"+literally(filepath.ToSlash(rel)), "srpatch, because its journals are there")
		}
	}
	return nil
}

// literally is the glob that fits a name and no other.
func literally(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
