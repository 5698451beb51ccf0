package workspace

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// Kind is what a run did.
type Kind string

const (
	KindApply Kind = "apply"
	KindUndo  Kind = "undo"
	KindRedo  Kind = "redo"
)

// Run is an entry of the log.
type Run struct {
	// ID names the run for Undo and Redo. Runs of one tree are numbered in their order.
	ID   string
	Kind Kind
	// Of is the run that this undo undid, or the undo that this redo took back.
	Of string
	// Time is when the run began.
	Time time.Time
	// Replies are the run's [Options.Replies] and those of [Workspace.StandsFor].
	Replies []string
	blocks  []string // the sums of their blocks that are applied to the run's files
	file    foundRun // in the journal
	// Interrupted reports whether Recover closed the run before its end. It cannot be undone.
	Interrupted bool
	Files       []RunFile
	// Err says why the record cannot be read, or is nil. If it is set, only ID is known.
	Err error
}

// RunFile is what a run did to one file. A move is a creation and a deletion.
type RunFile struct {
	Path   string
	From   string // the old path of a moved file
	Action apply.Action
	// Before and After are SHA-256 hashes of the file's bytes, in hexadecimal; "" for an absent
	// file.
	Before, After string
	// Undone reports whether a later run that is in force has undone this change.
	Undone bool
}

// InForce reports whether the change of at least one file has not been undone.
func (r *Run) InForce() bool {
	return !r.Interrupted && slices.ContainsFunc(r.Files, func(f RunFile) bool { return !f.Undone })
}

// Log returns the runs, newest first. A record that cannot be read does not hide the others.
func (w *Workspace) Log() ([]Run, error) { return w.newest(math.MaxInt) }

// newest returns the n newest runs, or all if there are fewer, newest first. It keeps them for the
// next call. A run is marked as undone only by newer ones, so the older ones aren't needed.
func (w *Workspace) newest(n int) ([]Run, error) {
	w.logMu.Lock()
	defer w.logMu.Unlock()
	if n <= w.runsRead {
		return w.runs[:min(n, len(w.runs))], nil
	}
	s, err := w.openState(false /* create */)
	if err != nil || s == nil {
		return nil, err
	}
	found, err := s.runs(runDone, runKept)
	if err != nil {
		return nil, failed("", "the log cannot be read", err)
	}
	w.runs, w.runsRead = nil, n
	undone := map[[2]string]bool{}
	for _, at := range slices.Backward(found[max(0, len(found)-n):]) {
		if run := s.read(at, undone); run != nil {
			w.runs = append(w.runs, *run)
		}
	}
	return w.runs, nil
}

// read returns a run of the log, or nil if it has just been pruned. If its record can't be read, the
// result only has its number and the error. undone says which changes newer runs in force have
// undone, by run and path. If the run is itself an undo in force, read adds what it has undone.
func (s *state) read(found foundRun, undone map[[2]string]bool) *Run {
	id := strconv.Itoa(found.number)
	rec, err := s.load(found)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return &Run{ID: id, Err: failed("", "the record of run "+id+" cannot be read", err)}
	}
	run := &Run{ID: id, Kind: rec.Kind, Of: rec.Of, Time: rec.Time, Replies: rec.Replies, blocks: rec.Blocks,
		file: found, Interrupted: found.state == runKept}
	for _, f := range rec.Files {
		file := RunFile{Path: f.Path, From: f.From, Action: f.Action, Undone: undone[[2]string{run.ID, f.Path}]}
		if f.Before != nil {
			file.Before = f.Before.SHA256
		}
		if f.After != nil {
			file.After = f.After.SHA256
		}
		isUndo := run.Of != "" // or the redo, which undoes an undo
		if isUndo && !file.Undone && !run.Interrupted {
			undone[[2]string{run.Of, file.Path}] = true
		}
		run.Files = append(run.Files, file)
	}
	return run
}
