package workspace

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
)

// RecoverMode is what to do about files of an interrupted run that somebody has edited since.
type RecoverMode int

const (
	// RecoverAuto leaves them, and the run stays to be decided on.
	RecoverAuto RecoverMode = iota
	// RecoverKeep leaves them for good.
	RecoverKeep
	// RecoverRestore puts the pre-images back; the edited content is kept next to the journal.
	RecoverRestore
)

// Recovery is what was found of an interrupted run, and done about it.
type Recovery struct {
	Run string
	// Completed are the files of a run that was interrupted after it had replaced the last of them.
	// They stay as they are, and the run is in the log like any other.
	Completed []string
	// Restored are the files that hold their pre-images (again). For [Workspace.Pending] they are
	// the files that recovery will put back.
	Restored []string
	// Edited are the files that hold neither of the run's images.
	Edited []Edited
	// Images is the directory in which the run's images are kept, because no file of this tree had
	// to get one.
	Images string
	// Temporary is how many temporary files of the run were in the tree, and are removed. For
	// [Workspace.Pending] they are there.
	Temporary int
	// Err is why the run was left as it is: its record is damaged ([JournalDamaged]) or newer
	// ([JournalVersion]), or it was made in another directory ([OtherTree]).
	Err error
}

// Recover finishes what interrupted runs have left. A run whose files all hold what it wrote is
// completed, unless it had an [Options.Check]; otherwise its files get their pre-images back where
// they still hold one of the run's images. Files that somebody has edited since are treated as mode
// says; with RecoverAuto they are an error, [RecoveryNeeded], and nothing of the run is touched. A
// run that had to be left as it is ([Recovery.Err]) is an error, too. Every writing call begins
// with a recovery of RecoverAuto, for which it is none.
func (w *Workspace) Recover(ctx context.Context, mode RecoverMode) ([]Recovery, error) {
	if w.lock == nil {
		if err := w.takeLock(ctx); err != nil {
			return nil, err
		}
	}
	defer w.unlock()
	if w.state == nil {
		return nil, nil
	}
	done, err := w.recoverAll(mode)
	done = slices.DeleteFunc(done, func(r Recovery) bool {
		err = errors.Join(err, r.Err)
		return r.Err != nil
	})
	return done, err
}

// Pending reports the interrupted runs that the next writing run, or Recover, will finish. It
// changes nothing. While another run is at work there is nothing to report.
func (w *Workspace) Pending() ([]Recovery, error) {
	s, err := w.openState(false)
	if err != nil || s == nil {
		if w.unjournaled(err) {
			err = nil
		}
		return nil, err
	}
	if busy, err := w.busy(); busy || err != nil {
		return nil, err
	}
	var found []Recovery
	err = w.eachOpen(func(o *openRun) error {
		r := Recovery{Run: o.name, Err: o.err}
		if o.elsewhere {
			r.Err = w.otherTree(o)
		}
		if o.run != nil && !o.elsewhere {
			r.Temporary = w.temporary(o.run.edits)
		}
		if !o.written || o.elsewhere {
			found = append(found, r)
			return nil
		}
		states, err := w.find(o.run.edits)
		if err != nil {
			return err
		}
		edited, whole := slices.Contains(states, isForeign), o.done(states)
		for i, e := range o.run.edits {
			switch {
			case states[i] == isForeign:
				r.Edited = append(r.Edited, Edited{Path: e.path})
			case edited: // nothing is touched without a decision
			case whole:
				r.Completed = append(r.Completed, e.path)
			case states[i] == isAfter:
				r.Restored = append(r.Restored, e.path)
			}
		}
		found = append(found, r)
		return nil
	})
	return found, err
}

// recoverAll finishes every open run. The caller holds the lock.
func (w *Workspace) recoverAll(mode RecoverMode) (done []Recovery, err error) {
	var undecided []error
	err = w.eachOpen(func(o *openRun) error {
		if o.err == nil && o.run == nil {
			return failed("", "the remains of a run cannot be removed", w.state.removeRun(o.dir))
		}
		r := Recovery{Run: o.name, Err: o.err}
		var needed []error
		if o.err == nil {
			if needed, err = w.recover(o, &r, mode); err != nil {
				return failed("", "run "+o.name+" cannot be recovered", err)
			}
		}
		done, undecided = append(done, r), append(undecided, needed...)
		return nil
	})
	w.forget()
	return done, errors.Join(err, errors.Join(undecided...))
}

