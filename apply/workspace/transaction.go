package workspace

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/srpatch/srpatch/apply"
)

// Commit writes the plan's files, all or none, and returns the name of the run, "" when there was nothing to write or
// there is no journal. The plan's Before must be what the files hold now: anything else is stale, and nothing is
// written. Files that the plan does not change are not touched. Cancelling ctx rolls back as long as no file is replaced.
func (w *Workspace) Commit(ctx context.Context, plan *apply.Plan) (run string, err error) {
	if plan.Status == apply.Refused && len(plan.Files) > 0 {
		return "", errors.New("workspace: a refused plan cannot be committed")
	}
	edits, dirs, err := w.edits(plan)
	if err != nil || len(edits) == 0 {
		return "", err
	}
	return w.transact(ctx, &transaction{w: w, edits: edits, dirs: dirs})
}

// transaction is one run on its way to the disk.
type transaction struct {
	w     *Workspace
	edits []edit
	dirs  []string // to be made, outermost first
}

func (w *Workspace) transact(ctx context.Context, t *transaction) (string, error) {
	defer w.forgetListing()
	if err := t.stage(ctx); err != nil {
		return "", t.abandon(err)
	}
	if err := t.check(); err != nil {
		return "", t.abandon(err)
	}
	if err := t.write(); err != nil {
		return "", t.rollBack(err)
	}
	return "", nil
}

func (w *Workspace) forgetListing() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listing = listing{}
}

// stage makes directories and temporary files. No file that exists is touched.
func (t *transaction) stage(ctx context.Context) error {
	for _, dir := range t.dirs {
		if err := t.w.tree.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return failed(dir, "the directory cannot be made", err)
		}
	}
	for _, e := range t.edits {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.after.exists || e.inPlace {
			continue
		}
		like := ""
		if e.before.exists {
			like = e.real
		} else if e.from != "" {
			like = e.from
		}
		img := e.after
		if err := t.w.writeTemp(e.temp, img, like, false); err != nil {
			return failed(e.path, "cannot be written", err)
		}
	}
	return ctx.Err()
}

// check makes sure that every file is still what the plan was made from.
func (t *transaction) check() error {
	var errs []error
	for _, e := range t.edits {
		switch s, err := t.w.stateOf(&e); {
		case err != nil:
			errs = append(errs, failed(e.path, "cannot be read", err))
		case s != isBefore:
			errs = append(errs, refuse(apply.Stale, e.path, "the file has changed since it was read", "run again"))
		}
	}
	return errors.Join(errs...)
}

// write replaces the files: names first, then bytes in place, which alone can be seen half done.
func (t *transaction) write() error {
	for _, inPlace := range []bool{false, true} {
		for _, e := range t.edits {
			if e.inPlace != inPlace {
				continue
			}
			if err := t.w.install(&e); err != nil {
				return failed(e.path, "cannot be written", err)
			}
		}
	}
	return t.w.syncDirs(t.edits, t.dirs)
}

// abandon ends a run that has touched nothing yet.
func (t *transaction) abandon(reason error) error {
	if err := t.w.clear(t.edits, t.dirs); err != nil {
		return errors.Join(reason, failed("", "temporary files are left behind", err))
	}
	return reason
}

// rollBack ends a run that has replaced some files.
func (t *transaction) rollBack(reason error) error {
	foreign, err := t.w.putBack(t.edits)
	for _, e := range foreign {
		err = errors.Join(err, refuse(RollbackFailed, e.path, "the file was changed by somebody else during the run", ""))
	}
	if err == nil {
		err = t.w.clear(t.edits, t.dirs)
	}
	if err != nil {
		return errors.Join(reason, failed("", "the run could not be rolled back", err))
	}
	return reason
}

// fileState is how a file compares to an edit's images.
type fileState int

const (
	isForeign fileState = iota // neither image: somebody else's
	isBefore
	isAfter
	isTorn // being overwritten in place
)

func (w *Workspace) stateOf(e *edit) (fileState, error) {
	info, err := w.tree.Lstat(e.real)
	if errors.Is(err, fs.ErrNotExist) {
		switch {
		case !e.before.exists:
			return isBefore, nil
		case !e.after.exists:
			return isAfter, nil
		}
		return isForeign, nil
	}
	if err != nil {
		return isForeign, err
	}
	size := max(len(e.before.data), len(e.after.data))
	if !info.Mode().IsRegular() || info.Size() > int64(size) {
		return isForeign, nil
	}
	raw, err := w.readRaw(e.path, spot{real: e.real, info: info})
	switch {
	case err != nil:
		return isForeign, err
	case e.before.exists && bytes.Equal(raw, e.before.data):
		return isBefore, nil
	case e.after.exists && bytes.Equal(raw, e.after.data):
		return isAfter, nil
	case e.inPlace && torn(raw, e.before.data, e.after.data):
		return isTorn, nil
	}
	return isForeign, nil
}

// torn reports whether raw can only be before on its way to after, or back: each byte is one or the other's.
func torn(raw, before, after []byte) bool {
	if len(raw) < min(len(before), len(after)) {
		return false
	}
	for i, b := range raw {
		if !(i < len(before) && before[i] == b || i < len(after) && after[i] == b) {
			return false
		}
	}
	return true
}

// putBack restores the pre-images of the files that hold a recorded image, and returns the edits whose files do not.
// It can be repeated.
func (w *Workspace) putBack(edits []edit) (foreign []edit, err error) {
	for _, e := range slices.Backward(edits) {
		s, err := w.stateOf(&e)
		if err != nil {
			return foreign, err
		}
		switch s {
		case isForeign:
			foreign = append(foreign, e)
		case isAfter, isTorn:
			if err := w.restore(&e); err != nil {
				return foreign, err
			}
		}
	}
	return foreign, w.syncDirs(edits, nil)
}

// clear removes a run's temporary files, and its directories where they are empty.
func (w *Workspace) clear(edits []edit, dirs []string) error {
	var errs []error
	for _, e := range edits {
		if err := w.tree.Remove(e.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	for _, dir := range slices.Backward(dirs) {
		err := w.tree.Remove(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if entries, readErr := w.tree.ReadDir(dir); readErr != nil || len(entries) == 0 {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// syncDirs makes the names of a run durable.
func (w *Workspace) syncDirs(edits []edit, made []string) error {
	var dirs []string
	for _, e := range edits {
		dirs = append(dirs, path.Dir(e.real))
	}
	for _, d := range made {
		dirs = append(dirs, path.Dir(d))
	}
	slices.Sort(dirs)
	for _, d := range slices.Compact(dirs) {
		if err := w.tree.SyncDir(d); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
