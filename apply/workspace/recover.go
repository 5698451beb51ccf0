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
	// Err is why the run was left as it is: its record is damaged ([JournalDamaged]) or newer
	// ([JournalVersion]), or it was made in another directory ([OtherTree]).
	Err error
}

// Edited is a file of an interrupted run that somebody has edited since.
type Edited struct {
	Path string
	// Saved is the absolute name of a copy: of the pre-image where the file was left as it is, of
	// the edited content where the pre-image was put back; "" when that was an absent file.
	Saved string
}

// openRun is a run that has not reached its commit point.
type openRun struct {
	number int
	state  runState
	// run is nil when it had not begun, or its record is damaged or newer; that is err.
	run *transaction
	rec *record
	err error
	// elsewhere: it was made in another directory than is at its path now.
	elsewhere bool
}

func (o *openRun) name() string { return strconv.Itoa(o.number) }

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
		r := Recovery{Run: o.name(), Err: o.err}
		if o.elsewhere {
			r.Err = w.otherTree(o)
		}
		var err error
		if o.state == runWriting && r.Err == nil {
			err = o.run.foresee(&r)
		}
		found = append(found, r)
		return err
	})
	return found, err
}

// foresee notes what recovery will do about a run whose files may be replaced.
func (t *transaction) foresee(r *Recovery) error {
	stuck, err := t.stuck()
	if err != nil {
		return err
	}
	for _, e := range stuck {
		r.Edited = append(r.Edited, Edited{Path: e.path})
	}
	if len(stuck) > 0 { // nothing is touched without a decision
		return nil
	}
	whole, err := t.whole(false)
	for _, e := range t.work() {
		at, lookErr := t.look(e)
		switch {
		case err != nil || lookErr != nil:
			return errors.Join(err, lookErr)
		case whole && !t.checked:
			r.Completed = append(r.Completed, e.path)
		case at.file == isAfter && (at.temp != isAfter || at.one):
			r.Restored = append(r.Restored, e.path)
		}
	}
	return nil
}

// eachOpen visits the open runs, newest first.
func (w *Workspace) eachOpen(visit func(*openRun) error) error {
	j := journal{w.state}
	runs, err := j.runs(runNew, runBegun, runWriting)
	if err != nil {
		return failed("", "the open runs cannot be listed", err)
	}
	for _, found := range slices.Backward(runs) {
		o := &openRun{number: found.number, state: found.state}
		if o.state != runNew {
			o.run, o.rec, err = j.open(w.disk, o.number, o.state)
		}
		if isBroken(err) {
			o.err, err = err, nil
		}
		if err == nil && o.run != nil {
			var here rootRecord
			here, err = w.identity()
			o.elsewhere = !here.same(o.rec.Tree)
		}
		if err != nil {
			return failed("", "the journal cannot be read", err)
		}
		if err := visit(o); err != nil {
			return err
		}
	}
	return nil
}