// recover finishes one open run, and notes in r what it did. Where files were edited since it
// touches nothing, and returns what only the user can decide; the run stays open.
func (w *Workspace) recover(o *openRun, r *Recovery, mode RecoverMode) (needed []error, err error) {
	if o.elsewhere && mode != RecoverRestore {
		return nil, w.leave(o, r, mode)
	}
	r.Temporary = w.temporary(o.run.edits)
	if !o.written {
		r.Restored = paths(o.run.edits)
		return nil, w.close(o, false)
	}
	err = w.bringBack(o.run.edits, func(i int, temp string, raw []byte) error {
		if _, err := w.save(o.dir, "saved", i, &o.run.edits[i], raw); err != nil {
			return err
		}
		return w.tree.Remove(temp)
	})
	if err != nil {
		return nil, err
	}
	states, err := w.find(o.run.edits)
	if err != nil {
		return nil, err
	}
	var edited []int
	for i, s := range states {
		if s == isForeign {
			edited = append(edited, i)
		}
	}
	switch {
	case o.done(states) && (mode == RecoverKeep || len(edited) == 0):
		return nil, w.complete(o, r, states)
	case mode == RecoverAuto && len(edited) > 0:
		return w.ask(o, r, edited)
	}
	foreign, err := w.putBack(o.run.edits)
	switch {
	case err != nil:
		return nil, err
	case mode == RecoverAuto && len(foreign) > 0: // edited this moment
		return w.ask(o, r, foreign)
	}
	for i, e := range o.run.edits {
		if !slices.Contains(foreign, i) {
			r.Restored = append(r.Restored, e.path)
		}
	}
	if err := w.decide(o, r, foreign, mode); err != nil {
		return nil, err
	}
	// The images are all that says what was there, unless it is there again.
	if len(foreign) > 0 || slices.Contains(states, isAfter) {
		return nil, w.close(o, len(foreign) > 0)
	}
	r.Images = filepath.Join(w.state.dir, doneRuns, o.name)
	return nil, w.close(o, true)
}

// close ends an open run whose files are as they are to stay. It is kept in the log, as an
// interrupted one, or forgotten.
func (w *Workspace) close(o *openRun, keep bool) error {
	mark := path.Join(o.dir, interruptedFile)
	marked, err := w.state.has(mark) // by an earlier pass
	if err == nil && keep && !marked {
		err = w.state.writeFile(mark, nil, true)
	}
	if err == nil {
		err = w.state.settle(o.dir)
	}
	if err == nil {
		err = w.clear(o.run.edits, o.run.dirs)
	}
	switch {
	case err != nil:
		return err
	case keep || marked:
		return (&journal{state: w.state, run: o.name}).commit()
	}
	return w.state.removeRun(o.dir)
}

// complete does what was left to do of a run that had replaced its last file.
func (w *Workspace) complete(o *openRun, r *Recovery, states []fileState) error {
	for i, e := range o.run.edits {
		if states[i] == isForeign {
			r.Edited = append(r.Edited, Edited{Path: e.path})
		} else {
			r.Completed = append(r.Completed, e.path)
		}
	}
	// The mark stays until the commit: whoever finds the run without it would forget it.
	if err := w.clear(o.run.edits, nil); err != nil {
		return err
	}
	if err := w.finish(o.run); err != nil {
		return err
	}
	return (&journal{state: w.state, run: o.name}).commit()
}

// temporary is how many temporary files of edits are in the tree.
func (w *Workspace) temporary(edits []edit) (n int) {
	for _, e := range edits {
		for _, name := range e.temps() {
			if info, err := w.look(name); info != nil && err == nil {
				n++
			}
		}
	}
	return n
}

func paths(edits []edit) (names []string) {
	for _, e := range edits {
		names = append(names, e.path)
	}
	return names
}
