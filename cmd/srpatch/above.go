package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
)

// inTree returns what hints add to "srpatch retry" to name the tree of this run, quoted for a
// shell, or "".
func (c *invocation) inTree() string {
	if !c.given["directory"] {
		return ""
	}
	return " -d " + shellWord(filepath.ToSlash(c.dir))
}

// shellWord quotes s so that shells read it as one word. Its control characters are escaped for the
// terminal, so such a name can't be pasted into a shell.
func shellWord(s string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./-+,:@", r)
	}
	if s == "" || strings.ContainsFunc(s, special) {
		s = "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return report.Clean(s)
}

// maxAbove is how many directories above the tree are looked at.
const maxAbove = 8

// filesAbove looks for the missing files of refused blocks in the directories above root, the tree:
// a reply may say src/a.go where src is the tree. It returns a hint for people that names the
// nearest directory with such a file, and the numbers of the blocks whose files are there. If there
// are none, it returns "" and nil. Programs don't get the hint, because it's none of their business
// whether such a file exists. A model isn't asked about these blocks: their names are right.
func (c *invocation) filesAbove(plan *apply.Plan, root string) (hint string, blocks map[int]bool) {
	if c.untrusted || plan.Status != apply.Refused { // an untrusted reply must not learn what exists
		return "", nil
	}
	blocks = map[int]bool{}
	found := ""                         // the name of one of the files
	up, dir := "..", filepath.Dir(root) // one directory, from c.dir and as an absolute path
	for range maxAbove {
		for i := range plan.Blocks {
			b := &plan.Blocks[i]
			isMissing := b.Reason == apply.NoSuchFile || b.Reason == apply.OutsideRoot
			name := filepath.FromSlash(path.Clean(strings.ReplaceAll(b.Path, `\`, "/")))
			if !isMissing || !filepath.IsLocal(name) { // not ../a.go
				continue
			}
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
				blocks[b.ID] = true
				found = report.Clean(filepath.ToSlash(name))
			}
		}
		if len(blocks) > 0 || filepath.Dir(dir) == dir {
			break
		}
		up, dir = filepath.Join(up, ".."), filepath.Dir(dir)
	}
	if len(blocks) == 0 {
		return "", nil
	}
	to := filepath.Join(c.dir, up)
	if !sameFile(to, dir) { // c.dir is a symbolic link, and .. leads up from its target
		to = dir
	}
	return fmt.Sprintf("%s is in %s: the reply's paths start there; add -d %s",
		found, report.Clean(dir), shellWord(filepath.ToSlash(to))), blocks
}
