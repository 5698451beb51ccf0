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
	// Completed are the files of a run that was interrupted after it had replaced the last of them. They stay as they are, and
	// the run is in the log like any other.
	Completed []string
	// Restored are the files that hold their pre-images (again). For [Workspace.Pending] they are the files that recovery
	// will put back.
	Restored []string
	// Edited are the files that hold neither of the run's images.
	Edited []Edited
	// Images is the directory in which the run's images are kept, for no file of this tree had to get one, or a file that was half
	// overwritten may have been edited since.
	Images string
	// Err is why the run was left as it is: its record is damaged ([JournalDamaged]) or newer ([JournalVersion]), or it was made
	// in another directory ([OtherTree]).
	Err error
}

// Edited is a file of an interrupted run that somebody has edited since.
type Edited struct {
	Path string
	// Saved is the absolute name of a copy: of the pre-image where the file was left as it is, of the edited content
	// where the pre-image was put back; "" when that was an absent file.
	Saved string
}

// Recover finishes what interrupted runs have left. A run whose files all hold what it wrote is completed; otherwise its files
// get their pre-images back where they still hold one of the run's images. Files that somebody has edited since are treated
// as mode says; with RecoverAuto they are an error, [RecoveryNeeded], and nothing of the run is touched. A run that had to be left
// as it is ([Recovery.Err]) is an error, too. Every writing call begins with a recovery of RecoverAuto, for which it is none.
func (w *Workspace) Recover(ctx context.Context, mode RecoverMode) ([]Recovery, error) {
	if w.lock == nil {
		if err := w.takeLock(ctx); err != nil || w.state == nil {
			return nil, err
		}
	}
	defer w.unlock()
	done, err := w.recoverAll(mode)
	done = slices.DeleteFunc(done, func(r Recovery) bool {
		err = errors.Join(err, r.Err)
		return r.Err != nil
	})
	return done, err
}

// Pending reports the interrupted runs that the next writing run, or Recover, will finish. It changes nothing. While
// another run is at work there is nothing to report.
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
		if !o.written || o.elsewhere {
			found = append(found, r)
			return nil
		}
		states, err := w.find(o.run.edits)
		if err != nil {
			return err
		}
		edited, whole := slices.Contains(states, isForeign), o.run.replaced(states)
		for i, e := range o.run.edits {
			switch {
			case states[i] == isForeign:
				r.Edited = append(r.Edited, Edited{Path: e.path})
			case edited: // nothing is touched without a decision
			case whole:
				r.Completed = append(r.Completed, e.path)
			case states[i] == isAfter || states[i] == isTorn:
				r.Restored = append(r.Restored, e.path)
			}
		}
		found = append(found, r)
		return nil
	})
	return found, err
}

// openRun is a run that has not reached its commit point.
type openRun struct {
	name, dir string
	// run is nil when there is no record: the run had not begun, or it was rolled back and is being removed.
	run *transaction
	rec *record
	// elsewhere: it was made in another directory than is at its path now.
	elsewhere bool
	// written: files may have been replaced.
	written bool
	// err says that the record is damaged or newer, and nothing is known but the name.
	err error
}

