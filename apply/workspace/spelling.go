package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"unicode/utf8"
)

// Identity implements [apply.Identifier]: the path without links to directories, each name as its directory lists it. A
// file system may know a file by its name in other case, in another form of its accents, or by the short name that DOS would
// give it. Hard links and symbolic links are names of their own.
func (w *Workspace) Identity(path string) string {
	name, err := cleanName(path)
	if err != nil {
		return path
	}
	if at, err := w.resolve(name); err == nil && !at.linked {
		return at.real
	}
	return name
}

// spelled is the name of an entry as its directory lists it, of which info is what the file system finds there under a name
// that somebody has written.
func (w *Workspace) spelled(dir, name string, info fs.FileInfo) (string, error) {
	if plain(name) {
		folds, err := w.otherCase(dir, name, info)
		if err != nil || !folds {
			return name, err
		}
	}
	list, err := w.tree.Names(dir)
	if err != nil {
		return "", err
	}
	alike, same := "", ""
	for _, entry := range list {
		switch {
		case entry == name:
			return name, nil
		case strings.EqualFold(entry, name):
			alike = entry
		}
	}
	if alike != "" {
		return alike, nil
	}
	for _, entry := range list {
		if other, err := w.tree.Lstat(path.Join(dir, entry)); err == nil && os.SameFile(info, other) && (same == "" || entry < same) {
			same = entry
		}
	}
	if same == "" {
		return "", &fs.PathError{Op: "look up", Path: path.Join(dir, name), Err: errors.New("its directory does not list it")}
	}
	return same, nil
}

// plain says that no file system knows the name by another form of its letters, or makes it up as the short name of
// another file.
func plain(name string) bool {
	return !strings.Contains(name, "~") && strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// otherCase reports whether the name in another case is a name of the same file.
func (w *Workspace) otherCase(dir, name string, info fs.FileInfo) (bool, error) {
	other := strings.ToUpper(name)
	if other == name {
		other = strings.ToLower(name)
	}
	if other == name {
		return false, nil
	}
	found, err := w.tree.Lstat(path.Join(dir, other))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil
	}
	return err == nil && os.SameFile(found, info), err
}

// folds reports whether a new name in a directory would be that of an entry in another case. A directory that is not there yet
// will do as the one above it does.
func (w *Workspace) folds(dir string) (bool, error) {
	for {
		list, err := w.tree.Names(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		for _, entry := range list {
			if strings.ToUpper(entry) == strings.ToLower(entry) {
				continue
			}
			info, err := w.tree.Lstat(path.Join(dir, entry))
			if err != nil {
				return false, err
			}
			return w.otherCase(dir, entry, info)
		}
		if dir == "." {
			return false, nil
		}
		dir = path.Dir(dir)
	}
}
