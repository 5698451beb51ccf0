// Package regular reads files whose names other programs may give to something else: it never waits
// for the writer of a FIFO, and reads no device.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrNot is the error for a name that belongs to something other than a regular file.
var ErrNot = errors.New("not a regular file")

// Open opens a regular file for reading.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNot}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadFile is [os.ReadFile] for regular files.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
