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

// above is where files are that are not in the tree: in a directory above it, from which the names of the reply begin.
type above struct {
	dir   string // "" if there is none
	to    string // the same as an argument for -d
	names []string
	// blocks are the numbers of those that are refused for want of these files.
	blocks map[int]bool
}

// above looks for files that are not in the tree. Whether they are there is asked for the person who reads the report, and not said in JSON. A
// model is not asked about blocks that are for them: their names are right.
func (c *command) above(plan *apply.Plan, root string) (found above) {
	if c.untrusted || plan.Status != apply.Refused {
		return above{}
	}
	missing, blocks := missingNames(plan.Blocks)
	if len(missing) == 0 {
		return above{}
	}
	up, dir := "..", filepath.Dir(root)
	for range maxAbove {
		if there := regularFiles(dir, missing); len(there) > 0 {
			to := up
			if c.dir != "." {
				to = filepath.Join(c.dir, up)
			}
			if !sameFile(to, dir) { // the tree was named by a link
				to = dir
			}
			found = above{dir: dir, to: filepath.ToSlash(to), names: there, blocks: map[int]bool{}}
			for _, name := range there {
				for _, id := range blocks[name] {
					found.blocks[id] = true
				}
			}
			return found
		}
		if filepath.Dir(dir) == dir {
			return above{}
		}
		up, dir = filepath.Join(up, ".."), filepath.Dir(dir)
	}
	return above{}
}

// sayAbove says in one sentence where the files are, and what to do about it.
func (c *command) sayAbove(found above) {
	if found.dir == "" {
		return
	}
	name, are := render.Clean(found.names[0]), "is"
	if len(found.names) > 1 {
		name, are = fmt.Sprintf("%d of the missing files", len(found.names)), "are"
	}
	fmt.Fprintf(c.stderr, "srpatch: %s %s in %s: the reply names files from there; add -d %s\n", name, are, render.Clean(found.dir), shellWord(found.to))
}

// missingNames are the names, each once, of the files for which blocks are refused since the tree does not have them, and the numbers
// of these blocks.
func missingNames(reports []apply.BlockReport) (names []string, blocks map[string][]int) {
	blocks = map[string][]int{}
	for i := range reports {
		b := &reports[i]
		if b.Reason != apply.NoSuchFile && b.Reason != apply.OutsideRoot {
			continue
		}
		name := path.Clean(strings.ReplaceAll(b.Path, `\`, "/"))
		if !filepath.IsLocal(filepath.FromSlash(name)) || name == "." {
			continue
		}
		if blocks[name] == nil {
			names = append(names, name)
		}
		blocks[name] = append(blocks[name], b.ID)
	}
	return names, blocks
}

// regularFiles are the names that are files below dir.
func regularFiles(dir string, names []string) (there []string) {
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
