//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workspace

import (
	"errors"
	"syscall"
)

// tryLock locks the file for its open descriptor, and reports whether somebody else holds it.
func tryLock(f file) (held bool, err error) { return flock(int(f.Fd()), syscall.LOCK_EX) }

// tryLockDir is tryLock for a directory. Where the file system cannot lock one it does nothing.
func tryLockDir(f file) (held bool, err error) { return flockDir(int(f.Fd()), syscall.LOCK_EX) }

// dirLock is a descriptor of a directory that may be locked together with others.
type dirLock int

func openDirLock(dir string) (dirLock, error) {
	for {
		fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_CLOEXEC, 0)
		if !errors.Is(err, syscall.EINTR) {
			return dirLock(fd), err
		}
	}
}

func (d dirLock) tryShared() (held bool, err error) { return flockDir(int(d), syscall.LOCK_SH) }
func (d dirLock) release()                          { _ = syscall.Close(int(d)) }

func flockDir(fd, how int) (held bool, err error) {
	held, err = flock(fd, how)
	switch {
	case errors.Is(err, syscall.EBADF), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOLCK), errors.Is(err, errors.ErrUnsupported):
		err = nil // network file systems, which want to write to what is locked, or have no locks
	}
	return held, err
}

func flock(fd, how int) (held bool, err error) {
	for {
		err := syscall.Flock(fd, how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return true, nil
		default:
			return false, err
		}
	}
}
