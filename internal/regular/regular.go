// Package regular opens files whose names other programs may give to something else: it never waits
// for the writer of a FIFO, and reads no device.
package regular

import (
	"errors"
	"io/fs"
	"os"
)

// errNot is the error for a name that belongs to something other than a regular file.
var errNot = errors.New("not a regular file")

// Open opens a regular file for reading.
func Open(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNot}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
