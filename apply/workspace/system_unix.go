//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	nonblock     = syscall.O_NONBLOCK
	dirSync      = true
	overReadOnly = true // a rename replaces a read-only file
)

// inUse reports whether err says that the file is a running program.
func inUse(err error) bool { return errors.Is(err, syscall.ETXTBSY) }

// heldByRename is inUse for a rename. On Unix, a rename never fails because a file is in use.
func heldByRename(error) bool { return false }

// owner returns the file's user and group, or -1 if they are unknown.
func owner(info fs.FileInfo) (uid, gid int) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return -1, -1
}

// chown sets the owner of f if the process may do so. If not, it tries to set only the group. It
// reports whether f now has the owner asked for. A uid of -1 is unknown, so any owner will do.
func chown(f file, uid, gid int) (bool, error) {
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	if u, g := owner(info); uid < 0 || u == uid && g == gid {
		return true, nil
	}
	err = f.Chown(uid, gid)
	if errors.Is(err, os.ErrPermission) {
		_ = f.Chown(-1, gid) // permitted to members of the group
		return false, nil
	}
	return err == nil, err
}

// writable returns an error if the process may not create, rename or remove files in dir.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

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
