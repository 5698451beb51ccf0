package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// RecoverMode says what to do with files of an interrupted run that somebody has edited since.
type RecoverMode int

const (
	// RecoverAuto changes nothing if there are such files: the run waits for a decision.
	RecoverAuto RecoverMode = iota
	// RecoverKeep keeps the edits.
	RecoverKeep
	// RecoverRestore puts the pre-images back; the edited content is kept next to the journal.
	RecoverRestore
)

// Recovery describes an interrupted run and what a recovery did about it.
type Recovery struct {
	Run string
	// Completed are the files of a run that was interrupted after it had replaced all of them.
	// They stay as they are, and the run is in the log like any other.
	Completed []string
	// Restored are the files that hold their pre-images, now or still.
	Restored []string
	// Edited are the files that hold neither the run's pre-image nor its post-image.
	Edited []Edited
	// Err is why the run was left as it is: its record is damaged ([JournalDamaged]) or newer
	// ([JournalVersion]), or it was made in another directory ([OtherTree]).
	Err error
}

// Edited is a file of an interrupted run that somebody has edited since.
type Edited struct {
	Path string
	// Saved is the absolute name of a copy: of the pre-image if the file was left as it is, or of
	// the edited content if the pre-image was put back. It is "" if that was an absent file.
	Saved string
}

// Recover finishes interrupted runs. If all files of a run hold what it wrote, the run is
// completed, unless it had an [Options.Check], whose result is unknown. Otherwise its files get
// their pre-images back. mode says what to do with files that somebody has edited since; with
// RecoverAuto they are an error, [RecoveryNeeded], and no file of the run is put back. A run that
// had to be left as it is ([Recovery.Err]) is an error, too. Every writing call begins with a
// recovery in mode RecoverAuto, but ignores runs that had to be left.
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

// Pending returns the names of the interrupted runs that the next writing run, or Recover, will
// finish. While another run is at work, it returns none.
func (w *Workspace) Pending() (names []string, err error) {
	s, err := w.openState(false /* create */)
	if err != nil || s == nil {
		return nil, err
	}
	if busy, err := w.busy(); busy || err != nil {
		return nil, err
	}
	runs, err := s.runs(runBegun, runWriting)
	for _, run := range runs {
		names = append(names, strconv.Itoa(run.number))
	}
	return names, failed("", "the open runs cannot be listed", err)
}

// eachOpen calls visit with each open run, newest first, until visit returns an error. left says why
// the run must be left as it is, as [Recovery.Err] does, or is nil. If the run is new, or its record
// can't be read, the transaction only has its number and state.
func (w *Workspace) eachOpen(visit func(t *transaction, left error) error) error {
	runs, err := w.state.runs(runNew, runBegun, runWriting)
	if err != nil {
		return failed("", "the open runs cannot be listed", err)
	}
	for _, found := range slices.Backward(runs) {
		t, left := &transaction{log: w.state, foundRun: found}, error(nil)
		if found.state != runNew { // otherwise the record may be incomplete
			t, left = w.state.open(w.disk, found)
			if left == nil {
				left = w.checkHere(t)
			}
			if left != nil && !hasReason(left, JournalDamaged, JournalVersion, OtherTree) {
				return failed("", "the journal cannot be read", left)
			}
		}
		if err := visit(t, left); err != nil {
			return err
		}
	}
	return nil
}

// recoverAll finishes every open run, newest first, and returns what it did. The error has the
// decisions that are needed, and the failure that stopped it. The caller holds the lock.
func (w *Workspace) recoverAll(mode RecoverMode) (done []Recovery, err error) {
	var undecided []error
	err = w.eachOpen(func(t *transaction, left error) error {
		if t.state == runNew { // it has changed nothing in the tree
			return failed("", "the remains of a run cannot be removed", t.forget())
		}
		r := Recovery{Run: t.name(), Err: left}
		needed, err := w.recover(t, &r, mode)
		if err != nil {
			return failed("", "run "+r.Run+" cannot be recovered", err)
		}
		done, undecided = append(done, r), append(undecided, needed...)
		return nil
	})
	w.forget()
	return done, errors.Join(err, errors.Join(undecided...))
}

