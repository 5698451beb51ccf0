package workspace

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/windows"
)

const (
	nonblock     = 0
	dirSync      = false
	overReadOnly = false
)

// inUse reports whether err says that another program has opened the file and doesn't share it.
func inUse(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) ||
		errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_USER_MAPPED_FILE)
}

// heldByRename is inUse for a rename. Windows denies access to an open file in a rename, with the
// same error as for missing permissions.
func heldByRename(err error) bool { return inUse(err) || errors.Is(err, windows.ERROR_ACCESS_DENIED) }

// owner would return the owner of a file. Windows has no such numbers.
func owner(fs.FileInfo) (uid, gid int) { return -1, -1 }

// chown would set the owner of a file. It says that the file has the right one, as none is known.
func chown(file, int, int) (bool, error) { return true, nil }

// writable would return an error if the process may not change a directory. Here only trying tells.
func writable(string) error { return nil }

// lockFile is the file in a tree's state that is locked, because Windows cannot lock directories.
const lockFile = "lock"

// lockUnlessHeld locks the file for its open handle, with a shared lock if shared is set. It
// reports whether somebody else holds it.
func lockUnlessHeld(f file, shared bool) (held bool, err error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	// Lock a byte far beyond the end of the file, so that others can still read its text.
	at := windows.Overlapped{Offset: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}

// identify tells a directory from the others on its volume.
func identify(dir file) (rootRecord, error) {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(dir.Fd()), &info); err != nil {
		return rootRecord{}, err
	}
	return rootRecord{Inode: uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}, nil
}
