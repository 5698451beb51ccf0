package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
)

// committingDir has, by the run, what is noted of commits that git is making.
const committingDir = "committing"

// unlogged stands for a run without a journal.
const unlogged = "0"

// WillCommit keeps a note with the run that the next [Workspace.Commit] makes, as [Workspace.BeginCommit] does, before the run is in the log.
func (w *Workspace) WillCommit(note []byte) { w.toCommit = note }

// BeginCommit keeps a JSON object about the commit of a run that git is about to make, until [Workspace.EndCommit]. A run without a journal is "0".
func (w *Workspace) BeginCommit(run string, note []byte) error {
	s, err := w.openState(true)
	if err != nil || s == nil {
		if w.unjournaled(err) {
			err = nil
		}
		return err
	}
	if err = s.Mkdir(committingDir, 0o700); err == nil {
		err = s.SyncDir(".")
	} else if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err == nil {
		err = s.writeFile(path.Join(committingDir, run), append(seal(note), '\n'), true)
	}
	if err == nil && w.committing[run] == nil {
		w.committing[run], err = s.lockNote(run) // nobody else takes it for one that is left
	}
	if err == nil {
		err = s.SyncDir(committingDir)
	}
	return failed("", "the commit cannot be recorded", err)
}

// EndCommit forgets what [Workspace.BeginCommit] has kept of a run.
func (w *Workspace) EndCommit(run string) error {
	if f := w.committing[run]; f != nil {
		delete(w.committing, run)
		_ = f.Close()
	}
	defer w.forget()
	s, err := w.openState(false)
	if err == nil && s != nil {
		if err = s.Remove(path.Join(committingDir, run)); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return failed("", "the record of a commit cannot be removed", err)
}

// lockNote locks a note; nil if another process does.
func (s *state) lockNote(run string) (file, error) {
	f, err := s.Open(path.Join(committingDir, run), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	if held, err := tryLock(f, false); held || err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// OpenCommits visits the notes whose writer has ended, the oldest run first. What finish reports as done is forgotten.
func (w *Workspace) OpenCommits(ctx context.Context, finish func(run string, note []byte) (done bool)) error {
	s, err := w.openState(false)
	if err != nil || s == nil {
		return nil // as in any run
	}
	runs, _ := s.Names(committingDir)
	slices.SortFunc(runs, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	if len(runs) == 0 {
		return nil
	}
	if w.lock == nil {
		if busy, err := w.busy(); busy || err != nil {
			return err
		}
		if err := w.takeLock(ctx); err != nil {
			return err
		}
		defer w.unlock()
	}
	for _, run := range runs {
		var note []byte
		f, err := s.lockNote(run)
		if f == nil && err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			_ = f.Close() // the tree is locked: nobody else takes it
			note, err = s.readFile(path.Join(committingDir, run))
		}
		if err != nil {
			return failed("", "the record of a commit cannot be read", err)
		}
		_, gone := s.Lstat(path.Join(doneRuns, run, recordFile)) // it was rolled back, or is too old
		if !unbroken(note) || gone != nil && run != unlogged || finish(run, note) {
			if err := w.EndCommit(run); err != nil {
				return err
			}
		}
	}
	return nil
}

// letGo closes the notes of this process.
func (w *Workspace) letGo() {
	for run, f := range w.committing {
		delete(w.committing, run)
		_ = f.Close()
	}
}