// recover finishes one open run, unless r.Err says why it must be left, and adds to r what it did: it
// completes the run if all its files were replaced and there was no check, and otherwise puts its
// files back. If files were edited since and mode is RecoverAuto, the run stays open, and each of
// needed says what the user must decide about a file.
func (w *Workspace) recover(t *transaction, r *Recovery, mode RecoverMode) (needed []error, err error) {
	isElsewhere := hasReason(r.Err, OtherTree)
	switch {
	case isElsewhere && mode == RecoverRestore: // which says that this is a copy of the run's tree
		r.Err = nil
	case isElsewhere:
		return nil, w.leave(t, r, mode)
	case r.Err != nil:
		return nil, nil
	}
	var places []place
	if t.state == runWriting { // it may have replaced files
		if err := t.bringBack(); err != nil { // saves that an earlier recovery displaced
			return nil, err
		}
		if places, err = t.survey(); err != nil {
			return nil, err
		}
	}
	stuck := stuckIn(places)
	if needed, err = w.decide(t, r, stuck, mode); len(needed) > 0 || err != nil {
		return needed, err
	}
	if replacedAll(places, mode == RecoverKeep /* allowEdited */) && !t.rec.Checked {
		r.Completed = pathsExcept(t, stuck)
		if err := t.finish(); err != nil {
			return nil, err
		}
		return nil, t.to(runDone)
	}
	// If the tree has no trace of the run, only its images show what was there: keep them.
	keep := len(stuck) > 0 || t.state == runWriting && !hasTraces(places)
	late, err := t.revert() // late are files that are stuck only now
	switch {
	case err != nil:
		return nil, err
	case len(late) > 0 && mode == RecoverAuto: // edited just now
		return w.decide(t, r, late, mode)
	case len(late) > 0: // after the decision about the others
		return nil, refuse(apply.Stale, late[0].path, "the file was edited again", "run it again")
	}
	r.Restored = pathsExcept(t, stuck)
	if keep {
		return nil, t.to(runKept)
	}
	return nil, t.forget()
}

// pathsExcept returns the paths of the files that a run changes, without those of except, and
// without those that keep somebody's edit.
func pathsExcept(t *transaction, except []*edit) (names []string) {
	for _, e := range t.changing() {
		if !e.spared && !slices.Contains(except, e) {
			names = append(names, e.path)
		}
	}
	return names
}

// decide adds the stuck files to r, and saves what the decision of the user would lose of them. With
// RecoverRestore that is the edits, and decide makes revert treat them as written by the run.
// Otherwise it is what the files held before the run. With RecoverKeep, decide makes revert leave
// the files. With RecoverAuto there is no decision, and each of needed says how to make it.
func (w *Workspace) decide(t *transaction, r *Recovery, stuck []*edit, mode RecoverMode) (needed []error, err error) {
	for _, e := range stuck {
		at := Edited{Path: e.path}
		if mode != RecoverAuto {
			err = w.saveDisplaced(t, e)
		}
		switch {
		case err != nil:
		case mode == RecoverRestore:
			at.Saved, err = w.saveEdited(t, e) // sets e.after
		default:
			at.Saved, err = w.saveBefore(t, e)
		}
		if err != nil {
			return nil, failed(e.path, "cannot be recovered", err)
		}
		e.spared = mode == RecoverKeep
		r.Edited = append(r.Edited, at)
		if mode == RecoverAuto {
			what := "was edited after run " + t.name() + " was interrupted"
			if at.Saved != "" {
				what += "; its content before the run is in " + at.Saved
			}
			needed = append(needed, refuse(RecoveryNeeded, e.path, what,
				"to keep the edits, run Workspace.Recover with RecoverKeep; "+
					"to put the files back, run Workspace.Recover with RecoverRestore"))
		}
	}
	return needed, nil
}

