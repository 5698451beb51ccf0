package workspace

import (
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
	// RecoverRestore puts the pre-images back; the edited content is kept beside the journal.
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
			switch state, err := w.stateOf(&e); {
			case err != nil:
				return err
			case !written || state == isBefore:
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
		var foreign []edit
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
		if err := w.clear(edits, dirs); err != nil {
			return failed("", "temporary files of run "+r.Run+" cannot be removed", err)
		}
		done = append(done, r)
		if len(foreign) > 0 { // its images are all that tells what was there
			if err = w.state.writeFile(path.Join(dir, interruptedFile), nil, false); err == nil {
				err = (&journal{w.state, r.Run}).commit()
			}
			return failed("", "the journal cannot be closed", err)
		}
		return failed("", "the journal cannot be removed", w.state.removeRun(dir))
	})
	w.forget()
	return done, errors.Join(err, errors.Join(undecided...))
}

// decide treats the files that hold neither image. It returns what only the user can decide.
func (w *Workspace) decide(dir string, r *Recovery, edits, foreign []edit, mode RecoverMode) (needed []error, err error) {
	edited := map[string]bool{}
	for i, e := range foreign {
		edited[e.path] = true
		at := Edited{Path: e.path}
		if mode == RecoverRestore {
			if at.Saved, err = w.saveEdited(dir, i, &e); err == nil {
				err = w.restore(&e)
			}
		} else if e.before.exists {
			at.Saved, err = w.save(dir, "before", i, &e, e.before.data)
		}
		if err != nil {
			return nil, failed(e.path, "cannot be recovered", err)
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
		err = w.syncDirs(foreign, nil)
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

// save keeps a copy among a run's files, where pruning finds it together with the run.
func (w *Workspace) save(dir, what string, i int, e *edit, data []byte) (string, error) {
	base := path.Base(e.real)
	name := fmt.Sprintf("%s-%d-%s", what, i, base[max(0, len(base)-100):]) // names have a greatest length
	if err := w.state.writeFile(path.Join(dir, name), data, true); err != nil {
		return "", err
	}
	return filepath.Join(w.state.dir, filepath.FromSlash(dir), name), w.state.SyncDir(dir)
}
