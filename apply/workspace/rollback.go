package workspace

import (
	"errors"
	"slices"
)

// abandon ends a run that has touched nothing yet.
func (t *transaction) abandon(reason error) error {
	if err := t.w.clear(t.edits, t.dirs); err != nil {
		return errors.Join(reason, t.leftBehind(err))
	}
	t.log.discard()
	return reason
}

// rollBack ends a run that has replaced some files.
func (t *transaction) rollBack(reason error) error {
	err := t.w.bringBack(t.edits, func(i int, temp string, _ []byte) error {
		return refuse(RollbackFailed, t.edits[i].path, "another program saved the file twice during the run; the first version is in "+temp, "")
	})
	foreign, putErr := t.w.putBack(t.edits)
	err = errors.Join(err, putErr)
	for _, i := range foreign {
		e := &t.edits[i]
		what := "another program changed the file during the run"
		if raw, _, _ := t.w.heldAt(e.temp, new([]byte)); raw != nil && e.before.is(raw) {
			what += "; its content before the run is in " + e.temp
		}
		err = errors.Join(err, refuse(RollbackFailed, e.path, what, ""))
	}
	if err == nil {
		if t.log != nil {
			_ = t.log.state.settle(t.log.dir()) // recovery would find the same again
		}
		err = t.w.clear(t.edits, t.dirs)
	}
	if err != nil {
		remedy := ""
		if t.log != nil {
			remedy = "run Workspace.Recover"
		}
		return errors.Join(refuseErr(RollbackFailed, "", "the run could not be rolled back", remedy, err), reason)
	}
	t.log.discard()
	return reason
}

// putBack restores the pre-images of the files that hold a recorded image, and returns the indices
// of the edits whose files do not. It can be repeated.
func (w *Workspace) putBack(edits []edit) (foreign []int, err error) {
	for i, e := range slices.Backward(edits) {
		ours, err := w.putBackFile(&e)
		if err != nil {
			return foreign, failed(e.path, "cannot be put back", err)
		}
		if !ours {
			foreign = append(foreign, i)
		}
	}
	return foreign, w.syncDirs(edits, nil)
}

// putBackFile is putBack for one file. It reports whether the file is as before the run, or was
// never replaced by it.
func (w *Workspace) putBackFile(e *edit) (ours bool, err error) {
	s, err := w.found(e)
	switch {
	case err != nil:
		return false, err
	case s == isForeign:
		return false, nil
	case s == isBefore || s == isWaiting:
		return true, nil
	}
	return w.restore(e, e.after.hash())
}

// clear removes a run's temporary files, and its directories where they are empty.
func (w *Workspace) clear(edits []edit, dirs []string) error {
	var errs []error
	for _, e := range edits {
		for _, name := range e.temps() {
			info, err := w.look(name)
			if info != nil {
				err = w.tree.Remove(name)
			}
			errs = append(errs, err)
		}
	}
	for _, dir := range slices.Backward(dirs) {
		errs = append(errs, w.removeEmpty(dir))
	}
	return errors.Join(errs...)
}

// removeEmpty removes a directory if it is empty. Anything else of that name stays.
func (w *Workspace) removeEmpty(dir string) error {
	info, err := w.look(dir)
	if info == nil || !info.IsDir() {
		return err
	}
	if entries, err := w.tree.ReadDir(dir); err != nil || len(entries) > 0 {
		return err
	}
	return w.tree.Remove(dir)
}
