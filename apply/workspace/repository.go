package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/git"
)

// git takes a directory of any name for a repository if it has a HEAD, and objects and refs or the file commondir, which
// says where those are. Whoever asks for the status below it runs what its configuration names, as core.fsmonitor. So
// no path leads into such a directory, and no plan completes one.

// completes reports whether a directory with these names is a repository. git does not ask whether they are directories.
func completes(has func(name string) bool) bool {
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

// checkOutsideRepositories refuses a path in a bare clone, in a separate git directory or in that of a worktree.
func (w *Workspace) checkOutsideRepositories(name, real string) error {
	for dir := real; dir != "."; {
		dir = path.Dir(dir)
		is, err := w.isRepository(dir)
		if err != nil {
			return failed(name, "cannot be accessed", err)
		}
		if is {
			return refuse(apply.Denied, name, "git's own files are never edited, and "+here(dir)+" is a repository", "use git")
		}
	}
	if above := w.repositoryAbove(); above != "" {
		return refuse(apply.Denied, name, "git's own files are never edited, and the tree lies in the repository "+above, "use git")
	}
	return nil
}

// repositoryAbove is the git directory that the root lies in, "" if it lies in none. A working tree there, which has a .git of its
// own, is one to work in: bare clones may hold theirs.
func (w *Workspace) repositoryAbove() string {
	const key = ".." // no directory of the tree
	if _, ok := w.ordinary.Load(key); ok {
		return ""
	}
	there := func(dir, name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	for dir := w.realDir; !there(dir, ".git"); {
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		if dir = above; completes(func(part string) bool { return there(dir, part) }) {
			return dir
		}
	}
	w.ordinary.Store(key, true)
	return ""
}

// Prefix is the path of the root in the repository whose working tree it is in, with a slash at the end, as git rev-parse --show-prefix
// prints it; "" at the top of one, and outside.
func (w *Workspace) Prefix() string {
	rel, err := filepath.Rel(git.Top(w.realDir), w.realDir)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

// isRepository reports whether a directory is a repository to git. It asks the file system, as git does, once until a run begins.
func (w *Workspace) isRepository(dir string) (bool, error) {
	if _, ok := w.ordinary.Load(dir); ok {
		return false, nil
	}
	var failure error
	is := completes(func(part string) bool {
		_, err := w.tree.Lstat(path.Join(dir, part))
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			failure = err
		}
		return err == nil
	})
	if !is && failure == nil {
		w.ordinary.Store(dir, true)
	}
	return is, failure
}

// checkNoRepository refuses edits that together, and with what is there, make a repository of a directory. Names count as
// any file system may fold them: the tree may be checked out on another one.
func (w *Workspace) checkNoRepository(edits []edit) error {
	parts := map[string]map[string]bool{} // of each directory, both folded
	listed := map[string]bool{}
	var errs []error
	for _, e := range edits {
		if e.info != nil {
			continue
		}
		segs := strings.Split(e.real, "/")
		for i, seg := range segs {
			part := fold(seg)
			if part != "head" && part != "commondir" && part != "objects" && part != "refs" {
				continue
			}
			dir := path.Join(".", path.Join(segs[:i]...))
			has := parts[fold(dir)]
			if has == nil {
				has = map[string]bool{}
				parts[fold(dir)] = has
			}
			if !listed[dir] {
				listed[dir] = true
				there, err := w.tree.Names(dir)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return failed(e.path, "cannot be accessed", err)
				}
				for _, name := range there {
					has[fold(name)] = true
				}
			}
			complete := func() bool { return completes(func(part string) bool { return has[fold(part)] }) }
			if complete() {
				continue // said already
			}
			if has[part] = true; complete() {
				errs = append(errs, refuse(apply.Denied, e.path, "with it a directory becomes a git repository, and git runs what its configuration says", "make it with git"))
			}
		}
	}
	return errors.Join(errs...)
}

// withoutRepositories leaves out of a listing what lies in a repository. Each has a file HEAD, which is listed.
func (w *Workspace) withoutRepositories(names []string) []string {
	var dirs []string
	for _, name := range names {
		if path.Base(name) == "HEAD" {
			if is, err := w.isRepository(path.Dir(name)); is || err != nil {
				dirs = append(dirs, path.Dir(name))
			}
		}
	}
	if len(dirs) == 0 {
		return names
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return dir == "." || strings.HasPrefix(name, dir+"/") })
	})
}

// here names a directory of the tree in a sentence.
func here(dir string) string {
	if dir == "." {
		return "the directory of the tree"
	}
	return dir
}
