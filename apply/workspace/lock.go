package workspace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"
)

// runLock holds the locks of a writing run: an exclusive lock on its root, and shared locks on all
// directories above it, so that runs on nested roots wait for each other, too. On systems that
// cannot lock directories, it is an exclusive lock on [lockFile] in the tree's state.
//
// All are the operating system's locks on open files. They end when the process dies, so there are
// no stale locks.
type runLock struct {
	root file
	held []file // with the root
}

func (l *runLock) release() {
	for _, f := range slices.Backward(l.held) {
		_ = f.Close()
	}
}

// takeLock makes w the only writer of the tree, and sets w.lock. Each run locks from the outside
// in, so that there are no deadlocks: shared locks on the directories above the root, and an
// exclusive one on the root. Then takeLock opens the state, and creates it if there is none. On
// systems that can't lock directories, it only locks a file of the state.
func (w *Workspace) takeLock(ctx context.Context) (err error) {
	q := &queue{opt: &w.opt}
	l := new(runLock)
	defer func() {
		if err != nil {
			l.release()
		}
	}()
	for _, dir := range parentsOf(w.realDir) {
		if lockFile != "" { // directories can't be locked here
			break
		}
		f, err := os.Open(dir)
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
			continue // a directory that cannot be opened cannot be locked
		}
		if err := q.enter(ctx, l, dir, f, err, true /* shared */); err != nil {
			return err
		}
	}
	l.root, err = w.disk.Open(".", os.O_RDONLY, 0)
	if err := q.enter(ctx, l, w.realDir, l.root, err, false /* shared */); err != nil {
		return err
	}
	s, err := w.openState(true /* create */)
	if err != nil {
		return err
	}
	if s != nil && lockFile != "" {
		f, err := s.Open(lockFile, os.O_RDWR|os.O_CREATE, 0o600)
		if err := q.enter(ctx, l, s.dir, f, err, false /* shared */); err != nil {
			return err
		}
	}
	w.lock = l
	return nil
}

// parentsOf returns the directories above a clean absolute path, outermost first: "/" and "/a" for
// "/a/b".
func parentsOf(dir string) (dirs []string) {
	for i := range dir {
		if os.IsPathSeparator(dir[i]) && i+1 < len(dir) {
			dirs = append(dirs, dir[:max(i, 1)])
		}
	}
	return dirs
}

// queue waits for the locks of a run. Options.LockWait limits the wait for all of them together.
type queue struct {
	opt    *Options
	waited time.Duration
	said   bool // Options.Waiting has been called
}

// noticeAfter is how long a run waits before it says so.
const noticeAfter = time.Second

// enter locks a directory for l, after it has waited until nobody else holds it. The lock is shared
// if shared is set. f and err are the results of opening the directory dir. l.release closes f,
// even if enter fails. enter fails if the wait takes longer than Options.LockWait.
func (q *queue) enter(ctx context.Context, l *runLock, dir string, f file, err error, shared bool) error {
	if err != nil {
		return failed("", "the directory "+dir+" cannot be locked", err)
	}
	l.held = append(l.held, f)
	by := "another run is writing to this tree, or to one inside or around it (" + dir + " is locked)"
	longest := cmp.Or(q.opt.LockWait, time.Minute)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		held, err := lockUnlessHeld(f, shared)
		switch {
		case err != nil:
			return failed("", "the directory "+dir+" cannot be locked", err)
		case !held:
			return nil
		case q.waited >= longest:
			return refuse(Locked, "", by, "wait until it ends, or raise Options.LockWait")
		case q.waited >= noticeAfter && !q.said && q.opt.Waiting != nil:
			q.said = true
			q.opt.Waiting(by)
		}
		pause = min(pause, longest-q.waited)
		q.waited += pause
		select {
		case <-time.After(pause):
		case <-ctx.Done(): // the run was interrupted
			return ctx.Err()
		}
	}
}

// unlock releases the lock, if w holds it.
func (w *Workspace) unlock() {
	if w.lock != nil {
		w.lock.release()
		w.lock = nil
	}
}

// busy reports whether another run is at work on the tree now. It tries to take the lock for a
// moment.
func (w *Workspace) busy() (bool, error) {
	if w.lock != nil {
		return false, nil // w holds the lock itself
	}
	f, err := w.disk.Open(".", os.O_RDONLY, 0)
	if lockFile != "" && err == nil { // directories can't be locked here
		_ = f.Close()
		f, err = w.state.Open(lockFile, os.O_RDWR, 0)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, failed("", "the lock cannot be opened", err)
	}
	defer f.Close() // which releases the lock
	return lockUnlessHeld(f, true /* shared */)
}
