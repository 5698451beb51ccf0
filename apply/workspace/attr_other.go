//go:build !unix && !windows

package workspace

import "io/fs"

const (
	nonblock     = 0
	dirSync      = false
	overReadOnly = true
)

func inUse(error) bool { return false }

func heldByRename(error) bool { return false }

func owner(fs.FileInfo) (uid, gid int) { return -1, -1 }

func chown(file, int, int) (bool, error) { return true, nil }

func writable(string) error { return nil }
