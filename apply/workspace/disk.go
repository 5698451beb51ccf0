package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// disk is every operation the workspace does on a directory tree, so that tests can make each one
// fail. Names are slash-separated and relative; none leads out of the tree.
type disk interface {
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	// Names lists a directory without the types of its entries, which may cost a system call each.
	Names(name string) ([]string, error)
	Open(name string, flag int, perm fs.FileMode) (file, error)
	Mkdir(name string, perm fs.FileMode) error
	Rename(from, to string) error
	// Exchange swaps two names in one directory. It returns [errors.ErrUnsupported] if the system
	// cannot do that.
	Exchange(a, b string) error
	Link(from, to string) error
	Remove(name string) error
	// Writable returns an error if the system says that files cannot be created, renamed or
	// removed in the directory.
	Writable(dir string) error
	// SyncDir makes the directory's entries durable.
	SyncDir(name string) error
	Close() error
}

// file is an open regular file of a [disk].
type file interface {
	io.ReadWriteCloser
	Stat() (fs.FileInfo, error)
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	Sync() error
	Fd() uintptr
}

// rootDisk is a disk on the operating system's files.
type rootDisk struct{ root *os.Root }

// openDisk returns the disk of a directory. No name leads out of it.
func openDisk(dir string) (disk, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rootDisk{root}, nil
}

func (d rootDisk) Lstat(name string) (fs.FileInfo, error)    { return d.root.Lstat(name) }
func (d rootDisk) Readlink(name string) (string, error)      { return d.root.Readlink(name) }
func (d rootDisk) Mkdir(name string, perm fs.FileMode) error { return d.root.Mkdir(name, perm) }
func (d rootDisk) Exchange(a, b string) error                { return exchange(d.root, a, b) }
func (d rootDisk) Link(from, to string) error                { return d.root.Link(from, to) }
func (d rootDisk) Close() error                              { return d.root.Close() }

// Rename implements [disk]. It also replaces read-only files, and tries again for a second if
// another program holds one of the files.
func (d rootDisk) Rename(from, to string) error {
	return patiently(func() error {
		if overReadOnly {
			return d.root.Rename(from, to)
		}
		return renameOverReadOnly(d.root, from, to)
	}, heldByRename, time.Sleep)
}

// Remove implements [disk]. It tries again for a second if another program holds the file.
func (d rootDisk) Remove(name string) error {
	return patiently(func() error { return d.root.Remove(name) }, inUse, time.Sleep)
}

func (d rootDisk) Writable(dir string) error {
	return writable(filepath.Join(d.root.Name(), filepath.FromSlash(dir)))
}

// ReadDir implements [disk], without sorting.
func (d rootDisk) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

func (d rootDisk) Names(name string) ([]string, error) {
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// Open implements [disk]. It waits for a moment if another program holds the file.
func (d rootDisk) Open(name string, flag int, perm fs.FileMode) (file, error) {
	var f *os.File
	err := patiently(func() (err error) {
		// O_NONBLOCK: if a FIFO has replaced the file since it was checked, don't hang.
		f, err = d.root.OpenFile(name, flag|nonblock, perm)
		return err
	}, inUse, time.Sleep)
	if err != nil {
		return nil, err // not f, because a nil *os.File makes a non-nil file
	}
	return f, nil
}

// SyncDir implements [disk]. On systems and file systems that can't sync directories, it returns
// nil.
func (d rootDisk) SyncDir(name string) error {
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	err = f.Sync()
	cannotSync := errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported)
	if cannotSync || !dirSync {
		return nil
	}
	return err
}
