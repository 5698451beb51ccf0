package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

const lockFile = "lock"

// runLock is what a writing run holds: its root and all directories above it, so that runs on roots that lie in each other wait
// too, whatever their state is; and the tree's state, where there is one.
//
// All of them are the operating system's locks on open files: they end with their owner, however that dies, so there is no stale
// lock to guess about.
type runLock struct {
	above []dirLock
	root  file
	state file // nil where there is none
}

func (l *runLock) release() {
	if l.state != nil {
		_ = l.state.Truncate(0)
		_ = l.state.Close()
	}
	if l.root != nil {
		_ = l.root.Close()
	}
	for _, d := range l.above {
		d.release()
	}
}

// takeLock becomes the only writer of the tree: the root is locked for itself, the directories above it together with others. Each
// run goes from the outside in, and the state comes last, so that no two wait for each other.
func (w *Workspace) takeLock(ctx context.Context) (err error) {
	q := &queue{w: w, caller: ctx}
	defer q.leave()
	l := new(runLock)
	defer func() {
		if err != nil {
			l.release()
		}
	}()
	for _, dir := range above(w.realDir) {
		d, err := openDirLock(dir)
		switch {
		case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), errors.Is(err, errors.ErrUnsupported):
			continue // who cannot look at it cannot lock it
		case err != nil:
			return failed("", "the directory "+dir+" cannot be locked", err)
		}
		l.above = append(l.above, d)
		if err := q.enter(dir, d.tryShared); err != nil {
			return err
		}
	}
	if l.root, err = w.tree.Open(".", os.O_RDONLY, 0); err != nil {
		return failed("", "the root cannot be locked", err)
	}
	if err := q.enter(w.realDir, func() (bool, error) { return tryLockDir(l.root) }); err != nil {
		return err
	}
	if err := w.takeStateLock(l, q); err != nil {
		return err
	}
	w.lock = l
	return nil
}

// takeStateLock locks the state, which more than this tree may share: a copy at its path, or the tree that has moved. The file's
// text names the owner for those who wait.
func (w *Workspace) takeStateLock(l *runLock, q *queue) error {
	s, err := w.openState(true)
	if err != nil {
		if w.unjournaled(err) {
			return nil
		}
		return err
	}
	if l.state, err = s.Open(lockFile, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		l.state = nil
		return failed("", "the lock cannot be opened", err)
	}
	if err := q.enter(s.dir, func() (bool, error) { return tryLock(l.state) }); err != nil {
		_ = l.state.Close()
		l.state = nil // its text is the owner's
		return err
	}
	host, _ := os.Hostname()
	text := fmt.Appendf(nil, "process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.RFC3339))
	if err := l.state.Truncate(0); err == nil {
		_, _ = l.state.WriteAt(text, 0) // only a courtesy to those who wait
	}
	return nil
}

// above are the directories above a clean absolute path, outermost first.
func above(dir string) (dirs []string) {
	for i := range dir {
		if os.IsPathSeparator(dir[i]) && i+1 < len(dir) {
			dirs = append(dirs, dir[:max(i, 1)])
		}
	}
	return dirs
}

// queue is where a run waits for its locks, as long as its patience lasts for all of them.
type queue struct {
	w      *Workspace
	caller context.Context
	// Made when there is something to wait for:
	patient context.Context
	cancel  context.CancelFunc
	slow    *time.Timer
}

// noticeAfter is how long a run waits before it says so.
const noticeAfter = time.Second

// enter calls try until the lock on a directory is not held by somebody else.
func (q *queue) enter(dir string, try func() (held bool, err error)) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		held, err := try()
		if err != nil {
			return failed("", "the directory "+dir+" cannot be locked", err)
		}
		if !held {
			return nil
		}
		q.begin()
		select {
		case <-time.After(pause):
		case <-q.slow.C:
			if q.w.opt.Waiting != nil {
				q.w.opt.Waiting(q.w.writer(dir))
			}
		case <-q.patient.Done():
			if err := q.caller.Err(); err != nil {
				return err
			}
			return refuse(Locked, "", q.w.writer(dir), "wait until it ends, or raise Options.LockWait")
		}
	}
}

func (q *queue) begin() {
	if q.patient != nil {
		return
	}
	wait := q.w.opt.LockWait
	if wait == 0 {
		wait = time.Minute
	}
	q.patient, q.cancel = context.WithTimeout(q.caller, wait)
	q.slow = time.NewTimer(noticeAfter)
}

func (q *queue) leave() {
	if q.patient != nil {
		q.cancel()
		q.slow.Stop()
	}
}

// writer says who holds the lock on a directory, as far as that is known.
func (w *Workspace) writer(dir string) string {
	if s, err := w.openState(false); err == nil && s != nil {
		if owner := s.owner(); owner != "" {
			return "another run is writing to this tree (" + owner + ")"
		}
	}
	return "another run is writing to this tree, or to one inside or around it (" + dir + " is locked)"
}

// owner is what the run says of itself that has locked the state, "" if none has. The text of a run that was killed stays.
func (s *state) owner() string {
	f, err := s.Open(lockFile, os.O_RDWR, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	if held, err := tryLock(f); !held || err != nil {
		return ""
	}
	text, _ := s.readFile(lockFile)
	return strings.TrimSpace(string(text))
}

func (w *Workspace) unlock() {
	if w.lock != nil {
		w.lock.release()
		w.lock = nil
	}
}

// busy reports whether a run is at work on the tree now.
func (w *Workspace) busy() (bool, error) {
	if w.lock != nil {
		return false, nil // it is this one
	}
	f, err := w.state.Open(lockFile, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, failed("", "the lock cannot be opened", err)
	}
	defer f.Close()
	return tryLock(f)
}
