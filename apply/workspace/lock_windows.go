package workspace

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lockFile is locked in a tree's state, because directories cannot be.
const lockFile = "lock"

// tryLock locks the file for its open handle, together with others if it is shared, and reports
// whether somebody else holds it.
func tryLock(f file, shared bool) (held bool, err error) {
	flags := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if !shared {
		flags |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	// The locked byte lies beyond the text of a mark, which others read.
	at := windows.Overlapped{Offset: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
