package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"time"
)

// unverifiedFile marks a run whose verification has not ended. Whoever verifies the run holds a lock on it. An empty one counts as none.
const unverifiedFile = "unverified"

func unverifiedMark(run string) string { return path.Join(doneRuns, run, unverifiedFile) }

// markUnverified says of a run that is under way that it is to be verified. [journal.writing] makes the name durable.
func (t *transaction) markUnverified() error {
	if t.log == nil || t.kind != KindApply || !t.w.opt.Verifies {
		return nil
	}
	return t.w.state.writeFile(path.Join(t.log.dir(), unverifiedFile), []byte("not verified yet\n"), true)
}

// Unverified returns the runs in force whose verification did not end, newest first. If [Options.Verifies] is set, the caller verifies
// them along with its own run, and other processes leave them alone until [Workspace.Settle] or Close. Otherwise they are an error, [RecoveryNeeded].
func (w *Workspace) Unverified() (runs []string, err error) {
	var errs []error
	err = w.eachUnverified(func(run *Run, mark file) {
		if !w.opt.Verifies {
			errs = append(errs, errors.Join(w.needsVerifying(run), mark.Close()))
			return
		}
		runs = append(runs, run.ID)
		w.verifying[run.ID] = mark
	})
	return runs, errors.Join(err, errors.Join(errs...))
}

// needsVerifying is the error for an unverified run.
func (w *Workspace) needsVerifying(run *Run) error {
	undo := "Workspace.Undo " + run.ID
	if name := w.changedSince(run); name != "" {
		undo += " with UndoOptions.Merge or UndoOptions.Force, because " + name + " has changed since"
	}
	return refuse(RecoveryNeeded, "", fmt.Sprintf("run %s is not verified: its verification did not finish", run.ID),
		fmt.Sprintf("verify it with the next run (Options.Verifies), accept it (Workspace.Recover with RecoverKeep), or undo it (%s)", undo))
}

// changedSince is a file that a run in force has left otherwise; "" if there is none.
func (w *Workspace) changedSince(run *Run) string {
	for _, f := range run.Files {
		if f.Undone {
			continue
		}
		now := ""
		name, at, err := w.locate(f.Path)
		if err == nil && at.info != nil {
			var raw []byte
			if raw, err = w.readInto(new([]byte), name, at, at.info.Size()); err == nil {
				now = hash(raw)
			}
		}
		if err != nil || now != f.After {
			return f.Path
		}
	}
	return ""
}

// eachUnverified visits the unverified runs in force, newest first, that no other process is verifying. The visitor closes mark.
func (w *Workspace) eachUnverified(visit func(run *Run, mark file)) error {
	s, err := w.openState(false)
	if err != nil || s == nil {
		if w.unjournaled(err) {
			err = nil
		}
		return err
	}
	numbers, err := s.runs(doneRuns)
	if err != nil {
		return failed("", "the log cannot be read", err)
	}
	var marked []string
	for _, n := range slices.Backward(numbers) {
		if id := strconv.Itoa(n); w.verifying[id] == nil && s.unverified(id) {
			marked = append(marked, id)
		}
	}
	if marked == nil {
		return nil
	}
	all, err := w.Log()
	if err != nil {
		return err
	}
	for i := range all {
		if run := &all[i]; run.InForce() && slices.Contains(marked, run.ID) {
			mark, err := s.claim(run.ID)
			if err != nil {
				return failed("", "run "+run.ID+" cannot be accessed", err)
			}
			if mark != nil {
				visit(run, mark)
			}
		}
	}
	return nil
}

func (s *state) unverified(run string) bool {
	info, err := s.Lstat(unverifiedMark(run))
	return err == nil && info.Size() > 0
}

// claim locks the mark of an unverified run. It returns nil if another process is verifying the run, or has verified it.
func (s *state) claim(run string) (file, error) {
	f, err := s.Open(unverifiedMark(run), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	held, err := tryLock(f, false)
	for pause := time.Millisecond; held && err == nil && pause < 10*time.Millisecond; pause *= 2 { // others only look for a moment
		time.Sleep(pause)
		held, err = tryLock(f, false)
	}
	if err == nil && !held {
		if info, err := f.Stat(); err == nil && info.Size() > 0 {
			return f, nil
		}
	}
	return nil, errors.Join(err, f.Close())
}

// Settle ends the verification of runs: they passed, or were taken back, or somebody accepts them as they are.
func (w *Workspace) Settle(runs ...string) error {
	var errs []error
	for _, run := range runs {
		f, err := w.verifying[run], error(nil)
		delete(w.verifying, run)
		if f == nil {
			f, err = w.state.Open(unverifiedMark(run), os.O_RDWR, 0)
		}
		if err == nil {
			err = errors.Join(f.Truncate(0), f.Sync(), f.Close())
			_ = w.state.Remove(unverifiedMark(run)) // an empty one counts as none
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil // it was settled before
		}
		errs = append(errs, err)
	}
	w.forget()
	return failed("", "the verification of the run cannot be recorded", errors.Join(errs...))
}

// letGo leaves to others what this process has not verified or committed.
func (w *Workspace) letGo() {
	for run, f := range w.verifying {
		delete(w.verifying, run)
		_ = f.Close()
	}
	for run, f := range w.committing {
		delete(w.committing, run)
		_ = f.Close()
	}
}

// recoverUnverified treats unverified runs as the user has decided.
func (w *Workspace) recoverUnverified(ctx context.Context, mode RecoverMode) (done []Recovery, err error) {
	var errs []error
	needed := map[string]error{}
	err = w.eachUnverified(func(run *Run, mark file) {
		_ = mark.Close() // the tree is locked: nobody else begins to verify it
		needed[run.ID] = w.needsVerifying(run)
		r := Recovery{Run: run.ID, Unverified: true}
		for _, f := range run.Files {
			if !f.Undone {
				r.Completed = append(r.Completed, f.Path)
			}
		}
		done = append(done, r)
	})
	for i := range done {
		r := &done[i]
		switch mode {
		case RecoverAuto:
			errs = append(errs, needed[r.Run])
		case RecoverKeep:
			errs = append(errs, w.Settle(r.Run))
		case RecoverRestore:
			if _, err := w.Undo(ctx, r.Run, UndoOptions{}); err != nil {
				return done[:i], errors.Join(append(errs, err, needed[r.Run])...)
			}
			r.Restored, r.Completed = r.Completed, nil
		}
	}
	if mode == RecoverAuto {
		done = nil
	}
	return done, errors.Join(append(errs, err)...)
}

// pendingUnverified are the unverified runs, for [Workspace.Pending].
func (w *Workspace) pendingUnverified() (found []Recovery, err error) {
	err = w.eachUnverified(func(run *Run, mark file) {
		_ = mark.Close()
		found = append(found, Recovery{Run: run.ID, Unverified: true})
	})
	return found, err
}
