package workspace

import (
	"os"
	"time"
)

// rootRecord says which directory the root of a run was. Its path may lead to another one later.
type rootRecord struct {
	// Inode is the directory's number on its file system, 0 where there is none.
	Inode uint64 `json:"inode"`
	// Born distinguishes directories that have had the same number one after the other; zero where
	// it is not known.
	Born time.Time `json:"born,omitzero"`
	// Device and Host are for people: both change while the directory stays.
	Device uint64 `json:"device"`
	Host   string `json:"host"`
}

// same reports whether a and b may be one directory: nothing that is known of both says otherwise.
func (a rootRecord) same(b rootRecord) bool {
	if a.Inode == 0 || b.Inode == 0 {
		return true
	}
	return a.Inode == b.Inode && (a.Born.IsZero() || b.Born.IsZero() || a.Born.Equal(b.Born))
}

// identity is which directory the root is now.
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
