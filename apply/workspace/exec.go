package workspace

import (
	_ "embed" // exec.globs
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/git"
)

// execList is the name of the list in exec.globs, in [Options.Allow] and [Options.Deny].
const execList = "@exec"

// execGlobs is the list itself; its first lines say what is on it, and in which form.
//
//go:embed exec.globs
var execGlobs string

// execNames are the globs of execGlobs, and the names that only files may have.
func execNames() (found, files []string) {
	for line := range strings.Lines(execGlobs) {
		names, only := strings.CutPrefix(line, "files:")
		switch {
		case strings.HasPrefix(line, "#"):
		case only:
			files = append(files, strings.Fields(names)...)
		default:
			found = append(found, strings.Fields(line)...)
		}
	}
	return found, files
}

// addExec adds the list @exec.
func (g *globs) addExec() {
	g.exec = true
	found, files := execNames()
	for _, glob := range found {
		g.add(glob, execList+" ("+glob+")")
	}
	for _, name := range files {
		g.files[g.key(name)] = execList + " (" + name + ")"
	}
}

// denyGitsOwn denies what only git can name: the hooks, and the files of the tree that its
// configuration in a directory names. It runs or obeys them.
func (w *Workspace) denyGitsOwn(deny *globs, dir string) error {
	top := git.Top(existing(dir))
	if top == "" {
		return nil // no repository
	}
	ask := func(what string, args ...string) (string, error) {
		cmd := w.git(args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			why, remedy := git.Refusal(err)
			return "", refuse(Unguarded, "", execList+" needs git to name "+what+": "+why, remedy)
		}
		return string(out), nil
	}
	hooks, err := ask("the repository's hooks", "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return err
	}
	w.denyReal(deny, strings.TrimSuffix(hooks, "\n"), "core.hooksPath")
	settings, err := ask("the files that its configuration names", "config", "--null", "--show-origin", "--list")
	if err != nil {
		return err
	}
	fields := strings.Split(settings, "\x00")
	for ; len(fields) >= 2; fields = fields[2:] {
		key, value, _ := strings.Cut(fields[1], "\n")
		if !strings.HasPrefix(key, "include") || !strings.HasSuffix(key, ".path") {
			w.denyNamed(deny, top, key, value)
			continue
		}
		path := value
		if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~/") {
			path = filepath.Join(home, path[2:])
		}
		if origin := strings.TrimPrefix(fields[0], "file:"); !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(origin), path)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(top, path)
		}
		w.denyReal(deny, path, key)
	}
	return nil
}

// denyNamed denies each file of the tree that a value of git's configuration names: a program, an
// argument of one, or a file that git reads. The value may be a command for the shell.
func (w *Workspace) denyNamed(deny *globs, top, key, value string) {
	const ends = " \t\r\n'\"`;|&<>(){}$!"
	split := func(ends string) []string {
		return strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(ends, r) })
	}
	words := split(ends)
	command := len(words) > 1
	for _, word := range append(append(words, split(ends+"=:,")...), value) {
		paths := []string{filepath.Join(top, word)} // also for $(git rev-parse --show-toplevel)/word
		if filepath.IsAbs(word) {
			paths = append(paths, word)
		} else if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(word, "~/") {
			paths = append(paths, filepath.Join(home, word[2:]))
		}
		for _, path := range paths {
			path = existing(path)
			rel, err := filepath.Rel(w.realDir, path)
			if err != nil || !filepath.IsLocal(rel) || rel == "." {
				continue
			}
			deny.files["/"+deny.key(filepath.ToSlash(rel))] = execList + " (" + key + ")"
			if info, err := os.Stat(path); err == nil && info.IsDir() && command && strings.Contains(word, "/") {
				w.denyReal(deny, path, key) // as in go run ./tools/filter
			}
		}
	}
}

// denyReal denies a file or a directory that a key of git's configuration names, if it is in the tree.
func (w *Workspace) denyReal(deny *globs, path, key string) {
	path = existing(path)
	from := execList + " (" + key + ")"
	if rel, err := filepath.Rel(path, w.realDir); err == nil && filepath.IsLocal(rel) {
		deny.add("**", from) // the tree is a part of it
	} else if rel, err := filepath.Rel(w.realDir, path); err == nil && filepath.IsLocal(rel) {
		deny.add("/"+literally(filepath.ToSlash(rel)), from)
	}
}

// checkNested denies what the configurations of repositories below the root name that a file lies in:
// submodules, worktrees and others.
func (w *Workspace) checkNested(name, real string) error {
	if !w.deny.exec {
		return nil
	}
	for dir := path.Dir(real); dir != "."; dir = path.Dir(dir) {
		asked, _ := w.nested.LoadOrStore(dir, sync.OnceValues(func() (globs, error) {
			deny := globs{names: map[string]string{}, files: map[string]string{}, key: anyCase}
			at := filepath.Join(w.realDir, filepath.FromSlash(dir))
			if git.Top(at) != at {
				return deny, nil
			}
			return deny, w.denyGitsOwn(&deny, at)
		}))
		deny, err := asked.(func() (globs, error))()
		if err != nil {
			return err
		}
		for _, p := range []string{name, real} {
			if g, ok := deny.match(p); ok {
				return refuse(apply.Denied, name, "denied by "+g, "")
			}
		}
	}
	return nil
}
