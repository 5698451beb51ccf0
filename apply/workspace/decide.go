package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/srpatch/srpatch/apply"
)

// Edited is a file of an interrupted run that somebody has edited since.
type Edited struct {
	Path string
	// Saved is the absolute name of a copy: of the pre-image where the file was left as it is, of
	// the edited content where the pre-image was put back; "" when that was an absent file.
	Saved string
}

// ask says which files were edited since, and where their pre-images are.
func (w *Workspace) ask(o *openRun, r *Recovery, edited []int) (needed []error, err error) {
	r.Temporary = 0 // they stay until it is decided
	for _, i := range edited {
		e := &o.run.edits[i]
		at := Edited{Path: e.path}
		what := "was edited after run " + o.name + " was interrupted"
		if e.before.exists {
			saved, err := w.save(o.dir, "before", i, e, e.before.data)
			if err != nil {
				return nil, failed(e.path, "its old content cannot be saved", err)
			}
			at.Saved = filepath.Join(w.state.dir, o.dir, saved)
			what += "; its content before the run is in " + at.Saved
		}
		r.Edited = append(r.Edited, at)
		needed = append(needed, refuse(RecoveryNeeded, e.path, what, "to keep the edits, run Workspace.Recover with RecoverKeep; to put the files back, run Workspace.Recover with RecoverRestore"))
	}
	return needed, nil
}

// decide treats the files that hold neither image as the user has decided.
func (w *Workspace) decide(o *openRun, r *Recovery, foreign []int, mode RecoverMode) (err error) {
	for _, i := range foreign {
		e := &o.run.edits[i]
		at, saved := Edited{Path: e.path}, ""
		if mode == RecoverRestore {
			// Before its first file goes, so that no later pass takes the run for one that can be
			// forgotten.
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

// restoreEdited puts a pre-image back, and keeps the content that it replaces.
func (w *Workspace) restoreEdited(dir string, i int, e *edit) (saved string, err error) {
	at, err := w.resolve(e.real)
	switch {
	case err != nil:
		return "", err
	case at.real != e.real:
		return "", refuse(apply.Stale, e.path, "the path now leads elsewhere", "keep it, and put the file back by hand")
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

// save keeps a copy among a run's files, where pruning finds it together with the run, and returns
// its name there. i is the file's place in the record. A copy that an earlier pass has made of
// other content stays: it may be the only one.
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
