//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package workspace

// dirLock does nothing where directories cannot be locked. Runs wait for each other there if they share the state of a tree; the
// others are caught by the look at each file right before it is replaced.
type dirLock struct{}

func openDirLock(string) (dirLock, bool)          { return dirLock{}, false }
func (dirLock) tryShared() (held bool, err error) { return false, nil }
func (dirLock) release()                          {}
func tryLockDir(file) (held bool, err error)      { return false, nil }
