package workspace

import (
	"bytes"
	"errors"
	"iter"
	"path"
	"slices"
)

// Paths implements [apply.Tree]: the regular files that a name may be bound to, in lexical order.
// They are what git lists (tracked files, and untracked ones that are not ignored) where the root
// lies in a git work tree and git is installed; else every file below the root. git's own files,
// symbolic links and what [Options] denies are left out. Large and binary files are listed; reading
// them is refused.
func (t *Tree) Paths() iter.Seq[string] {
	t.list()
	return slices.Values(t.listing.paths)
}

// Complete implements [apply.Tree]: whether the limit on listed files was enough.
func (t *Tree) Complete() bool {
	t.list()
	return t.listing.complete
}

type listing struct {
	done, complete bool
	paths          []string
}

func (t *Tree) list() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listing.done {
		return
	}
	found, complete, ok := t.gitFiles()
	if ok {
		found = t.regular(found)
	}
	if len(found) == 0 { // git is not there, or the root itself is ignored
		found, complete = t.walk()
	}
	found = slices.DeleteFunc(found, func(p string) bool {
		return checkSegments(p) != nil || t.checkAllowed(p, p) != nil
	})
	found = t.withoutRepositories(found)
	slices.Sort(found)
	t.listing = listing{done: true, complete: complete, paths: slices.Compact(found)}
}

// gitFiles asks git.
func (t *Tree) gitFiles() (found []string, complete, ok bool) {
	names := pathList{most: t.opt.Limits.paths}
	git := t.git("ls-files", "-co", "--exclude-standard", "-z")
	git.Stdout = &names
	err := git.Run()
	return names.found, !names.full, err == nil || names.full
}

// pathList takes the names that git writes, each with a NUL after it. It refuses more than most.
type pathList struct {
	found []string
	most  int
	full  bool
	rest  []byte // the beginning of a name
}

func (l *pathList) Write(p []byte) (int, error) {
	data := append(l.rest, p...)
	for {
		name, rest, ok := bytes.Cut(data, []byte{0})
		if !ok {
			l.rest = append(l.rest[:0], data...)
			return len(p), nil
		}
		if len(l.found) == l.most {
			l.full = true
			return 0, errTooManyPaths
		}
		l.found, data = append(l.found, string(name)), rest
	}
}

// errTooManyPaths ends git's list.
var errTooManyPaths = errors.New("too many paths")

// regular keeps the names that are regular files now, reading each directory once. git lists
// deleted files, links and submodules too.
func (t *Tree) regular(names []string) []string {
	slices.Sort(names)
	entries := map[string]map[string]bool{}
	return slices.DeleteFunc(names, func(name string) bool {
		dir, base := path.Split(name)
		files, ok := entries[dir]
		if !ok {
			files = map[string]bool{}
			list, _ := t.disk.ReadDir(path.Clean(dir))
			for _, e := range list {
				files[e.Name()] = e.Type().IsRegular()
			}
			entries[dir] = files
		}
		return !files[base]
	})
}

// walk lists every regular file below the root, without following links, as far as the limit
// allows.
func (t *Tree) walk() (found []string, complete bool) {
	budget := t.opt.Limits.paths
	dirs := []string{"."}
	for len(dirs) > 0 {
		dir := dirs[0]
		dirs = dirs[1:]
		entries, _ := t.disk.ReadDir(dir)
		for _, e := range entries {
			if budget--; budget < 0 {
				return found, false
			}
			name := path.Join(dir, e.Name())
			switch {
			case e.IsDir() && !isGitDir(e.Name()):
				dirs = append(dirs, name)
			case e.Type().IsRegular():
				found = append(found, name)
			}
		}
	}
	return found, true
}