// saveBefore saves a copy of a pre-image and returns its name, or "" for an absent file.
func (w *Workspace) saveBefore(t *transaction, e *edit) (string, error) {
	if !e.before.exists {
		return "", nil
	}
	name, err := w.save(t, "before", e, e.before.data)
	return name, failed(e.path, "its old content cannot be saved", err)
}

// saveDisplaced saves what the temporary name of a stuck file holds, if somebody saved that before
// the run replaced the file. Then it removes the temporary name.
func (w *Workspace) saveDisplaced(t *transaction, e *edit) error {
	at, err := t.look(e)
	if err != nil || at.temp != isForeign {
		return err
	}
	raw, err := readFile(w.disk, e.temp)
	if err == nil {
		_, err = w.save(t, "saved", e, raw)
	}
	if err == nil {
		err = w.disk.Remove(e.temp)
	}
	return err
}

// saveEdited saves what a file holds and makes that its post-image, so that revert puts the file
// back. saved is the name of the copy, or "" if there is no file.
func (w *Workspace) saveEdited(t *transaction, e *edit) (saved string, err error) {
	at, err := w.resolve(e.real)
	switch {
	case err != nil:
		return "", err
	case at.real != e.real:
		return "", refuse(apply.Stale, e.path, "the path now leads elsewhere", "keep it, and put the file back by hand")
	case at.info == nil:
		e.after = image{}
		return "", nil
	}
	raw, err := w.readUpTo(e.path, at, w.limitOf(e))
	if err != nil {
		return "", err
	}
	e.after = imageOf(at.info, raw)
	return w.save(t, "edited", e, raw)
}

// save writes a copy of data next to the run's file, so that it is pruned together with the run,
// and returns its absolute name, such as ".../runs/7.before-0-a.go" for edit 0 of run 7, where what
// is "before". save never overwrites a copy of other content from an earlier recovery, because that
// may be the only one.
func (w *Workspace) save(t *transaction, what string, e *edit, data []byte) (string, error) {
	i := slices.IndexFunc(t.edits, func(other edit) bool { return other.temp == e.temp })
	base := path.Base(e.real)
	base = base[max(0, len(base)-100):] // the length of names is limited
	name := fmt.Sprintf(".%s-%d-%s", what, i, base)
	for n := 2; ; n++ {
		at := runFile(t.number, runState(name))
		old, err := readFile(w.state, at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if err = w.state.writeFile(at, true /* sync */, data); err != nil {
				_ = w.state.Remove(at) // a part of it
			}
		case err == nil && !bytes.Equal(old, data):
			name = fmt.Sprintf(".%s-%d.%d-%s", what, i, n, base)
			continue
		}
		if err != nil {
			return "", err
		}
		return filepath.Join(w.state.dir, at), w.state.SyncDir(runsDir)
	}
}

// leave handles a run that was made in another directory. It touches nothing below this one, and
// saves copies of the pre-images next to the run's record. With RecoverKeep it closes the run
// and clears r.Err; otherwise the run stays open.
func (w *Workspace) leave(t *transaction, r *Recovery, mode RecoverMode) error {
	for _, e := range t.changing() {
		if _, err := w.saveBefore(t, e); err != nil {
			return err
		}
	}
	if mode != RecoverKeep {
		return nil
	}
	r.Err = nil
	return t.to(runKept)
}

// checkHere returns an error if a run was made in another directory than the one that is at its path
// now: where that was, and what to do.
func (w *Workspace) checkHere(t *transaction) error {
	here, err := w.identity()
	if err != nil || here.same(t.rec.Tree) {
		return err
	}
	what := "run %s was made in another directory, which was at %s (on %s, %s); the old contents of its files are in %s"
	copies := filepath.Join(w.state.dir, runFile(t.number, ".before-*"))
	return refuse(OtherTree, "",
		fmt.Sprintf(what, t.name(), t.rec.Root, t.rec.Tree.Host, t.rec.Time.Format(time.DateOnly), copies),
		"if that tree has moved, move it back; if this is a copy of it, run Workspace.Recover with RecoverRestore"+
			"; if it no longer exists, run Workspace.Recover with RecoverKeep")
}
