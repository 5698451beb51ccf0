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

// ReadFile implements [apply.Tree]. It returns the text of a regular file: UTF-16 as UTF-8 without
// its byte order mark, anything else byte for byte. It follows symbolic links inside the root. The
// codes of its refusals are outside-root, not-regular, binary, too-large, unreadable, denied and
// stale (see [Options.Expect]).
func (t *Tree) ReadFile(path string) ([]byte, error) {
	name, at, err := t.locate(path)
	if err != nil {
		return nil, err
	}
	if at.info == nil {
		if err := t.opt.checkExpected(name, nil); err != nil {
			return nil, err
		}
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrNotExist}
	}
	raw, err := t.readRaw(name, at)
	if err != nil {
		return nil, err
	}
	if err := t.opt.checkExpected(name, raw); err != nil {
		return nil, err
	}
	f := t.formAt(raw)
	text, err := f.decode(raw)
	if err == errBinary {
		return nil, refuse(apply.Binary, name, "a binary file", "edit it with a tool made for its format")
	}
	if err != nil {
		return nil, refuseErr(apply.Unreadable, name, "cannot be read as text", "convert the file", err)
	}
	t.rememberForm(name, f)
	return text, nil
}

// Sum returns the SHA-256, in hexadecimal, of the bytes of text in the encoding that
// [Tree.ReadFile] found for the file at path. It's that of text itself if the file has not been
// read, is not UTF-16 or can't be written.
func (t *Tree) Sum(path string, text []byte) string {
	t.mu.Lock()
	name, _ := cleanName(path)
	f := t.utf16Forms[name]
	t.mu.Unlock()
	raw, err := f.encode(text)
	if err != nil {
		raw = text
	}
	return hash(raw)
}

// checkAllExpected checks every file of [Options.Expect], even if the plan doesn't change it. A
// file that differs is stale.
func (t *Tree) checkAllExpected() error {
	var errs []error
	for _, path := range slices.Sorted(maps.Keys(t.opt.Expect)) {
		name, at, err := t.locate(path)
		var raw []byte
		if err == nil && at.info != nil {
			raw, err = t.readRaw(name, at)
		}
		if err == nil {
			err = t.opt.checkExpected(name, raw)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// locate returns the clean name of a path and where it leads. It refuses names that aren't allowed,
// and places that are denied or inside a repository's own directory.
func (t *Tree) locate(path string) (name string, at spot, err error) {
	if name, err = cleanName(path); err != nil {
		return "", at, err
	}
	if at, err = t.resolve(name); err != nil {
		return "", at, err
	}
	if !utf8.ValidString(at.real) {
		return "", at, notUTF8(name)
	}
	if err = t.checkAllowed(name, at.real); err == nil {
		err = t.checkOutsideRepositories(name, at.real)
	}
	return name, at, err
}

// readRaw reads the regular file at a spot, and refuses anything else. at.info must not be nil.
func (t *Tree) readRaw(name string, at spot) ([]byte, error) {
	return t.readUpTo(name, at, t.opt.Limits.FileSize)
}

// readUpTo reads the regular file at a spot, and refuses anything else, and more than limit bytes.
// name is the file's name in errors. at.info must not be nil.
func (t *Tree) readUpTo(name string, at spot, limit int64) ([]byte, error) {
	info := at.info
	if !info.Mode().IsRegular() { // check before opening, which could hang on a FIFO
		return nil, notRegular(name, info)
	}
	if info.Size() > limit {
		return nil, tooLarge(name, "is", limit)
	}
	f, err := t.disk.Open(at.real, os.O_RDONLY, 0)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer f.Close()
	// A device or a FIFO may have replaced the file since the path was resolved.
	if info, err = f.Stat(); err != nil {
		return nil, unreadable(name, err)
	} else if !info.Mode().IsRegular() {
		return nil, notRegular(name, info)
	}
	raw, err := readAll(new([]byte), io.LimitReader(f, limit+1), info.Size())
	switch {
	case err != nil:
		return nil, unreadable(name, err)
	case int64(len(raw)) > limit:
		return nil, tooLarge(name, "is", limit)
	}
	return raw, nil
}

// readAll is [io.ReadAll] into the memory of buf, which the result then shares. size is the
// expected number of bytes; if it's right, readAll allocates at most once.
func readAll(buf *[]byte, r io.Reader, size int64) ([]byte, error) {
	b := bytes.NewBuffer(slices.Grow((*buf)[:0], int(size)+bytes.MinRead))
	_, err := b.ReadFrom(r)
	*buf = b.Bytes()
	return b.Bytes(), err
}

// notRegular returns the refusal of something that is not a regular file.
func notRegular(name string, info fs.FileInfo) error {
	return refuse(apply.NotRegular, name, kind(info.Mode())+", not a regular file", "name a file")
}

// tooLarge returns the refusal of a file that is larger than limit. is begins the message: "is" or,
// for a file that would be written, "would be".
func tooLarge(name, is string, limit int64) error {
	what := fmt.Sprintf("%s larger than the limit of %d bytes", is, limit)
	return refuse(apply.TooLarge, name, what, "raise the limit with Limits.FileSize")
}

// unreadable returns the refusal of a file that can't be read because of err, or err if that
// already carries a reason.
func unreadable(name string, err error) error {
	if _, ok := errors.AsType[*apply.ReasonError](err); ok {
		return err
	}
	remedy := ""
	if inUse(err) {
		remedy = remedyHeld
	}
	return refuseErr(apply.Unreadable, name, "cannot be read", remedy, err)
}

// kind returns what a file that is not regular is, for messages.
func kind(mode fs.FileMode) string {
	if mode.IsDir() {
		return "a directory"
	}
	return "a special file"
}
