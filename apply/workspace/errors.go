package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/apply"
)

// Reasons that stop a whole run. Those that concern one file are constants of package apply.
const (
	// RecoveryNeeded: an earlier run was interrupted, and one of its files was edited afterwards.
	RecoveryNeeded apply.Reason = "recovery-needed"
	// Locked: another run is writing to the same tree.
	Locked apply.Reason = "locked"
	// NoState: there is no place to keep the journal.
	NoState apply.Reason = "no-state"
	// JournalVersion: a journal was written by a newer srpatch.
	JournalVersion apply.Reason = "journal-version"
	// JournalDamaged: a journal cannot be read, or its contents do not match their hashes.
	JournalDamaged apply.Reason = "journal-damaged"
	// OtherTree: a different directory is now at the path of an interrupted run.
	OtherTree apply.Reason = "other-tree"
	// RollbackFailed: the run failed, and its files could not be put back.
	RollbackFailed apply.Reason = "rollback-failed"
	// CheckFailed: the check (--verify) failed, so the run was rolled back.
	CheckFailed apply.Reason = "check-failed"
	// CheckKept: the check (--verify) failed, but the run stays because one of its files changed in
	// the meantime.
	CheckKept apply.Reason = "check-kept"
	// NoSuchRun: no run with this name can be undone or redone.
	NoSuchRun apply.Reason = "no-such-run"
	// Conflict: undo --merge cannot undo lines that were changed later.
	Conflict apply.Reason = "conflict"
	// Unguarded: a guard needs git, but git is missing or refuses the repository.
	Unguarded apply.Reason = "unguarded"
	// Limit: the plan is larger than a limit allows.
	Limit apply.Reason = "limit"
	// IO: the operating system reported an error, and the run was rolled back.
	IO apply.Reason = "io"
)

// Problem is a refusal of the workspace. Use [errors.AsType] to find it inside the
// [apply.ReasonError] that carries its code.
type Problem struct {
	// Path is slash-separated and relative to the root; "" when the problem is not about one file.
	Path string
	// What is wrong, as one lower-case clause.
	What string
	// Remedy is what the caller can do, in terms of this package, or "" if there is nothing.
	Remedy string
	// Err is the cause, or nil.
	Err error
}

// Error returns, for example, "a.go: cannot be read: permission denied; check the permissions".
func (p *Problem) Error() string {
	var b strings.Builder
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	b.WriteString(p.What)
	if p.Err != nil {
		fmt.Fprintf(&b, ": %v", cause(p.Err))
	}
	if p.Remedy != "" {
		b.WriteString("; " + p.Remedy)
	}
	return b.String()
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Err }

// cause strips the operation and the path that package os puts around a system error, because a
// Problem has a path of its own.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// refuse returns a [Problem] without a cause, with its code.
func refuse(reason apply.Reason, path, what, remedy string) error {
	return &apply.ReasonError{Reason: reason, Err: &Problem{Path: path, What: what, Remedy: remedy}}
}

// refuseErr is refuse with a cause.
func refuseErr(reason apply.Reason, path, what, remedy string, err error) error {
	return &apply.ReasonError{Reason: reason, Err: &Problem{Path: path, What: what, Remedy: remedy, Err: err}}
}

// remedyHeld is the remedy if another program keeps a file open longer than patiently retries.
const remedyHeld = "another program holds the file; close it there, and run again"

// failed wraps a file system error that stopped a run, about the file path or, if that is "", the
// run as a whole. what says what failed, such as "cannot be read". It returns nil, errors that
// already carry a reason, and errors of an ended context as they are.
func failed(path, what string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*apply.ReasonError](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	reason, remedy := IO, ""
	switch {
	case inUse(err):
		remedy = remedyHeld
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		reason, remedy = apply.NotWritable, "check the permissions of the file and its directory"
	case errors.Is(err, syscall.ENOSPC):
		remedy = "make room on the disk, and run again"
	}
	return refuseErr(reason, path, what, remedy, err)
}

// hasReason reports whether err carries one of the reasons.
func hasReason(err error, reasons ...apply.Reason) bool {
	e, ok := errors.AsType[*apply.ReasonError](err)
	return ok && slices.Contains(reasons, e.Reason)
}
