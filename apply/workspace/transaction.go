package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// Commit writes the plan's files, all or none, and returns the name of the run, "" when there was nothing to write or
// there is no journal. The plan's Before must be what the files hold now: anything else is stale, and nothing is
// written. Files that the plan does not change are not touched. Cancelling ctx rolls back as long as no file is
// replaced. Commit ends what [Workspace.Begin] began.
func (w *Workspace) Commit(ctx context.Context, plan *apply.Plan) (run string, err error) {
	if plan.Status == apply.Refused && len(plan.Files) > 0 {
		return "", errors.New("workspace: a refused plan cannot be committed")
	}
	defer w.unlock()
	if _, err := w.Begin(ctx); err != nil {
		return "", err
	}
	edits, dirs, err := w.edits(plan)
	if err != nil || len(edits) == 0 {
		return "", err
	}
	return w.transact(ctx, &transaction{kind: KindApply, edits: edits, dirs: dirs})
}

// transaction is one run on its way to the disk.
type transaction struct {
	kind  Kind
	of    string // the run that is undone or redone
	edits []edit
	dirs  []string // to be made, outermost first
	// emptied are directories, outermost first, that go with their last file. A rollback makes them again for its files.
	emptied []string

	w   *Workspace
	log *journal
}

// transact takes a run through its phases. The caller holds the lock.
func (w *Workspace) transact(ctx context.Context, t *transaction) (run string, err error) {
	defer w.forget()
	t.w = w
	nameTemps(t.edits)
	if err := t.keepXattrs(); err != nil {
		return "", err
	}
	if !w.opt.NoJournal || t.kind != KindApply { // what is in the log can only be undone there
		rec, err := t.record()
		if err == nil {
			t.log, err = w.state.begin(rec, t.edits)
		}
		if err != nil {
			return "", failed("", "the journal cannot be written", err)
		}
	}
	if err = t.stage(ctx); err == nil {
		err = t.log.writing()
	}
	if err != nil {
		return "", t.abandon(failed("", "the run failed", err))
	}
	if err = t.write(); err == nil {
		err = t.log.commit()
	}
	if err != nil {
		return "", t.rollBack(failed("", "the run failed", err))
	}
	if t.log != nil {
		w.tidy(t.log.number())
	}
	return t.log.name(), nil
}

// keepXattrs notes what is lost with a file's name, and is no part of its content.
func (t *transaction) keepXattrs() error {
	for i := range t.edits {
		e := &t.edits[i]
		if !e.before.exists || e.after.exists {
			continue
		}
		attrs, err := t.w.xattrs(e.real)
		if err != nil {
			return failed(e.path, "cannot be read", err)
		}
		e.before.xattrs = attrs
	}
	return nil
}

func (t *transaction) record() (*record, error) {
	tree, err := t.w.identity()
	if err != nil {
		return nil, err
	}
	return &record{Format: journalFormat, Version: journalVersion, Kind: t.kind, Of: t.of, Time: time.Now().UTC(),
		Root: rawName(t.w.realDir), Tree: tree, PID: os.Getpid(), Reply: t.w.opt.Reply, Dirs: rawNames(t.dirs), Emptied: rawNames(t.emptied)}, nil
}

// forget drops what was remembered of the tree and its log.
func (w *Workspace) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listing, w.history = listing{}, history{}
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
			at, err := t.w.resolve(e.from)
			if err != nil {
				return err
			}
			if at.info != nil {
				like = at.real
			}
		}
		if err := t.w.writeTemp(e.temp, e.after, like, false); err != nil {
			return failed(e.path, "cannot be written", err)
		}
	}
	return ctx.Err()
}

// checkFile makes sure that a file still is what the plan was made from.
func (t *transaction) checkFile(e *edit) error {
	s, err := t.w.stateOf(e)
	if err == nil && s != isBefore {
		return refuse(apply.Stale, e.path, "the file has changed since it was read", "run again")
	}
	return failed(e.path, "cannot be read", err)
}

// write replaces the files, each after a last look: names first, then bytes in place, which alone can be seen half done.
func (t *transaction) write() error {
	for i := range t.edits {
		t.edits[i].spared = true // until the run comes to it
	}
	for _, inPlace := range []bool{false, true} {
		for i := range t.edits {
			e := &t.edits[i]
			if e.inPlace != inPlace {
				continue
			}
			if err := t.checkFile(e); err != nil {
				return err
			}
			e.spared = false
			if err := t.w.install(e); err != nil {
				return failed(e.path, "cannot be written", err)
			}
		}
	}
	if err := t.lookAgain(); err != nil {
		return err
	}
	return t.w.finish(t)
}

// finish is what is left to do in the tree when all files are replaced.
func (w *Workspace) finish(t *transaction) error {
	for _, dir := range slices.Backward(t.emptied) {
		_ = w.removeEmpty(dir) // an empty directory is nothing to fail for
	}
	return w.syncDirs(t.edits, slices.Concat(t.dirs, t.emptied))
}

