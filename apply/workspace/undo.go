package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
)

// UndoOptions say what to undo or redo, and what to do with files that have changed since.
type UndoOptions struct {
	// Paths, unless empty, are the only files to undo. The run must have changed each of them. If
	// no run is named, it is the newest that changed one of them. Either name of a moved file
	// stands for both.
	Paths []string
	// Merge removes the run's changes from the file as it is now, by a three-way merge of lines.
	// Lines that were changed both by the run and since are a [Conflict].
	Merge bool
	// Force puts the file back even if it has changed since.
	Force bool
}

// Undo puts back what the files held before a run; run "" is the newest that is in force. Created
// files are removed and deleted ones return. It is a run of its own, all or nothing, and its name
// is returned. A file that already holds its old content is left alone and counts as undone; one
// that has changed otherwise is stale. A merge that changes nothing is no run and returns "".
func (w *Workspace) Undo(ctx context.Context, run string, opt UndoOptions) (string, error) {
	return w.takeBack(ctx, run, KindUndo, opt)
}

// Redo undoes an undo, so that the run it undid is in force again. run may name the undo or
// the run it undid; "" is the newest undo in force.
func (w *Workspace) Redo(ctx context.Context, run string, opt UndoOptions) (string, error) {
	return w.takeBack(ctx, run, KindRedo, opt)
}

// takeBack undoes the run that id names, or the newest if id is "". For a redo, that is an undo. It
// does so in a run of the given kind, and returns the name of that run, or "" if there is nothing
// to write or record.
func (w *Workspace) takeBack(ctx context.Context, id string, kind Kind, opt UndoOptions) (string, error) {
	defer w.unlock()
	if _, err := w.Begin(ctx); err != nil {
		return "", err
	}
	runs, err := w.Log()
	if err != nil {
		return "", err
	}
	opt.Paths = slices.Clone(opt.Paths)
	for i := range opt.Paths {
		if opt.Paths[i], err = cleanName(opt.Paths[i]); err != nil {
			return "", err
		}
	}
	run, err := w.findRun(runs, id, kind, opt)
	if err != nil {
		return "", err
	}
	t, err := w.reversal(run, opt)
	if err != nil || len(t.edits) == 0 {
		return "", err
	}
	t.rec.Kind, t.rec.Of = kind, run.ID
	return w.transact(ctx, t, nil)
}

// reversal returns the transaction that undoes those changes of a run that opt wants to be undone.
// It has no edits if there is nothing to write or record. An edit that changes nothing is in it if
// the file already holds its old content, so that the change counts as undone. The error holds all
// reasons against it.
func (w *Workspace) reversal(run *Run, opt UndoOptions) (*transaction, error) {
	movedTo := map[string]string{} // by the old path
	for _, f := range run.Files {
		if f.From == "" {
			continue
		}
		movedTo[f.From] = f.Path
		if slices.Contains(opt.Paths, f.Path) { // the deletion, the other half of the move, too
			opt.Paths = append(opt.Paths, f.From)
		}
	}
	old, err := w.withImages(run)
	if err != nil {
		return nil, failed("", "the journal cannot be read", err)
	}
	t := &transaction{rec: &record{Emptied: old.rec.Dirs}} // to be removed if they are empty then
	var errs []error
	for i := range old.edits { // in the order of run.Files
		if !opt.wants(run.Files[i]) {
			continue
		}
		e, err := w.reversed(&old.edits[i], run.ID, opt)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if isBack := e.before.sameAs(&old.edits[i].before); e.idle() && !isBack {
			continue // a merge changes nothing
		}
		if e.action == apply.Create {
			e.from = movedTo[e.path] // a move is undone by a move
		}
		t.edits = append(t.edits, e)
	}
	return t, errors.Join(append(errs, checkDistinct(t.edits))...)
}

// wants reports whether a file of a run should be undone: it's among the paths, under either name,
// and its change has not been undone yet.
func (opt *UndoOptions) wants(f RunFile) bool {
	return !f.Undone && (len(opt.Paths) == 0 || slices.Contains(opt.Paths, f.Path) ||
		slices.Contains(opt.Paths, f.From))
}

