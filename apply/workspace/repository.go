package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/git"
)

// Git takes a directory with any name for a repository if it has a HEAD, and either objects and
// refs, or a file commondir that says where those are. Asking git for the status below such a
// directory runs programs that its configuration names, such as core.fsmonitor. So no path leads
// into such a directory, and no plan completes one.

// isGitLayout reports whether git takes a directory for a repository. has must report whether the
// directory has an entry of a name. Git doesn't check whether objects and refs are directories.
func isGitLayout(has func(name string) bool) bool {
	return has("HEAD") && (has("commondir") || has("objects") && has("refs"))
}

// checkOutsideRepositories refuses a path in a bare clone, in a separate git directory or in that
// of a worktree: if a directory above the file is a repository. name is the path for messages, and
// real the same with links resolved.
func (t *Tree) checkOutsideRepositories(name, real string) error {
	for dir := real; dir != "."; {
		dir = path.Dir(dir)
		if t.isRepository(dir) {
			return refuse(apply.Denied, name,
				"git's own files are never edited, and "+dir+" is a repository", "use git")
		}
	}
	return nil
}

// checkAbove refuses a root that is inside a git directory. A working tree there that has its own
// .git is allowed, because people keep working trees inside a bare clone.
func (t *Tree) checkAbove() error {
	for dir, last := t.realDir, ""; dir != last; dir, last = filepath.Dir(dir), dir {
		has := func(name string) bool {
			_, err := os.Lstat(filepath.Join(dir, name))
			return err == nil
		}
		switch {
		case has(".git"):
			return nil
		case isGitLayout(has):
			return refuse(apply.Denied, "",
				"git's own files are never edited, and the tree lies in the repository "+dir, "use git")
		}
	}
	return nil
}

// Prefix returns the path of the root within the working tree of its repository, with a slash at
// the end, as git rev-parse --show-prefix prints it. It's "" at the top and outside of
// repositories.
func (t *Tree) Prefix() string {
	rel, err := filepath.Rel(git.Top(t.realDir), t.realDir)
	if err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel) + "/"
}

// isRepository reports whether git would take a directory for a repository. It asks the file
// system, as git does. The answer no is cached until a run begins. An entry that can't be looked at
// counts as there, to be safe.
func (t *Tree) isRepository(dir string) bool {
	if _, ok := t.ordinary.Load(dir); ok {
		return false
	}
	is := isGitLayout(func(part string) bool {
		_, err := t.disk.Lstat(path.Join(dir, part))
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
	})
	if !is {
		t.ordinary.Store(dir, true)
	}
	return is
}

// checkNoRepository refuses a new file that may complete a repository: one named HEAD or commondir,
// and one that is, or is below, objects or refs next to a HEAD. Names are compared as any file
// system may fold them, because the tree may be checked out on another one.
func (t *Tree) checkNoRepository(at spot) error {
	segs := strings.Split(at.real, "/")
	isHead := func(name string) bool { return fold(name) == "head" }
	for i, seg := range segs {
		isFile := i == len(segs)-1
		switch part := fold(seg); part {
		case "head", "commondir": // refused as a file
			if !isFile {
				continue
			}
		case "objects", "refs": // refused next to a HEAD
			dir := path.Join(segs[:i]...)
			names, err := t.disk.Names(path.Join(".", dir))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if !slices.ContainsFunc(names, isHead) {
				continue
			}
		default:
			continue
		}
		return refuse(apply.Denied, at.real,
			"a new "+seg+" may make a git repository of its directory, and git runs what a repository's "+
				"configuration says", "make it with git")
	}
	return nil
}

// withoutRepositories removes the files in repositories from a listing. It finds a repository by
// its HEAD, which the listing has as well.
func (t *Tree) withoutRepositories(names []string) []string {
	var dirs []string
	for _, name := range names {
		if dir := path.Dir(name); path.Base(name) == "HEAD" && t.isRepository(dir) {
			dirs = append(dirs, dir+"/")
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(name, dir) })
	})
}

// git prepares a git command for the root that runs no program named in the repository's
// configuration.
func (t *Tree) git(args ...string) *exec.Cmd {
	cmd := git.Command(context.Background(), t.dir, append([]string{"-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1") // a fetch would run what the remote's configuration says
	return cmd
}