// recoverAll finishes every open run. The caller holds the lock.
func (w *Workspace) recoverAll(mode RecoverMode) (done []Recovery, err error) {
	var undecided []error
	err = w.eachOpen(func(o *openRun) error {
		if o.state == runNew {
			return failed("", "the remains of a run cannot be removed", w.state.Remove(runFile(o.number, o.state)))
		}
		r := Recovery{Run: o.name(), Err: o.err}
		var needed []error
		if o.err == nil {
			if needed, err = w.recover(o, &r, mode); err != nil {
				return failed("", "run "+o.name()+" cannot be recovered", err)
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
	t := o.run
	if o.elsewhere && mode != RecoverRestore {
		return nil, w.leave(o, r, mode)
	}
	var stuck []*edit
	keep := false
	if t.state == runWriting {
		if err := t.bringBack(); err != nil {
			return nil, err
		}
		if stuck, err = t.stuck(); err != nil {
			return nil, err
		}
		if len(stuck) > 0 && mode == RecoverAuto {
			return w.ask(o, r, stuck)
		}
		whole, err := t.whole(mode == RecoverKeep)
		if err != nil {
			return nil, err
		}
		if err := w.decide(o, r, stuck, mode); err != nil {
			return nil, err
		}
		if whole && !t.checked {
			r.Completed = pathsBut(t, stuck)
			if err := t.finish(); err != nil {
				return nil, err
			}
			return nil, t.to(runDone)
		}
		// Without a trace of the run its images are all that says what was there.
		traces, err := t.traces()
		if err != nil {
			return nil, err
		}
		keep = len(stuck) > 0 || !traces
	}
	late, err := t.revert()
	switch {
	case err != nil:
		return nil, err
	case len(late) > 0 && mode == RecoverAuto: // edited this moment
		return w.ask(o, r, late)
	case len(late) > 0:
		return nil, refuse(apply.Stale, late[0].path, "the file was edited again", "run it again")
	}
	r.Restored = pathsBut(t, stuck)
	if keep {
		return nil, t.to(runKept)
	}
	return nil, t.forget()
}

// pathsBut are the paths of a run's files but of some.
func pathsBut(t *transaction, but []*edit) (names []string) {
	for _, e := range t.work() {
		if !slices.Contains(but, e) {
			names = append(names, e.path)
		}
	}
	return names
}

// ask says which files were edited since, and where their pre-images are.
func (w *Workspace) ask(o *openRun, r *Recovery, edited []*edit) (needed []error, err error) {
	for _, e := range edited {
		at := Edited{Path: e.path}
		what := "was edited after run " + o.name() + " was interrupted"
		if at.Saved, err = w.saveBefore(o, e); err != nil {
			return nil, err
		}
		if at.Saved != "" {
			what += "; its content before the run is in " + at.Saved
		}
		r.Edited = append(r.Edited, at)
		needed = append(needed, refuse(RecoveryNeeded, e.path, what,
			"to keep the edits, run Workspace.Recover with RecoverKeep; "+
				"to put the files back, run Workspace.Recover with RecoverRestore"))
	}
	return needed, nil
}

// decide saves what would be lost of stuck files by the user's decision. Afterwards revert either
// leaves them or takes what they hold for the run's.
func (w *Workspace) decide(o *openRun, r *Recovery, stuck []*edit, mode RecoverMode) error {
	for _, e := range stuck {
		at := Edited{Path: e.path}
		err := w.saveDisplaced(o, e)
		if err == nil && mode == RecoverRestore {
			at.Saved, err = w.saveEdited(o, e)
		} else if err == nil {
			e.spared = true
			at.Saved, err = w.saveBefore(o, e)
		}
		if err != nil {
			return failed(e.path, "cannot be recovered", err)
		}
		r.Edited = append(r.Edited, at)
	}
	return nil
}

// saveBefore keeps a copy of a pre-image.
func (w *Workspace) saveBefore(o *openRun, e *edit) (string, error) {
	if !e.before.exists {
		return "", nil
	}
	name, err := w.save(o, "before", e, e.before.data)
	return name, failed(e.path, "its old content cannot be saved", err)
}

// saveDisplaced keeps what somebody saved before the run replaced it, where a later save has the
// name of the file.
func (w *Workspace) saveDisplaced(o *openRun, e *edit) error {
	at, err := o.run.look(e)
	if err != nil || at.temp != isForeign || at.one {
		return err
	}
	raw, err := w.state.readOf(w.disk, e.temp)
	if err == nil {
		_, err = w.save(o, "saved", e, raw)
	}
	if err == nil {
		err = w.disk.Remove(e.temp)
	}
	return err
}

// saveEdited keeps what a file holds, which then counts as the run's.
func (w *Workspace) saveEdited(o *openRun, e *edit) (saved string, err error) {
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
	return w.save(o, "edited", e, raw)
}

// save keeps a copy among a run's files, where pruning finds it together with the run, and returns
// its absolute name. A copy that an earlier pass has made of other content stays: it may be the
// only one.
func (w *Workspace) save(o *openRun, what string, e *edit, data []byte) (string, error) {
	i := slices.IndexFunc(o.run.edits, func(other edit) bool { return other.temp == e.temp })
	base := path.Base(e.real)
	base = base[max(0, len(base)-100):] // names have a greatest length
	name := fmt.Sprintf(".%s-%d-%s", what, i, base)
	for n := 2; ; n++ {
		at := runFile(o.number, runState(name))
		old, err := w.state.readFile(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = w.state.writeFile(at, data, true)
		case err == nil && !bytes.Equal(old, data):
			name = fmt.Sprintf(".%s-%d.%d-%s", what, i, n, base)
			continue
		}
		if err != nil {
			return "", err
		}
		return filepath.Join(w.state.dir, at), w.state.SyncDir(doneRuns)
	}
}

// leave treats a run of another directory: nothing below this one is touched. Its pre-images are
// kept under the names of their files, and with RecoverKeep it is closed.
func (w *Workspace) leave(o *openRun, r *Recovery, mode RecoverMode) error {
	for _, e := range o.run.work() {
		if _, err := w.saveBefore(o, e); err != nil {
			return err
		}
	}
	if mode != RecoverKeep {
		r.Err = w.otherTree(o)
		return nil
	}
	return o.run.to(runKept)
}

// otherTree says of a run of another directory where that was, and what can be done.
func (w *Workspace) otherTree(o *openRun) error {
	what := "run %s was made in another directory, which was at %s (on %s, %s); the old contents of its files are in %s"
	copies := filepath.Join(w.state.dir, runFile(o.number, ".before-*"))
	return refuse(OtherTree, "",
		fmt.Sprintf(what, o.name(), o.rec.Root, o.rec.Tree.Host, o.rec.Time.Format(time.DateOnly), copies),
		"if that tree has moved, move it back; if this is a copy of it, run Workspace.Recover with RecoverRestore"+
			"; if it no longer exists, run Workspace.Recover with RecoverKeep")
}
