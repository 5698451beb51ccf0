//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workspace

import (
	"errors"
	"syscall"
)

// lockFile is empty because directories themselves can be locked.
const lockFile = ""

// lockUnlessHeld locks a file or directory for its open descriptor, with a shared lock if shared is
// set. It reports whether somebody else holds it. If the file system has no locks, it does nothing.
func lockUnlessHeld(f file, shared bool) (held bool, err error) {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return true, nil
		case errors.Is(err, syscall.EBADF), errors.Is(err, syscall.EINVAL), errors.Is(err, syscall.ENOLCK),
			errors.Is(err, errors.ErrUnsupported):
			return false, nil // a network file system that locks only files open for writing, or nothing
		default:
			return false, err
		}
	}
}
