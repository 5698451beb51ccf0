package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/srpatch/srpatch/apply"
)

// Identity implements [apply.Identifier]. It returns the path with links to directories resolved
// and each name as its directory lists it, because a file system may ignore case or the form of
// accents. Hard links, and symbolic links to files, count as files of their own.
func (t *Tree) Identity(path string) string {
	name, err := cleanName(path)
	if err != nil {
		return path
	}
	if at, err := t.resolve(name); err == nil && !at.linked {
		return at.real
	}
	return name
}

// spelled returns the name of an entry as its directory lists it: README.md for readme.md. name is
// what somebody has written, and info is what the file system finds under it. The directory is read
// only if the entry may have another name: because name's letters may have the other case or its
// accents another form, or because it looks like the short name that Windows gives a file. A name
// whose entry isn't found is refused, such as a short name.
func (t *Tree) spelled(dir, name string, info fs.FileInfo) (string, error) {
	isASCII := strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	if isASCII && !isShortName(name) {
		ignoresCase, err := t.ignoresCase(dir, name, info)
		if err != nil || !ignoresCase {
			return name, err
		}
	}
	list, err := t.disk.Names(dir)
	if err != nil || slices.Contains(list, name) {
		return name, err
	}
	for _, entry := range list {
		if anyCase(entry) != anyCase(name) {
			continue
		}
		// A directory that tells case apart may have several such names.
		if found, err := t.disk.Lstat(path.Join(dir, entry)); err == nil && os.SameFile(found, info) {
			return entry, nil
		}
	}
	return "", refuse(apply.Denied, path.Join(dir, name), "its directory does not list this name",
		"name the file as its directory does")
}

// isShortName reports whether name may be a short name made by Windows, such as LONGNA~1.TXT.
func isShortName(name string) bool {
	base, ext, _ := strings.Cut(name, ".")
	_, number, tilde := strings.Cut(base, "~")
	return tilde && number != "" && strings.Trim(number, "0123456789") == "" && len(base) <= 8 && len(ext) <= 3
}

// ignoresCase reports whether the file system also finds a file if the case of its name is swapped,
// as in rEADME.MD for Readme.md. info is the file. If it isn't found, that is remembered for the
// directory until a run begins. It's false for a name without letters.
func (t *Tree) ignoresCase(dir, name string, info fs.FileInfo) (bool, error) {
	swapped := strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
	if _, ok := t.byLetter.Load(dir); ok || swapped == name {
		return false, nil
	}
	found, err := t.disk.Lstat(path.Join(dir, swapped))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return false, err
	}
	if err == nil && os.SameFile(found, info) {
		return true, nil
	}
	t.byLetter.Store(dir, true)
	return false, nil
}
