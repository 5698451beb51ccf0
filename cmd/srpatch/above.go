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

// filesAbove looks for the missing files of refused blocks in the directories above the tree: a
// reply may say src/a.go where src is the tree. It returns a hint for people that names the
// nearest directory with such a file, and the numbers of the blocks whose files are there. If there
// are none, it returns "" and nil. Programs don't get the hint, because it's none of their business
// whether such a file exists. A model isn't asked about these blocks: their names are right.
func (c *invocation) filesAbove(plan *apply.Plan, t *tree) (string, map[int]bool) {
	// An untrusted reply must not learn what exists.
	if c.untrusted || plan.Status != apply.Refused {
		return "", nil
	}
	blocks, found := map[int]bool{}, "" // found is the name of one of the files
	for dir := filepath.Dir(t.Dir()); ; dir = filepath.Dir(dir) {
		for i := range plan.Blocks {
			b := &plan.Blocks[i]
			isMissing := b.Reason == apply.NoSuchFile || b.Reason == apply.OutsideRoot
			name := filepath.FromSlash(path.Clean(strings.ReplaceAll(b.Path, `\`, "/")))
			if !isMissing || !filepath.IsLocal(name) { // not ../a.go
				continue
			}
			info, err := os.Stat(filepath.Join(dir, name))
			if err == nil && info.Mode().IsRegular() {
				blocks[b.ID] = true
				found = report.Clean(filepath.ToSlash(name))
			}
		}
		if len(blocks) > 0 {
			return fmt.Sprintf("%s is in %s: the reply's paths start there; use -d %s",
				found, report.Clean(dir), shellWord(filepath.ToSlash(dir))), blocks
		}
		if filepath.Dir(dir) == dir {
			return "", nil
		}
	}
}
