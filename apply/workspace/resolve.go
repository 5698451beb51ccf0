package workspace

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/apply"
)

// maxLinks is how many symbolic links one path may lead through, as in Linux.
const maxLinks = 40

// spot is where a path leads.
type spot struct {
	// real is the path with symbolic links resolved and each name as its directory lists it. It is
	// the file that is opened, replaced or made.
	real string
	// info is nil when nothing is there.
	info fs.FileInfo
	// linked: the path's last element is a symbolic link.
	linked bool
	// absent are the parent directories that do not exist, outermost first.
	absent []string
}

// changePath is the remedy for a path that leads through a file.
const changePath = "give a path whose parents are directories"

// resolve follows a clean path inside the root, and returns where it leads. It looks at one element
// at a time, because [os.Root] refuses all absolute links, even those that point inside. Links that
// lead out are refused as outside-root, and broken links as not-regular. The last elements may be
// missing, if no link leads to them. If somebody changes the path meanwhile, os.Root still keeps
// the later access inside.
func (t *Tree) resolve(name string) (spot, error) {
	var (
		s     spot
		done  []string                   // the elements that are resolved
		rest  = strings.Split(name, "/") // the elements to come, those of links first
		own   = len(rest)                // how many elements at the end of rest are name's own
		nlink int
	)
	for len(rest) > 0 {
		seg := rest[0]
		rest = rest[1:]
		fromLink := len(rest) >= own
		own = min(own, len(rest))
		switch seg {
		case "", ".":
			continue
		case "..":
			if len(done) == 0 {
				return s, refuse(apply.OutsideRoot, name, "a symbolic link leads out of the root",
					"edit the file where it is")
			}
			done, s.info = done[:len(done)-1], nil // what is there now is a directory
			continue
		}
		at := path.Join(append(slices.Clip(done), seg)...)
		info, err := t.disk.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if fromLink {
				return s, refuse(apply.NotRegular, name,
					"a symbolic link to "+at+", which does not exist", "name the file itself")
			}
			for _, next := range rest { // at is a missing directory
				s.absent = append(s.absent, at)
				at = path.Join(at, next)
			}
			s.real, s.info = at, nil
			return s, checkSegments(s.real)
		case errors.Is(err, syscall.ENOTDIR):
			return s, refuse(apply.NotRegular, name, path.Dir(at)+" is not a directory", changePath)
		case err != nil:
			return s, unreadable(name, err)
		case info.Mode()&fs.ModeSymlink != 0:
			if nlink++; nlink > maxLinks {
				return s, refuse(apply.NotRegular, name, "too many symbolic links", "name the file itself")
			}
			target, err := t.disk.Readlink(at)
			if err != nil {
				return s, unreadable(name, err)
			}
			s.linked = s.linked || len(rest) == 0 // the last element is a link
			if isAbsolute(target) {
				if target, err = t.relativeToRoot(target); err != nil {
					return s, refuse(apply.OutsideRoot, name,
						"a symbolic link leads out of the root", "edit the file where it is")
				}
				done = done[:0] // start at the root again
			}
			rest = append(strings.Split(filepath.ToSlash(target), "/"), rest...)
		case len(rest) > 0 && !info.IsDir():
			return s, refuse(apply.NotRegular, name, at+" is not a directory", changePath)
		default:
			if seg, err = t.spelled(path.Join(append([]string{"."}, done...)...), seg, info); err != nil {
				return s, unreadable(name, err)
			}
			done = append(done, seg)
			s.info = info
		}
	}
	s.real = path.Join(done...)
	if s.info == nil {
		return s, refuse(apply.NotRegular, name, "a symbolic link to a directory", "name a file")
	}
	return s, checkSegments(s.real)
}

// isAbsolute reports whether the target of a link is an absolute path here or on Unix.
func isAbsolute(target string) bool {
	return filepath.IsAbs(target) || strings.HasPrefix(filepath.ToSlash(target), "/") ||
		filepath.VolumeName(target) != ""
}

// relativeToRoot turns an absolute path below the root into a relative one. It only compares names,
// and looks at nothing outside the root. The result keeps its .. elements, because they lead up
// from the target of a link before them.
func (t *Tree) relativeToRoot(target string) (string, error) {
	at := elements(target)
	for _, dir := range []string{t.dir, t.realDir} {
		root := elements(dir)
		if len(at) >= len(root) && slices.EqualFunc(at[:len(root)], root, sameElement) {
			return strings.Join(at[len(root):], "/"), nil
		}
	}
	return "", fs.ErrInvalid
}

// elements returns the elements of a path, without empty ones and ".".
func elements(name string) []string {
	return slices.DeleteFunc(strings.Split(filepath.ToSlash(name), "/"),
		func(e string) bool { return e == "" || e == "." })
}

// sameElement reports whether two elements of absolute paths are the same name on this system.
func sameElement(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// Target returns the path of the file that a name in a plan leads to, relative to the root and
// with links resolved. The file need not exist.
func (t *Tree) Target(name string) (string, error) {
	_, at, err := t.locate(name)
	return at.real, err
}
