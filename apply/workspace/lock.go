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

// takeLock becomes the tree's only writer. The lock is the operating system's lock on a file of the state directory: it
// ends with its owner, however that dies, so there is no stale lock to guess about. The file's text names the owner for
// those who wait.
func (w *Workspace) takeLock(ctx context.Context) error {
	s, err := w.openState(true)
	if err != nil {
		if w.unjournaled(err) {
			return nil
		}
		return err
	}
	f, err := s.Open(lockFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return failed("", "the lock cannot be opened", err)
	}
	wait := w.opt.LockWait
	if wait == 0 {
		wait = time.Minute
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		held, err := tryLock(f)
		if err != nil {
			f.Close()
			return failed("", "the state directory cannot be locked", err)
		}
		if !held {
			break
		}
		select {
		case <-time.After(pause):
		case <-waiting.Done():
			by := lockOwner(f)
			f.Close()
			if err := ctx.Err(); err != nil {
				return err
			}
			return refuse(Locked, "", "another run is writing to this tree"+by, "wait until it has ended")
		}
	}
	w.lock = f
	host, _ := os.Hostname()
	text := fmt.Appendf(nil, "process %d on %s since %s\n", os.Getpid(), host, time.Now().Format(time.RFC3339))
	if err := f.Truncate(0); err == nil {
		_, _ = f.WriteAt(text, 0) // only a courtesy to those who wait
	}
	return nil
}

func lockOwner(f file) string {
	text := make([]byte, 200)
	n, _ := f.Read(text)
	if owner := strings.TrimSpace(string(text[:n])); owner != "" {
		return " (" + owner + ")"
	}
	return ""
}

func (w *Workspace) unlock() {
	if w.lock == nil {
		return
	}
	_ = w.lock.Truncate(0)
	_ = w.lock.Close()
	w.lock = nil
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