// eachOpen visits the open runs, newest first.
func (w *Workspace) eachOpen(visit func(*openRun) error) error {
	runs, err := w.state.runs(openRuns)
	if err != nil {
		return failed("", "the open runs cannot be listed", err)
	}
	for _, n := range slices.Backward(runs) {
		o := &openRun{name: strconv.Itoa(n), dir: path.Join(openRuns, strconv.Itoa(n))}
		err := o.read(w.state)
		if err == nil && o.rec != nil && w.opt.MovedFrom == "" {
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

// read finds out what the journal says. Its error is one of reading: what it has read is in o.
func (o *openRun) read(s *state) error {
	rec, err := s.load(o.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		o.run, err = s.transaction(o.dir, rec)
	}
	if e, ok := errors.AsType[*apply.ReasonError](err); ok && (e.Reason == JournalDamaged || e.Reason == JournalVersion) {
		o.err = err
		return nil
	}
	if err != nil {
		return err
	}
	o.rec = rec
	o.written, err = s.has(path.Join(o.dir, markFile))
	return err
}

// find is the state of each file.
func (w *Workspace) find(edits []edit) ([]fileState, error) {
	var states []fileState
	for i := range edits {
		s, err := w.found(&edits[i])
		if err != nil {
			return nil, failed(edits[i].path, "cannot be read", err)
		}
		states = append(states, s)
	}
	return states, nil
}

// replaced reports whether the run had replaced its last file: each that was not edited since holds its after-image.
func (t *transaction) replaced(states []fileState) bool {
	for i, s := range states {
		if s == isTorn || s == isWaiting || s == isBefore && !t.edits[i].same() {
			return false
		}
	}
	return slices.Contains(states, isAfter)
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

// recover finishes one open run, and notes in r what it did. Where files were edited since it touches nothing, and returns what
// only the user can decide; the run stays open.
func (w *Workspace) recover(o *openRun, r *Recovery, mode RecoverMode) (needed []error, err error) {
	if o.elsewhere {
		return nil, w.leave(o, r, mode)
	}
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
	case o.run.replaced(states) && (mode == RecoverKeep || len(edited) == 0):
		return nil, w.complete(o, r, states)
	case mode == RecoverAuto && len(edited) > 0:
		return w.ask(o, r, edited)
	}
	for i, e := range o.run.edits {
		if states[i] == isTorn {
			if err := w.keepTorn(o.dir, i, &e); err != nil {
				return nil, failed(e.path, "what it holds cannot be kept", err)
			}
		}
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
	if len(foreign) > 0 || slices.Contains(states, isAfter) && !slices.Contains(states, isTorn) {
		return nil, w.close(o, len(foreign) > 0)
	}
	r.Images = filepath.Join(w.state.dir, doneRuns, o.name)
	return nil, w.close(o, true)
}

// leave treats a run of another directory: nothing below this one is touched. Its pre-images are kept under the names of their
// files, and with RecoverKeep it is closed.
func (w *Workspace) leave(o *openRun, r *Recovery, mode RecoverMode) error {
	for i, e := range o.run.edits {
		if !e.before.exists {
			continue
		}
		if _, err := w.save(o.dir, "before", i, &e, e.before.data); err != nil {
			return failed(e.path, "its pre-image cannot be kept", err)
		}
	}
	if mode != RecoverKeep {
		r.Err = w.otherTree(o)
		return nil
	}
	r.Images = filepath.Join(w.state.dir, doneRuns, o.name)
	if err := w.state.writeFile(path.Join(o.dir, interruptedFile), nil, true); err != nil {
		return err
	}
	return (&journal{state: w.state, run: o.name}).commit()
}

// otherTree says of a run of another directory where that was, and what can be done.
func (w *Workspace) otherTree(o *openRun) error {
	root := string(o.rec.Root)
	return refuse(OtherTree, "", fmt.Sprintf("run %s was made in another directory that was at %s (on %s, %s); its pre-images are in %s",
		o.name, root, o.rec.Tree.Host, o.rec.Time.Format(time.DateOnly), filepath.Join(w.state.dir, o.dir)),
		"if that tree is elsewhere now, go there, and if it is this one, restored from a copy, stay: srpatch recover --moved-from "+root+
			"; if it is gone: srpatch recover --keep")
}

// close ends an open run whose files are as they are to stay. It is kept in the log, as an interrupted one, or forgotten.
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
	return (&journal{state: w.state, run: o.name, reply: o.rec.Reply}).commit()
}

func paths(edits []edit) (names []string) {
	for _, e := range edits {
		names = append(names, e.path)
	}
	return names
}

// ask says which files were edited since, and where their pre-images are.
func (w *Workspace) ask(o *openRun, r *Recovery, edited []int) (needed []error, err error) {
	for _, i := range edited {
		e := &o.run.edits[i]
		at := Edited{Path: e.path}
		what := "was edited after run " + o.name + " was interrupted"
		if e.before.exists {
			saved, err := w.save(o.dir, "before", i, e, e.before.data)
			if err != nil {
				return nil, failed(e.path, "its pre-image cannot be kept", err)
			}
			at.Saved = filepath.Join(w.state.dir, o.dir, saved)
			what += "; what it held before the run is in " + at.Saved
		}
		r.Edited = append(r.Edited, at)
		needed = append(needed, refuse(RecoveryNeeded, e.path, what, "run: srpatch recover --keep, or srpatch recover --restore"))
	}
	return needed, nil
}

// decide treats the files that hold neither image as the user has decided.
func (w *Workspace) decide(o *openRun, r *Recovery, foreign []int, mode RecoverMode) (err error) {
	for _, i := range foreign {
		e := &o.run.edits[i]
		at, saved := Edited{Path: e.path}, ""
		if mode == RecoverRestore {
			// Before its first file goes, so that no later pass takes the run for one that can be forgotten.
			if err = w.state.writeFile(path.Join(o.dir, interruptedFile), nil, true); err == nil {
				saved, err = w.restoreEdited(o.dir, i, e)
			}
		} else if e.before.exists {
			saved, err = w.save(o.dir, "before", i, e, e.before.data)
		}
		if err != nil {
			return failed(e.path, "cannot be recovered", err)
		}
		if saved != "" {
			at.Saved = filepath.Join(w.state.dir, doneRuns, o.name, saved) // where the directory moves when the run is closed
		}
		r.Edited = append(r.Edited, at)
	}
	return w.syncDirs(o.run.edits, nil)
}

// keepTorn keeps what a file holds that was half overwritten: it may be somebody's edit.
func (w *Workspace) keepTorn(dir string, i int, e *edit) error {
	at, err := w.resolve(e.real)
	if err != nil {
		return err
	}
	raw, err := w.readRecorded(e, at)
	if err == nil {
		_, err = w.save(dir, "edited", i, e, raw)
	}
	return err
}

// restoreEdited puts a pre-image back, and keeps the content that it replaces.
func (w *Workspace) restoreEdited(dir string, i int, e *edit) (saved string, err error) {
	at, err := w.resolve(e.real)
	switch {
	case err != nil:
		return "", err
	case at.real != e.real:
		return "", refuse(apply.Stale, e.path, "the path leads elsewhere since", "keep it, and put the file back by hand")
	}
	was := ""
	if at.info != nil {
		raw, err := w.readRecorded(e, at)
		if err == nil {
			was = hash(raw)
			saved, err = w.save(dir, "edited", i, e, raw)
		}
		if err != nil {
			return "", err
		}
	}
	ours, err := w.restore(e, was)
	if err == nil && !ours {
		err = refuse(apply.Stale, e.path, "the file was edited again, or is open for writing", "run it again")
	}
	return saved, err
}

// save keeps a copy among a run's files, where pruning finds it together with the run, and returns its name there. i is the
// file's place in the record. A copy that an earlier pass has made of other content stays: it may be the only one.
func (w *Workspace) save(dir, what string, i int, e *edit, data []byte) (string, error) {
	base := path.Base(e.real)
	base = base[max(0, len(base)-100):] // names have a greatest length
	name := fmt.Sprintf("%s-%d-%s", what, i, base)
	for n := 2; ; n++ {
		at := path.Join(dir, name)
		old, err := w.state.readFile(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = w.state.writeFile(at, data, true)
		case err == nil && !bytes.Equal(old, data):
			name = fmt.Sprintf("%s-%d.%d-%s", what, i, n, base)
			continue
		}
		if err != nil {
			return "", err
		}
		return name, w.state.SyncDir(dir)
	}
}
