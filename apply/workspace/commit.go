package workspace

import (
	"context"
	"errors"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// Commit writes all files of the plan or none, and returns the name of the run, or "" if there was
// nothing to write or there is no journal. If a file no longer holds the plan's Before, the error
// is [apply.Stale], and nothing is written. Files that the plan does not change are not touched.
// Cancelling ctx rolls the run back unless a file has been replaced already. Commit releases the
// lock that [Workspace.Begin] took.
//
// If [Options.Check] fails, the run is rolled back, and the error is [CheckFailed]. But if one of
// its files has changed since it was written (Check may have changed it), the run stays, its name
// is returned, and the error is [CheckKept].
func (w *Workspace) Commit(ctx context.Context, plan *apply.Plan) (run string, err error) {
	if plan.Status == apply.Refused && len(plan.Files) > 0 {
		return "", errors.New("workspace: a refused plan cannot be committed")
	}
	defer func() { w.standsFor = standIns{} }() // they are only for this plan
	defer w.unlock()
	if _, err := w.Begin(ctx); err != nil {
		return "", err
	}
	edits, err := w.edits(plan)
	if err != nil || len(edits) == 0 {
		return "", err
	}
	rec := &record{Kind: KindApply, Replies: w.allReplies(), Blocks: w.appliedBlocks(plan)}
	return w.transact(ctx, &transaction{rec: rec, edits: edits}, w.opt.Check)
}

// transact writes the edits of t as a run. It completes t and its record, and prunes the log
// afterwards. check is [Options.Check], or nil. transact returns the name of the run, or "" without
// a journal. If the check failed but the run stays, it returns both the name and an error. The
// caller holds the lock.
func (w *Workspace) transact(ctx context.Context, t *transaction, check checkFunc) (run string, err error) {
	defer w.forget()
	rec := t.rec
	t.tree, rec.Dirs = w.disk, missingDirs(t.edits)
	nameTemps(t.edits)
	if !w.opt.NoJournal || rec.Kind != KindApply { // undo and redo need the log
		t.log = w.state
		rec.Time, rec.Root = time.Now().UTC(), w.realDir
		if rec.Tree, err = w.identity(); err != nil {
			return "", failed("", "the journal cannot be written", err)
		}
	}
	kept, err := t.commit(ctx, check) // kept says why the run stays although its check failed
	if err != nil {
		return "", err
	}
	if t.log != nil {
		w.tidy(t.number)
	}
	return t.name(), kept
}

// forget drops what is cached about the tree and its log.
func (w *Workspace) forget() {
	w.Tree.forget()
	w.logMu.Lock()
	defer w.logMu.Unlock()
	w.runs, w.runsRead = nil, 0
}