// findRun returns the newest of runs that id names, that a run of the given kind can undo, and that
// changed a file opt wants. For a redo, id may be an undo or the run that it undid. If id is "",
// any run will do. It fails if there is none, if the run didn't change all of opt.Paths, or if the
// record of a newer run that id may mean can't be read.
func (w *Workspace) findRun(runs []Run, id string, kind Kind, opt UndoOptions) (*Run, error) {
	kinds := []Kind{KindApply}
	switch {
	case kind == KindRedo:
		kinds = []Kind{KindUndo}
	case id != "": // a redo is undone only by its number
		kinds = append(kinds, KindRedo)
	}
	at := slices.IndexFunc(runs, func(r Run) bool {
		isNamed := id == "" || r.ID == id || kind == KindRedo && r.Of == id
		canUndo := !r.Interrupted && slices.Contains(kinds, r.Kind) && slices.ContainsFunc(r.Files, opt.wants)
		return isNamed && (canUndo || r.Err != nil) // an unreadable record may be of that run: stop there
	})
	if at < 0 {
		what := "there is nothing to " + string(kind)
		if id != "" {
			what += " in run " + id
		}
		if len(opt.Paths) > 0 {
			what += " for " + strings.Join(opt.Paths, ", ")
		}
		if len(runs) == 0 {
			return nil, refuse(NoSuchRun, "", what+": there are no runs for "+w.dir, "open the directory of the run")
		}
		return nil, refuse(NoSuchRun, "", what, "see Workspace.Log")
	}
	run := &runs[at]
	if run.Err != nil {
		return nil, run.Err
	}
	for _, p := range opt.Paths {
		if !slices.ContainsFunc(run.Files, func(f RunFile) bool { return f.Path == p && opt.wants(f) }) {
			what := fmt.Sprintf("run %s did not change the file, or the change is already undone", run.ID)
			return nil, refuse(NoSuchRun, p, what, "see Workspace.Log")
		}
	}
	return run, nil
}

// withImages returns a run of the log as a transaction, with the contents of its files before and
// after.
func (w *Workspace) withImages(run *Run) (*transaction, error) {
	return w.state.open(w.disk, run.file)
}

// reversed returns the edit that undoes the edit old of run id. If the file has changed since the
// run, opt says whether to merge, to discard the changes, or to fail. A file that already holds its
// old content gets an edit that changes nothing.
func (w *Workspace) reversed(old *edit, id string, opt UndoOptions) (e edit, err error) {
	name, at, err := w.locate(old.real)
	if err != nil {
		return e, err
	}
	if at.real != old.real {
		return e, refuse(apply.Stale, old.path, "the path now leads elsewhere than in run "+id,
			"put the file back by hand")
	}
	e = edit{path: old.path, real: old.real, action: apply.Modify, dirs: at.absent, after: old.before}
	switch {
	case !old.before.exists:
		e.action = apply.Delete
	case at.info == nil:
		e.action = apply.Create
	}
	if at.info != nil {
		if err := w.checkChange(name, at, e.action); err != nil {
			return e, err
		}
		raw, err := w.readUpTo(name, at, w.limitOf(old))
		if err != nil {
			return e, err
		}
		if e.before, err = w.image(at, raw); err != nil {
			return e, failed(name, "cannot be read", err)
		}
	}
	if e.after.exists && e.before.exists {
		e.after = e.before.with(old.before.data) // the file keeps its present owner
		if e.before.mode == old.after.mode {     // and its present mode, unless that is the run's
			e.after.mode = old.before.mode
		}
	}
	isUnchanged := e.before.sameAs(&old.after) // since the run
	isBack := e.before.sameAs(&old.before)
	if isUnchanged || isBack || opt.Force {
		return e, nil
	}
	if opt.Merge && e.before.exists && e.after.exists && old.after.exists {
		merged, err := mergeText(old.after.data, e.before.data, old.before.data)
		if err != nil {
			return e, refuseErr(Conflict, old.path, "cannot be merged",
				"edit it by hand, or use UndoOptions.Force", err)
		}
		e.after = e.after.with(merged)
		return e, nil
	}
	remedy := "UndoOptions.Force discards what was changed since"
	if !opt.Merge {
		remedy = "UndoOptions.Merge keeps what was changed since, UndoOptions.Force discards it"
	}
	return e, refuse(apply.Stale, old.path, fmt.Sprintf("the file has changed since run %s", id), remedy)
}

// limitOf returns the limit in bytes for a file of a recorded run. It may be as large as its
// images, even beyond [Limits], because the run has held these in memory before.
func (w *Workspace) limitOf(e *edit) int64 {
	return max(w.opt.Limits.FileSize, int64(len(e.before.data)), int64(len(e.after.data)))
}
