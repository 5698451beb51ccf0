package report

import (
	"io"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// Turn is what undo --json and redo --json print.
type Turn struct {
	Version int          `json:"version"`
	Status  apply.Status `json:"status"`
	// Run names the run that was made; "" of a merge that changes nothing.
	Run  string `json:"run,omitempty"`
	Kind string `json:"kind"`
	// Of is the run that was taken back.
	Of       string   `json:"of,omitempty"`
	Files    []File   `json:"files"`
	Warnings []string `json:"warnings"`
	Error    *Error   `json:"error,omitempty"`
}

// JSON writes t as one object and a newline.
func (t *Turn) JSON(w io.Writer) error {
	t.Version = 1
	if t.Files == nil {
		t.Files = []File{}
	}
	if t.Warnings == nil {
		t.Warnings = []string{}
	}
	return encoder(w).Encode(t)
}

// Log is what log --json prints.
type Log struct {
	Version int `json:"version"`
	// Runs are the runs that are known, newest first.
	Runs  []LoggedRun `json:"runs"`
	Error *Error      `json:"error,omitempty"`
}

// LoggedRun is the wire form of a run in the log.
type LoggedRun struct {
	Run  string    `json:"run"`
	Kind string    `json:"kind"`
	Of   string    `json:"of,omitempty"`
	Time time.Time `json:"time,omitzero"`
	// Reply is the SHA-256 of the reply, if that is known.
	Reply string `json:"reply,omitempty"`
	// InForce: undo can take the run, or a part of it, back.
	InForce bool `json:"in_force"`
	// Commit is git's name of the commit that has the run; "" for none that srpatch made.
	Commit      string `json:"commit,omitempty"`
	Interrupted bool   `json:"interrupted"`
	// Unverified: nobody has verified the run yet, although that was asked for.
	Unverified bool `json:"unverified,omitempty"`
	// Uncommitted: git has not made the commit that was asked for.
	Uncommitted bool         `json:"uncommitted,omitempty"`
	Files       []LoggedFile `json:"files"`
	// Error is why the run's record cannot be read; only Run is known then.
	Error *Error `json:"error,omitempty"`
}

// LoggedFile is the wire form of a file that a run in the log changed.
type LoggedFile struct {
	File
	// Undone: a later run has taken this back.
	Undone bool `json:"undone"`
}

// JSON writes l as one object and a newline.
func (l *Log) JSON(w io.Writer) error {
	l.Version = 1
	if l.Runs == nil {
		l.Runs = []LoggedRun{}
	}
	return encoder(w).Encode(l)
}
