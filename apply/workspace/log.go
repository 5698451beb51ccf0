package workspace

import (
	"errors"
	"io/fs"
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
func (w *Workspace) Log() ([]Run, error) {
	w.logMu.Lock()
	defer w.logMu.Unlock()
	for i := 0; ; i++ {
		if run, err := w.logged(i); run == nil || err != nil {
			return w.history.runs, err
		}
	}
}

// history is the part of the log that has been read.
type history struct {
	begun  bool
	runs   []Run              // newest first
	unread []foundRun         // the runs before them, ascending
	undone map[[2]string]bool // by run and path: whether a run in force has undone the change
}

// logged returns the i-th newest run, 0-based, or nil if there are fewer or no journal. It reads
// runs only as far as needed, and keeps them in w.history. The caller holds w.logMu.
func (w *Workspace) logged(i int) (*Run, error) {
	s, err := w.openState(false /* create */)
	if err != nil || s == nil {
		return nil, err
	}
	h := &w.history
	if !h.begun {
		found, err := journal{s}.runs(runDone, runKept)
		if err != nil {
			return nil, failed("", "the log cannot be read", err)
		}
		h.begun, h.unread, h.undone = true, found, map[[2]string]bool{}
	}
	for i >= len(h.runs) && len(h.unread) > 0 {
		last := len(h.unread) - 1
		h.read(s, h.unread[last])
		h.unread = h.unread[:last]
	}
	if i >= len(h.runs) {
		return nil, nil
	}
	return &h.runs[i], nil
}

// read adds the run that found names to h.runs, unless it has just been pruned. If its record can't
// be read, only its number and the error are added. The runs that may have undone it are newer, so
// they have been read before. If it's itself an undo in force, read records in h.undone what it has
// undone.
func (h *history) read(s *state, found foundRun) {
	id := strconv.Itoa(found.number)
	rec, err := journal{s}.load(found.number, found.state)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		h.runs = append(h.runs, Run{ID: id, Err: failed("", "the record of run "+id+" cannot be read", err)})
		return
	}
	run := Run{ID: id, Kind: rec.Kind, Of: rec.Of, Time: rec.Time, Replies: rec.Replies, blocks: rec.Blocks,
		file: found, Interrupted: found.state == runKept}
	for _, f := range rec.Files {
		file := RunFile{Path: f.Path, From: f.From, Action: f.Action, Undone: h.undone[[2]string{run.ID, f.Path}]}
		if f.Before != nil {
			file.Before = f.Before.SHA256
		}
		if f.After != nil {
			file.After = f.After.SHA256
		}
		isUndo := run.Of != "" // or the redo, which undoes an undo
		if isUndo && !file.Undone && !run.Interrupted {
			h.undone[[2]string{run.Of, file.Path}] = true
		}
		run.Files = append(run.Files, file)
	}
	h.runs = append(h.runs, run)
}
