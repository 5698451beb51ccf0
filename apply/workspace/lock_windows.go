package workspace

import (
	"errors"

	"golang.org/x/sys/windows"
)

// tryLock locks the file for its open handle, and reports whether somebody else holds it. The locked byte lies beyond
// the text, which a lock would keep others from reading.
func tryLock(f file) (held bool, err error) {
	at := windows.Overlapped{Offset: 1 << 30}
	err = windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return true, nil
	}
	return false, err
}
