package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
)

// ReadFile implements [apply.Tree]: the text of a regular file, UTF-16 as UTF-8 without its byte
// order mark, anything else byte for byte. Symbolic links are followed inside the root. The codes
// of its refusals are outside-root, not-regular, binary, too-large, unreadable, denied and stale
// (see [Options.Expect]).
func (w *Workspace) ReadFile(path string) ([]byte, error) {
	name, at, err := w.locate(path)
	if err != nil {
		return nil, err
	}
	if at.info == nil {
		if err := w.opt.checkExpected(name, nil); err != nil {
			return nil, err
		}
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	raw, err := w.readRaw(name, at)
	if err != nil {
		return nil, err
	}
	if err := w.opt.checkExpected(name, raw); err != nil {
		return nil, err
	}
	f := w.formAt(raw)
	text, err := f.decode(raw)
	if err == errBinary {
		return nil, refuse(apply.Binary, name, "a binary file", "edit it with a tool made for its format")
	}
	if err != nil {
		return nil, refuseErr(apply.Unreadable, name, "cannot be read as text", "convert the file", err)
	}
	w.note(name, f)
	return text, nil
}

// Sum is the SHA-256, in hexadecimal, of the bytes that text has on disk in the encoding of the
// file at path, as [Workspace.ReadFile] found it.
func (w *Workspace) Sum(path string, text []byte) string {
	raw, err := w.encode(path, text)
	if err != nil {
		raw = text // cannot be written, as Commit will say
	}
	return hash(raw)
}

// encode gives the bytes of text in the encoding of the file at path, as [Workspace.ReadFile] found
// it.
func (w *Workspace) encode(path string, text []byte) ([]byte, error) {
	w.mu.Lock()
	name, _ := cleanName(path)
	f := w.wide[name]
	w.mu.Unlock()
	return f.encode(text)
}

// checkAllExpected compares every file of [Options.Expect], whether the plan changes it or not;
// what differs is stale.
func (w *Workspace) checkAllExpected() error {
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(w.opt.Expect)) {
		name, at, err := w.locate(path)
		var raw []byte
		if err == nil && at.info != nil {
			raw, err = w.readRaw(name, at)
		}
		if err == nil {
			err = w.opt.checkExpected(name, raw)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// locate checks a path and follows it.
func (w *Workspace) locate(path string) (name string, at spot, err error) {
	if name, err = cleanName(path); err != nil {
		return "", at, err
	}
	if at, err = w.resolve(name); err != nil {
		return "", at, err
	}
	if !utf8.ValidString(at.real) {
		return "", at, notUTF8(name)
	}
	if err = w.checkAllowed(name, at.real); err == nil {
		err = w.checkOutsideRepositories(name, at.real)
	}
	return name, at, err
}

// readRaw reads the regular file at a spot, and refuses anything else.
func (w *Workspace) readRaw(name string, at spot) ([]byte, error) {
	return w.readUpTo(name, at, w.opt.Limits.FileSize)
}

// readRecorded is readRaw for a file of a recorded run. The limit is there to refuse files that
// nobody meant; the run has had this one in memory, so it may be as large as its images are.
func (w *Workspace) readRecorded(e *edit, at spot) ([]byte, error) {
	return w.readUpTo(e.path, at, w.limitOf(e))
}

func (w *Workspace) limitOf(e *edit) int64 {
	return max(w.opt.Limits.FileSize, e.before.size, e.after.size)
}

// readUpTo is readRaw with a limit in bytes.
func (w *Workspace) readUpTo(name string, at spot, limit int64) ([]byte, error) {
	return w.readInto(new([]byte), name, at, limit)
}

// borrow lends a buffer for a file that is only looked at, until the buffer is given back. A run
// looks at each of its files several times, and a large one is not to be in memory as often.
func (w *Workspace) borrow() (buf *[]byte, giveBack func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lent := w.buffer
	w.buffer = nil
	return &lent, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.buffer = lent
	}
}

// readInto is readUpTo in the memory of buf, if that is enough; else buf gets what is.
func (w *Workspace) readInto(buf *[]byte, name string, at spot, limit int64) ([]byte, error) {
	if !at.info.Mode().IsRegular() {
		return nil, refuse(apply.NotRegular, name, kind(at.info.Mode())+", not a regular file", "name a file")
	}
	tooLarge := func() error {
		return refuse(apply.TooLarge, name, fmt.Sprintf("larger than the limit of %d bytes", limit), "raise the limit with Limits.FileSize")
	}
	if at.info.Size() > limit {
		return nil, tooLarge()
	}
	f, err := w.tree.Open(at.real, os.O_RDONLY, 0)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	// What was looked at may have been swapped for a device or a FIFO since.
	if info, err := f.Stat(); err != nil {
		return nil, unreadable(name, err)
	} else if !info.Mode().IsRegular() {
		return nil, refuse(apply.NotRegular, name, kind(info.Mode())+", not a regular file", "name a file")
	}
	raw, err := readAll(buf, io.LimitReader(f, limit+1), at.info.Size())
	switch {
	case err != nil:
		return nil, unreadable(name, err)
	case int64(len(raw)) > limit:
		return nil, tooLarge()
	}
	return raw, nil
}

// readAll is [io.ReadAll] in the memory of buf, with one allocation at most when the size is right.
func readAll(buf *[]byte, r io.Reader, size int64) ([]byte, error) {
	b := bytes.NewBuffer(slices.Grow((*buf)[:0], int(size)+bytes.MinRead))
	_, err := b.ReadFrom(r)
	*buf = b.Bytes()
	return b.Bytes(), err
}

func unreadable(name string, err error) error {
	remedy := ""
	if inUse(err) {
		remedy = remedyHeld
	}
	return refuseErr(apply.Unreadable, name, "cannot be read", remedy, err)
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}
