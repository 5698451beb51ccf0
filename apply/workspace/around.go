package workspace

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/srpatch/srpatch/internal/statedir"
)

// checkAround refuses edits of files that an unverified run on another root has written: one above this root, or between it and the file.
func (w *Workspace) checkAround(edits []edit) error {
	base, err := statedir.Base(w.opt.StateDir)
	if err != nil {
		return nil // then there is no state of other roots either
	}
	roots, written := above(w.realDir), map[string]bool{}
	seen := map[string]bool{w.realDir: true}
	for i := range edits {
		at := filepath.Join(w.realDir, filepath.FromSlash(edits[i].real))
		written[at] = true
		for dir := filepath.Dir(at); !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			roots = append(roots, dir)
		}
	}
	for _, root := range roots {
		if _, err := os.Lstat(filepath.Join(stateDir(base, root), doneRuns)); err != nil {
			continue // as of most directories
		}
		if err := w.checkRoot(root, written); err != nil {
			return err
		}
	}
	return nil
}

// checkRoot refuses files that an unverified run on another root has written.
func (w *Workspace) checkRoot(root string, written map[string]bool) (refused error) {
	other, err := Open(root, Options{StateDir: w.opt.StateDir})
	if err != nil {
		return nil // nobody can work there now
	}
	defer func() { _ = other.Close() }()
	_ = other.eachUnverified(func(run *Run, mark file) { // the runs on that root complain of a log that is damaged
		_ = mark.Close()
		for _, f := range run.Files {
			if at, err := other.Target(f.Path); err == nil && !f.Undone && written[filepath.Join(root, filepath.FromSlash(at))] {
				refused = refuse(RecoveryNeeded, "", fmt.Sprintf("run %s of %s changed %s and is not verified", run.ID, root, f.Path),
					fmt.Sprintf("go there, and verify it with the next run (Options.Verifies), accept it (Workspace.Recover with RecoverKeep), or undo it (Workspace.Undo %s)", run.ID))
			}
		}
	})
	return refused
}
