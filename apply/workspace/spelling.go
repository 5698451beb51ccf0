package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Identity implements [apply.Identifier]: the path without links to directories, each name as its
// directory lists it. A file system may know a file by its name in other case, in another form of
// its accents, or by the short name that DOS would give it. Hard links and symbolic links are names
// of their own.
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

// spelled is the name of an entry as its directory lists it, of which info is what the file system
// finds there under a name that somebody has written. The directory is read only if it knows the
// file by another form of that name, too.
func (w *Workspace) spelled(dir, name string, info fs.FileInfo) (string, error) {
	if !isShortName(name) {
		alias, err := w.knownOtherwise(dir, name, info)
		if err != nil || !alias {
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

// isShortName says that Windows may have made the name up for a longer one, as LONGNA~1.TXT. No
// other form of it shows that.
func isShortName(name string) bool {
	base, ext, _ := strings.Cut(name, ".")
	_, number, tilde := strings.Cut(base, "~")
	return tilde && number != "" && strings.Trim(number, "0123456789") == "" && len(base) <= 8 && len(ext) <= 3
}

// knownOtherwise reports whether a name in another case, or with its accents in another form, is a
// name of the same file. That a directory takes names of ASCII by the letter is remembered until a
// run begins.
func (w *Workspace) knownOtherwise(dir, name string, info fs.FileInfo) (bool, error) {
	forms := otherForms(name)
	ascii := strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	if _, ok := w.byLetter.Load(dir); ok && ascii {
		return false, nil
	}
	for _, form := range forms {
		found, err := w.tree.Lstat(path.Join(dir, form))
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		case err != nil:
			return false, err
		case os.SameFile(found, info):
			return true, nil
		}
	}
	if ascii && len(forms) > 0 {
		w.byLetter.Store(dir, true)
	}
	return false, nil
}

// otherForms are other forms of a name: what a file system that folds case or accents knows a file
// by, it knows by one of them.
func otherForms(name string) []string {
	cased := strings.ToUpper(name)
	if cased == name {
		cased = strings.ToLower(name)
	}
	all := []string{cased, norm.NFC.String(name), norm.NFD.String(name), norm.NFKC.String(name)}
	return slices.Compact(slices.DeleteFunc(all, func(form string) bool { return form == name }))
}

// folds reports whether a new name in a directory would be that of an entry in another case. A
// directory that is not there yet will do as the one above it does.
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
			return w.knownOtherwise(dir, entry, info)
		}
		if dir == "." {
			return false, nil
		}
		dir = path.Dir(dir)
	}
}

// lookAgain forgets what is remembered of directories.
func (w *Workspace) lookAgain() {
	w.byLetter.Clear()
	w.ordinary.Clear()
}
