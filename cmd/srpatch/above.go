package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/render"
)

// maxAbove is how many directories above the tree are looked at.
const maxAbove = 8

// sayAbove says in one sentence that files which are not in the tree are in a directory above it, from which the names of the reply
// begin. Whether they are there is asked for the person who reads this, and said neither in JSON nor to a model.
func (c *command) sayAbove(plan *apply.Plan, root string) {
	if c.untrusted || plan.Status != apply.Refused {
		return
	}
	missing := missingNames(plan.Blocks)
	if len(missing) == 0 {
		return
	}
	up, dir := "..", filepath.Dir(root)
	for range maxAbove {
		if there := regular(dir, missing); len(there) > 0 {
			to := up
			if c.dir != "." {
				to = filepath.Join(c.dir, up)
			}
			if !sameFile(to, dir) { // the tree was named by a link
				to = dir
			}
			name, are := render.Clean(there[0]), "is"
			if len(there) > 1 {
				name, are = fmt.Sprintf("%d of the files that are not here", len(there)), "are"
			}
			fmt.Fprintf(c.stderr, "srpatch: %s %s in %s: the names in the reply begin there; add -d %s\n", name, are, render.Clean(dir), shellWord(filepath.ToSlash(to)))
			return
		}
		if filepath.Dir(dir) == dir {
			return
		}
		up, dir = filepath.Join(up, ".."), filepath.Dir(dir)
	}
}

// missingNames are the names, each once, of the files for which blocks are refused since the tree does not have them.
func missingNames(blocks []apply.BlockReport) (names []string) {
	seen := map[string]bool{}
	for i := range blocks {
		b := &blocks[i]
		if b.Reason != apply.NoSuchFile && b.Reason != apply.OutsideRoot {
			continue
		}
		name := path.Clean(strings.ReplaceAll(b.Path, `\`, "/"))
		if filepath.IsLocal(filepath.FromSlash(name)) && name != "." && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// regular are the names that are files below dir.
func regular(dir string, names []string) (there []string) {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
			there = append(there, name)
		}
	}
	return there
}

// shellWord is s as a shell takes it for one word.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == "" {
		return s
	}
	return single(render.Clean(s))
}
