package workspace

import (
	"fmt"
	"path"
	"path/filepath"
	"time"
)

// leave treats a run of another directory: nothing below this one is touched. Its pre-images are
// kept under the names of their files, and with RecoverKeep it is closed.
func (w *Workspace) leave(o *openRun, r *Recovery, mode RecoverMode) error {
	for i, e := range o.run.edits {
		if !e.before.exists {
			continue
		}
		if _, err := w.save(o.dir, "before", i, &e, e.before.data); err != nil {
			return failed(e.path, "its old content cannot be saved", err)
		}
	}
	if mode != RecoverKeep {
		r.Err = w.otherTree(o)
		return nil
	}
	r.Images = filepath.Join(w.state.dir, doneRuns, o.name)
	if err := w.state.writeFile(path.Join(o.dir, interruptedFile), nil, true); err != nil {
		return err
	}
	return (&journal{state: w.state, run: o.name}).commit()
}

// otherTree says of a run of another directory where that was, and what can be done.
func (w *Workspace) otherTree(o *openRun) error {
	root := o.rec.Root
	return refuse(OtherTree, "", fmt.Sprintf("run %s was made in another directory, which was at %s (on %s, %s); the old contents of its files are in %s",
		o.name, root, o.rec.Tree.Host, o.rec.Time.Format(time.DateOnly), filepath.Join(w.state.dir, o.dir)),
		"if that tree has moved, move it back; if this is a copy of it, run Workspace.Recover with RecoverRestore"+
			"; if it no longer exists, run Workspace.Recover with RecoverKeep")
}