// abandon ends a run that has touched nothing yet.
func (t *transaction) abandon(reason error) error {
	if err := t.w.clear(t.edits, t.dirs); err != nil {
		return errors.Join(reason, failed("", "temporary files remain", err))
	}
	t.log.discard()
	return reason
}

// rollBack ends a run that has replaced some files.
func (t *transaction) rollBack(reason error) error {
	err := t.w.bringBack(t.edits, func(i int, temp string, _ []byte) error {
		return refuse(RollbackFailed, t.edits[i].path, "the file was saved twice by somebody else during the run; what was saved first is in "+temp, "")
	})
	var foreign []int
	if err == nil {
		foreign, err = t.w.putBack(t.edits)
	}
	for _, i := range foreign {
		e := &t.edits[i]
		what := "the file was changed by somebody else during the run"
		if raw, _, _ := t.w.heldAt(e.temp); raw != nil {
			what += "; what it held before is in " + e.temp
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
			remedy = "run: srpatch recover"
		}
		return errors.Join(refuseErr(RollbackFailed, "", "the run could not be rolled back", remedy, err), reason)
	}
	t.log.discard()
	return reason
}

// fileState is how a file compares to an edit's images.
type fileState int

const (
	isForeign fileState = iota // neither image: somebody else's
	isBefore
	isAfter
	isTorn    // being overwritten in place
	isWaiting // not yet replaced, and somebody else's since; only recovery asks
)

func (w *Workspace) stateOf(e *edit) (fileState, error) {
	at, err := w.resolve(e.real)
	if err != nil {
		if r, ok := errors.AsType[*apply.ReasonError](err); ok && r.Reason != apply.Unreadable {
			err = nil // a directory on the way was replaced
		}
		return isForeign, err
	}
	switch {
	case at.real != e.real:
		return isForeign, nil
	case at.info == nil && !e.before.exists:
		return isBefore, nil
	case at.info == nil && !e.after.exists:
		return isAfter, nil
	case at.info == nil || !at.info.Mode().IsRegular() || at.info.Size() > max(e.before.size, e.after.size):
		return isForeign, nil
	}
	raw, err := w.readRecorded(e, at)
	if err != nil {
		return isForeign, err
	}
	switch {
	case e.before.is(raw):
		return isBefore, nil
	case e.after.is(raw):
		return isAfter, nil
	case e.inPlace && torn(raw, e.before.data, e.after.data):
		return isTorn, nil
	}
	return isForeign, nil
}

// putBack restores the pre-images of the files that hold a recorded image, and returns the indices of the edits whose
// files do not. It can be repeated. What was overwritten in place was written last and comes first here: a disk that it has
// filled has room again for the pre-images of the others.
func (w *Workspace) putBack(edits []edit) (foreign []int, err error) {
	for _, inPlace := range []bool{true, false} {
		for i, e := range slices.Backward(edits) {
			if e.inPlace != inPlace {
				continue
			}
			ours, err := w.putBackFile(&e)
			if err != nil {
				return foreign, failed(e.path, "cannot be put back", err)
			}
			if !ours {
				foreign = append(foreign, i)
			}
		}
	}
	return foreign, w.syncDirs(edits, nil)
}

// putBackFile is putBack for one file. It reports whether the file is as before the run, or was never replaced by it.
func (w *Workspace) putBackFile(e *edit) (ours bool, err error) {
	s, err := w.found(e)
	switch {
	case err != nil:
		return false, err
	case s == isForeign:
		return false, nil
	case s == isBefore || s == isWaiting:
		return true, nil
	case s == isAfter && !e.after.exists:
		return w.restore(e, "")
	}
	return w.restore(e, e.after.sum)
}

// found is stateOf, where a file that the run has not come to replace is told from one that was edited since: its new content is
// still under the temporary name.
func (w *Workspace) found(e *edit) (fileState, error) {
	if e.spared {
		return isWaiting, nil
	}
	s, err := w.stateOf(e)
	if err != nil || s != isForeign || e.inPlace || !e.after.exists {
		return s, err
	}
	raw, _, err := w.heldAt(e.temp)
	if raw != nil && e.after.is(raw) {
		s = isWaiting
	}
	return s, err
}

// look is Lstat of a name that a run has recorded. Nothing, nil, is there when a directory above it was replaced since.
func (w *Workspace) look(name string) (fs.FileInfo, error) {
	at, err := w.resolve(name)
	switch r, ok := errors.AsType[*apply.ReasonError](err); {
	case ok && r.Reason != apply.Unreadable:
		return nil, nil
	case err != nil || at.real != name:
		return nil, err
	}
	return at.info, nil
}

// clear removes a run's temporary files, and its directories where they are empty.
func (w *Workspace) clear(edits []edit, dirs []string) error {
	var errs []error
	for _, e := range edits {
		for _, name := range []string{e.temp, e.restoreTemp()} {
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
		if err := w.tree.SyncDir(d); err != nil {
			if info, lookErr := w.look(d); info != nil || lookErr != nil || d == "." {
				return err
			}
		}
	}
	return nil
}
