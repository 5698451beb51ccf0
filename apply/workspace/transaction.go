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

// Commit writes the plan's files, all or none, and returns the name of the run, "" when there was
// nothing to write or there is no journal. The plan's Before must be what the files hold now:
// anything else is stale, and nothing is written. Files that the plan does not change are not
// touched. Cancelling ctx rolls back as long as no file is replaced. Commit ends what
// [Workspace.Begin] began.
//
// A run that [Options.Check] refuses is taken back, which is [CheckFailed]. If one of its files has
// changed since it was written, as Check may do, the run stays; that is [CheckKept], and run is
// set.
func (w *Workspace) Commit(ctx context.Context, plan *apply.Plan) (run string, err error) {
	if plan.Status == apply.Refused && len(plan.Files) > 0 {
		return "", errors.New("workspace: a refused plan cannot be committed")
	}
	defer func() { w.standsFor = standIns{} }()
	defer w.unlock()
	if _, err := w.Begin(ctx); err != nil {
		return "", err
	}
	edits, dirs, err := w.edits(plan)
	if err != nil || len(edits) == 0 {
		return "", err
	}
	return w.transact(ctx, &transaction{kind: KindApply, check: w.opt.Check, edits: edits, dirs: dirs,
		replies: w.allReplies(), blocks: w.appliedBlocks(plan)})
}

// transaction is one run on its way to the disk.
type transaction struct {
	kind  Kind
	of    string // the run that is undone or redone
	edits []edit
	idle  []edit   // of files that are already as they are to be: recorded, and left alone
	dirs  []string // to be made, outermost first
	// replies are the hashes of its replies, blocks the sums of their blocks whose results are in
	// the files.
	replies, blocks []string
	// emptied are directories, outermost first, that go with their last file. A rollback makes them
	// again for its files.
	emptied []string
	// check is [Options.Check]; nil for none.
	check func(ctx context.Context, run string) error

	w   *Workspace
	log *journal
}

// transact takes a run through its phases. The caller holds the lock.
func (w *Workspace) transact(ctx context.Context, t *transaction) (run string, err error) {
	defer w.forget()
	t.w = w
	nameTemps(t.edits)
	nameTemps(t.idle)
	if err := t.keepXattrs(); err != nil {
		return "", err
	}
	if !w.opt.NoJournal || t.kind != KindApply { // what is in the log can only be undone there
		rec, err := t.record()
		if err == nil {
			t.log, err = w.state.begin(rec, slices.Concat(t.edits, t.idle))
		}
		if err != nil {
			return "", failed("", "the journal cannot be written", err)
		}
	}
	err = t.stage(ctx)
	if err == nil {
		err = t.log.writing()
	}
	if err != nil {
		return "", t.abandon(failed("", "the run failed", err))
	}
	kept := error(nil)
	if err = t.write(); err == nil && t.check != nil {
		kept, err = t.judge(ctx)
	}
	if err == nil {
		err = t.log.commit()
	}
	if err != nil {
		return "", t.rollBack(failed("", "the run failed", err))
	}
	if t.log != nil {
		w.tidy(t.log.number())
	}
	return t.log.name(), kept
}

// judge runs the check. If it fails, the run is to be rolled back, or is kept because somebody has
// changed one of its files.
func (t *transaction) judge(ctx context.Context) (kept, err error) {
	err = t.check(ctx, t.log.name())
	if err == nil {
		return nil, nil
	}
	failure := refuseErr(CheckFailed, "", "the check of the run failed", "", err)
	states, err := t.w.find(t.edits)
	if err != nil {
		return nil, errors.Join(failure, err)
	}
	if i := slices.Index(states, isForeign); i >= 0 {
		remedy := "put the old files back by hand"
		if run := t.log.name(); run != "" {
			remedy = "Workspace.Undo " + run + " with UndoOptions.Merge removes its changes and keeps later ones, with UndoOptions.Force it puts the old files back"
		}
		return refuseErr(CheckKept, t.edits[i].path, "the file has changed since the run wrote it, so the run stays although its check failed", remedy, nil), nil
	}
	return nil, failure
}

// keepXattrs notes what is lost with a file's name, and is no part of its content.
func (t *transaction) keepXattrs() error {
	for i := range t.edits {
		e := &t.edits[i]
		if !e.before.exists || e.after.exists {
			continue
		}
		attrs, err := xattrs(t.w.tree, e.real)
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
		Root: t.w.realDir, Tree: tree, PID: os.Getpid(), Replies: t.replies, Blocks: t.blocks, Checked: t.check != nil, Dirs: t.dirs, Emptied: t.emptied}, nil
}

// forget drops what was remembered of the tree and its log, and the memory for it.
func (w *Workspace) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listing, w.history, w.buffer = listing{}, history{}, nil
}

// stage makes directories and temporary files. No file that exists is touched.
func (t *transaction) stage(ctx context.Context) error {
	for _, dir := range t.dirs {
		if err := t.w.tree.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return failed(dir, "the directory cannot be made", err)
		}
	}
	for i, e := range t.edits {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.tell(i)
		if !e.after.exists {
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
		if err := writeTemp(t.w.tree, e.temp, e.after, like, false); err != nil {
			return failed(e.path, "cannot be written", err)
		}
	}
	return ctx.Err()
}

// tell says that so many steps are done.
func (t *transaction) tell(done int) {
	if t.w.opt.Progress != nil {
		t.w.opt.Progress(done, 2*len(t.edits))
	}
}

// checkFile makes sure that a file still is what the plan was made from.
func (t *transaction) checkFile(e *edit) error {
	s, err := t.w.stateOf(e)
	if err == nil && s != isBefore {
		return refuse(apply.Stale, e.path, "the file has changed since it was read", "run again")
	}
	return failed(e.path, "cannot be read", err)
}

// write replaces the files, each after a last look.
func (t *transaction) write() error {
	for i := range t.edits {
		t.edits[i].spared = true // until the run comes to it
	}
	for i := range t.edits {
		e := &t.edits[i]
		if err := t.checkFile(e); err != nil {
			return err
		}
		e.spared = false
		t.tell(len(t.edits) + i)
		if err := t.w.install(e); err != nil {
			return failed(e.path, "cannot be written", err)
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
