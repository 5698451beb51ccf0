package workspace

import (
	"iter"
	"path"
	"slices"
	"strings"
)

// Paths implements [apply.Tree]. It returns the regular files that a name in a reply may match, in
// lexical order. In a git work tree, if git is installed, these are the files that git lists:
// tracked files, and untracked ones that are not ignored. Otherwise they are all files below the
// root. Git's own files, symbolic links and files that [Options] denies are left out. Large and
// binary files are listed, but cannot be read.
func (t *Tree) Paths() iter.Seq[string] {
	t.list()
	return slices.Values(t.listing.paths)
}

// Complete implements [apply.Tree]. It reports whether Paths lists all files, within its limit.
func (t *Tree) Complete() bool {
	t.list()
	return t.listing.complete
}

type listing struct {
	done, complete bool
	paths          []string
}

// list fills t.listing with the files that a name in a reply may match, unless it has been filled
// since the last run began.
func (t *Tree) list() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listing.done {
		return
	}
	found, complete := t.gitFiles()
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

// gitFiles returns the regular files that git lists, or none if git fails. complete is false if
// there are more than the limit.
func (t *Tree) gitFiles() (found []string, complete bool) {
	out, err := t.git("ls-files", "-co", "--exclude-standard", "-z").Output()
	if err != nil {
		return nil, false
	}
	found = strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	most := min(len(found), t.opt.Limits.paths)
	return t.regular(found[:most]), most == len(found)
}

// regular returns the names that are regular files now, because git also lists deleted files,
// links and submodules. It sorts and overwrites names. It reads each directory once.
func (t *Tree) regular(names []string) []string {
	slices.Sort(names)
	entries := map[string]map[string]bool{} // by directory and name: whether it's a regular file
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

// walk returns every regular file below the root without following links. complete is false if it
// stopped at the limit for directory entries. A directory that can't be read counts as empty.
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
