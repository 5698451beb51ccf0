package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/srpatch/srpatch/apply"
)

// reportFile is the file that --report names. It is written beside its place and takes it when the run is over, so that a run which
// comes to nothing leaves the file of that name as it is.
type reportFile struct {
	*os.File
	path string
	// beside is the name that it is written under; "" of a pipe or a device, which has no content to lose.
	beside string
	// withheld: nothing takes the place.
	withheld bool
}

// openReport makes sure, before anything is written, that a report can be.
func openReport(name string) (*reportFile, error) {
	r := &reportFile{path: realPath(name)}
	info, err := os.Stat(r.path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--report: %w", err)
	case err == nil && info.IsDir():
		return nil, usagef("--report: %s is a directory", name)
	case err == nil && !info.Mode().IsRegular():
		r.File, err = os.OpenFile(r.path, os.O_WRONLY, 0)
	default:
		if err == nil { // a file that may not be written is not to be replaced, either
			var old *os.File
			if old, err = os.OpenFile(r.path, os.O_WRONLY, 0); err != nil {
				return nil, fmt.Errorf("--report: %w", err)
			}
			old.Close()
		}
		dir, base := filepath.Split(r.path)
		r.beside = filepath.Join(dir, fmt.Sprintf(".%s.%d.tmp", base, os.Getpid()))
		r.File, err = os.OpenFile(r.beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		return nil, fmt.Errorf("--report: %w", err)
	}
	return r, nil
}

// finish puts the report in its place.
func (r *reportFile) finish() error {
	size, err := r.Seek(0, io.SeekCurrent)
	if err := r.Close(); err != nil {
		r.withheld = true
		return errors.Join(err, r.remove())
	}
	switch {
	case r.beside == "":
		return nil
	case err != nil, r.withheld, size == 0: // the run did not come to a report
		return errors.Join(err, r.remove())
	}
	return errors.Join(os.Rename(r.beside, r.path), r.remove())
}

// remove takes away what is left beside the report.
func (r *reportFile) remove() error {
	if err := os.Remove(r.beside); r.beside != "" && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// is reports whether the report goes into the file of this name. No run has a report where r is nil.
func (r *reportFile) is(name string) bool {
	return r != nil && (realPath(name) == r.path || sameFile(name, r.path))
}

// keepsOff refuses a report that would take the place of a file the run is about.
func (r *reportFile) keepsOff(t *tree, plan *apply.Plan) error {
	if r == nil {
		return nil
	}
	var names []string
	for i := range plan.Blocks {
		names = append(names, plan.Blocks[i].Path)
	}
	for _, f := range plan.Files {
		names = append(names, f.Path, f.From)
	}
	for _, name := range names {
		if name != "" && r.is(filepath.Join(t.Dir(), filepath.FromSlash(name))) {
			r.withheld = true
			return usagef("--report: %s is a file that the reply is about; name another one", r.path)
		}
	}
	return nil
}

// realPath is a name in full, without links above the file and, where the file is there, at it.
func realPath(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	// The part that is there loses its links; the rest has none.
	dir, base := filepath.Split(abs)
	if dir = filepath.Clean(dir); dir == abs {
		return abs
	}
	return filepath.Join(realPath(dir), base)
}
