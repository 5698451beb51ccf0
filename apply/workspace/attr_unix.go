//go:build unix

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

// inUse says that a program holds the file: it is running.
func inUse(err error) bool { return errors.Is(err, syscall.ETXTBSY) }

// heldByRename is inUse for a rename, which needs nothing of the file here.
func heldByRename(error) bool { return false }

// owner is the file's user and group, -1 where unknown.
func owner(info fs.FileInfo) (uid, gid int) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return -1, -1
}

// chown gives f the owner, as far as the process may: the group alone when the user cannot be kept.
// It reports whether the owner is now the one asked for.
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

// writable asks the system whether the names in a directory may be changed.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }
