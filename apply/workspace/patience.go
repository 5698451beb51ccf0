package workspace

import (
	"errors"
	"io/fs"
	"time"
)

// patience is the longest pause between two attempts. Pauses start at a millisecond and double, so
// that they add up to about a second.
const patience = 512 * time.Millisecond

// patiently repeats op while held says of its error that another program holds the file, for about
// a second. Virus scanners and indexers soon let it go.
func patiently(op func() error, held func(error) bool, sleep func(time.Duration)) error {
	for pause := time.Millisecond; ; pause *= 2 {
		err := op()
		if err == nil || !held(err) || pause > patience {
			return err
		}
		sleep(pause)
	}
}

// renamer has the methods of [os.Root] that renameOverReadOnly needs.
type renamer interface {
	Lstat(name string) (fs.FileInfo, error)
	Chmod(name string, mode fs.FileMode) error
	Rename(from, to string) error
}

// renameOverReadOnly renames on systems that refuse to replace a read-only file. It makes the file
// writable first.
func renameOverReadOnly(root renamer, from, to string) error {
	err := root.Rename(from, to)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	info, lookErr := root.Lstat(to)
	if lookErr != nil || !info.Mode().IsRegular() || info.Mode()&0o200 != 0 {
		return err // the error has another reason
	}
	if root.Chmod(to, info.Mode()|0o200) != nil {
		return err
	}
	if err = root.Rename(from, to); err != nil {
		_ = root.Chmod(to, info.Mode()) // the file is still there
	}
	return err
}
