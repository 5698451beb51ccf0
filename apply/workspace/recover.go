package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"

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
	// Restored are the files that hold their pre-images (again). For [Workspace.Pending] they are the files that recovery
	// will put back.
	Restored []string
	// Edited are the files that hold neither of the run's images.
	Edited []Edited
}

// Edited is a file of an interrupted run that somebody has edited since.
type Edited struct {
	Path string
	// Saved is the absolute name of a copy: of the pre-image where the file was left as it is, of the edited content
	// where the pre-image was put back; "" when that was an absent file.
	Saved string
}

// Recover finishes what interrupted runs have left: their files get their pre-images back where they still hold one of the
// run's images. Files that somebody has edited since are treated as mode says; with RecoverAuto they are an error,
// [RecoveryNeeded]. Every writing call begins with a Recover of RecoverAuto.
func (w *Workspace) Recover(ctx context.Context, mode RecoverMode) ([]Recovery, error) {
	if w.lock == nil {
		if err := w.takeLock(ctx); err != nil || w.state == nil {
			return nil, err
		}
	}
	defer w.unlock()
	return w.recoverAll(mode)
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
	err = w.eachOpen(func(dir string, r Recovery, edits []edit, dirs []string, written bool) error {
		for _, e := range edits {
			state, err := w.stateOf(&e)
			waiting := false
			if err == nil && state == isForeign {
				waiting, err = w.waiting(&e)
			}
			switch {
			case err != nil:
				return err
			case !written || waiting || state == isBefore:
			case state == isForeign:
				r.Edited = append(r.Edited, Edited{Path: e.path})
			default:
				r.Restored = append(r.Restored, e.path)
			}
		}
		found = append(found, r)
		return nil
	})
	return found, err
}

// eachOpen visits the runs that have not reached their commit point, newest first. Directories without a record were
// left before the run had begun, or after it was rolled back: edits is nil.
func (w *Workspace) eachOpen(visit func(dir string, r Recovery, edits []edit, dirs []string, written bool) error) error {
	runs, err := w.state.runs(openRuns)
	if err != nil {
		return failed("", "the open runs cannot be listed", err)
	}
	for i := len(runs) - 1; i >= 0; i-- {
		r := Recovery{Run: strconv.Itoa(runs[i])}
		dir := path.Join(openRuns, r.Run)
		rec, err := w.state.load(dir)
		if errors.Is(err, fs.ErrNotExist) {
			if err := visit(dir, r, nil, nil, false); err != nil {
				return err
			}
			continue
		}
		var (
			edits []edit
			dirs  []string
		)
		if err == nil {
			edits, dirs, err = w.state.edits(dir, rec)
		}
		if err != nil {
			return failed("", "the journal cannot be read", err)
		}
		_, err = w.state.Lstat(path.Join(dir, markFile))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failed("", "the journal cannot be read", err)
		}
		if err := visit(dir, r, edits, dirs, err == nil); err != nil {
			return err
		}
	}
	return nil
}

// recoverAll finishes every open run. The caller holds the lock.
func (w *Workspace) recoverAll(mode RecoverMode) (done []Recovery, err error) {
	var undecided []error
	err = w.eachOpen(func(dir string, r Recovery, edits []edit, dirs []string, written bool) error {
		if edits == nil {
			return failed("", "the remains of a run cannot be removed", w.state.removeRun(dir))
		}
		var foreign []int
		if written {
			if foreign, err = w.putBack(edits); err != nil {
				return failed("", "run "+r.Run+" cannot be rolled back", err)
			}
		}
		for _, e := range edits {
			r.Restored = append(r.Restored, e.path)
		}
		if len(foreign) > 0 {
			r.Restored = nil
			needed, err := w.decide(dir, &r, edits, foreign, mode)
			if err != nil {
				return failed("", "run "+r.Run+" cannot be recovered", err)
			}
			if undecided = append(undecided, needed...); len(needed) > 0 {
				done = append(done, r)
				return nil
			}
		}
		// Where somebody's edits were decided on, the images are all that says what was there.
		closed, err := w.state.closed(dir)
		if err == nil && !closed && len(foreign) > 0 {
			closed, err = true, w.state.writeFile(path.Join(dir, interruptedFile), nil, true)
		}
		if err == nil {
			err = w.state.settle(dir)
		}
		if err != nil {
			return failed("", "the journal cannot be closed", err)
		}
		if err := w.clear(edits, dirs); err != nil {
			return failed("", "temporary files of run "+r.Run+" cannot be removed", err)
		}
		done = append(done, r)
		if closed {
			return failed("", "the journal cannot be closed", (&journal{state: w.state, run: r.Run}).commit())
		}
		return failed("", "the journal cannot be removed", w.state.removeRun(dir))
	})
	w.forget()
	return done, errors.Join(err, errors.Join(undecided...))
}

// decide treats the files that hold neither image. It returns what only the user can decide.
func (w *Workspace) decide(dir string, r *Recovery, edits []edit, foreign []int, mode RecoverMode) (needed []error, err error) {
	edited := map[string]bool{}
	where := openRuns
	if mode != RecoverAuto {
		where = doneRuns // for the run is closed then, and its directory moves
	}
	for _, i := range foreign {
		e := &edits[i]
		edited[e.path] = true
		at, saved := Edited{Path: e.path}, ""
		if mode == RecoverRestore {
			// Before its first file goes, so that no later pass takes the run for one that can be forgotten.
			if err = w.state.writeFile(path.Join(dir, interruptedFile), nil, true); err == nil {
				saved, err = w.saveEdited(dir, i, e)
			}
			if err == nil {
				err = w.restore(e)
			}
		} else if e.before.exists {
			saved, err = w.save(dir, "before", i, e, e.before.data)
		}
		if err != nil {
			return nil, failed(e.path, "cannot be recovered", err)
		}
		if saved != "" {
			at.Saved = filepath.Join(w.state.dir, where, r.Run, saved)
		}
		r.Edited = append(r.Edited, at)
		if mode == RecoverAuto {
			what := "was edited after run " + r.Run + " was interrupted"
			if at.Saved != "" {
				what += "; what it held before the run is in " + at.Saved
			}
			needed = append(needed, refuse(RecoveryNeeded, e.path, what, "run: srpatch recover --keep, or srpatch recover --restore"))
		}
	}
	for _, e := range edits {
		if !edited[e.path] {
			r.Restored = append(r.Restored, e.path)
		}
	}
	if mode == RecoverRestore {
		err = w.syncDirs(edits, nil)
	}
	return needed, err
}

// saveEdited keeps the content that a pre-image is about to replace.
func (w *Workspace) saveEdited(dir string, i int, e *edit) (string, error) {
	at, err := w.resolve(e.real)
	switch {
	case err != nil:
		return "", err
	case at.real != e.real:
		return "", refuse(apply.Stale, e.path, "the path leads elsewhere since", "keep it, and put the file back by hand")
	case at.info == nil:
		return "", nil
	}
	raw, err := w.readRecorded(e, at)
	if err != nil {
		return "", err
	}
	return w.save(dir, "edited", i, e, raw)
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

// closed reports whether a run was to be kept as an interrupted one.
func (s *state) closed(dir string) (bool, error) {
	_, err := s.Lstat(path.Join(dir, interruptedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
