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
	// Of is the run that this one undid, or the undo that it took back.
	Of string
	// Time is when the run began.
	Time time.Time
	// Replies are [Options.Replies] as they were, and those of [Workspace.StandsFor].
	Replies []string
	blocks  []string // the sums of their blocks whose results are in the run's files
	// Interrupted: the run did not reach its end, and was closed by Recover; it cannot be undone.
	Interrupted bool
	Files       []RunFile
	// Err is why the record cannot be read, nil if it can. Nothing but ID is known then.
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
	// Undone: a later run, itself in force, has taken this back.
	Undone bool
}

// InForce reports whether some file's change has not been undone.
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

// history is the log as far as it has been read.
type history struct {
	begun  bool
	runs   []Run              // newest first
	unread []foundRun         // the runs before them, ascending
	recent []byte             // see recent
	taken  map[[2]string]bool // run and path, taken back by a run in force
}

// logged is the i-th newest run, or nil; the runs after it have been asked for before. The caller
// holds w.logMu.
func (w *Workspace) logged(i int) (*Run, error) {
	s, err := w.openState(false)
	if err != nil || s == nil {
		if w.unjournaled(err) {
			err = nil
		}
		return nil, err
	}
	h := &w.history
	if !h.begun {
		found, err := journal{s}.runs(runDone, runKept)
		if err != nil {
			return nil, failed("", "the log cannot be read", err)
		}
		h.begun, h.unread, h.taken = true, found, map[[2]string]bool{}
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

// read adds a run, unless it is being pruned. All that may have taken it back are newer, and there
// already.
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
		Interrupted: found.state == runKept}
	for _, f := range rec.Files {
		file := RunFile{Path: f.Path, From: f.From, Action: f.Action, Undone: h.taken[[2]string{run.ID, f.Path}]}
		if f.Before != nil {
			file.Before = f.Before.SHA256
		}
		if f.After != nil {
			file.After = f.After.SHA256
		}
		if run.Of != "" && !file.Undone && !run.Interrupted {
			h.taken[[2]string{run.Of, file.Path}] = true
		}
		run.Files = append(run.Files, file)
	}
	h.runs = append(h.runs, run)
}
