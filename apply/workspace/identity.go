package workspace

import (
	"os"
	"time"
)

// rootRecord identifies the root directory of a run, because its path may lead to another one
// later.
type rootRecord struct {
	// Inode is the directory's number on its file system, or 0 if it has none.
	Inode uint64 `json:"inode"`
	// Born distinguishes the directory from a later one with the same number. It is zero if it is
	// unknown.
	Born time.Time `json:"born,omitzero"`
	// Host is only for people to read. It can change although the directory stays.
	Host string `json:"host"`
}

// same reports whether a and b may be the same directory. It ignores what is unknown.
func (a rootRecord) same(b rootRecord) bool {
	if a.Inode == 0 || b.Inode == 0 {
		return true
	}
	return a.Inode == b.Inode && (a.Born.IsZero() || b.Born.IsZero() || a.Born.Equal(b.Born))
}

// identity identifies the directory that is the root now, so that a recovery knows whether a run
// was made there. If the lock is held, that is the locked directory.
func (w *Workspace) identity() (rootRecord, error) {
	var root file
	if w.lock != nil {
		root = w.lock.root
	} else {
		f, err := w.disk.Open(".", os.O_RDONLY, 0)
		if err != nil {
			return rootRecord{}, err
		}
		defer f.Close()
		root = f
	}
	r, err := identify(root)
	r.Host, _ = os.Hostname()
	return r, err
}
