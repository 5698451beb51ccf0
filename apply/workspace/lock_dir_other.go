//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package workspace

import "errors"

// dirLock does nothing where directories cannot be locked. Runs wait for each other there if they share the state of a tree; the
// others are caught by the look at each file right before it is replaced.
type dirLock struct{}

func openDirLock(string) (dirLock, error)         { return dirLock{}, errors.ErrUnsupported }
func (dirLock) tryShared() (held bool, err error) { return false, nil }
func (dirLock) release()                          {}
func tryLockDir(file) (held bool, err error)      { return false, nil }
