package workspace

import (
	_ "embed" // exec.globs
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/internal/git"
)

// execList is what [Options.Allow] and [Options.Deny] call the list in exec.globs.
const execList = "@exec"

// execGlobs is the list itself. Its first lines describe its content and format.
//
//go:embed exec.globs
var execGlobs string

// addExec adds the list @exec. A match is said to be of "@exec (GLOB)". In lines of the list such as
// "files: mill", the names match only files, not directories.
func (g *globs) addExec() {
	g.exec = true
	for line := range strings.Lines(execGlobs) {
		names, onlyFiles := strings.CutPrefix(line, "files:")
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, glob := range strings.Fields(names) {
			g.add(glob, execList+" ("+glob+")").onlyFile = onlyFiles
		}
	}
}

// denyHooks denies the hooks of the tree's repository, if they lie in the tree or the tree in their
// directory. Only git knows where they are. It fails if there is a repository that git can't read.
func (t *Tree) denyHooks() error {
	if git.Top(t.realDir) == "" {
		return nil // no repository
	}
	out, err := t.git("rev-parse", "--path-format=absolute", "--git-path", "hooks").Output()
	if err != nil {
		why, remedy := git.Refusal(err)
		return refuse(Unguarded, "", execList+" needs git to name the repository's hooks: "+why, remedy)
	}
	hooks := existing(strings.TrimSuffix(string(out), "\n"))
	const from = execList + " (core.hooksPath)"
	if rel, err := filepath.Rel(hooks, t.realDir); err == nil && filepath.IsLocal(rel) {
		t.deny.add("**", from) // the tree is inside the directory of hooks
	} else if rel, err := filepath.Rel(t.realDir, hooks); err == nil && filepath.IsLocal(rel) {
		t.deny.add("/"+literally(filepath.ToSlash(rel)), from)
	}
	return nil
}
