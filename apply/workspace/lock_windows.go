package workspace

import (
	"errors"

	"golang.org/x/sys/windows"
)

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
