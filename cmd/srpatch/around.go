package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/internal/render"
	"github.com/srpatch/srpatch/internal/statedir"
)

// findRefused makes the tree of the run that was refused the tree of this one: in a directory below it nothing else can be meant. A run is
// remembered of the tree that it was made on, and of no directory in it.
//
// The search ends at the top of a repository, whose settings hold in all of it. Those of another one are not known here.
func (c *command) findRefused() error {
	if c.given["directory"] {
		return nil
	}
	if there, err := c.remembers(c.dir); there || err != nil {
		return err
	}
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return nil
	}
	var found []string
	for up := ".."; ; up = filepath.Join(up, "..") {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
		if there, err := c.remembers(up); there && err == nil { // one that cannot be looked at is not meant
			found = append(found, up)
		}
	}
	switch len(found) {
	case 0:
		return nil
	case 1:
		c.dir = found[0]
		if !c.quiet {
			fmt.Fprintf(c.stderr, "srpatch: using the refused run in %s; file names are relative to it\n", render.Clean(filepath.ToSlash(c.dir)))
		}
		return nil
	}
	return &trouble{codeNothingToRetry, errors.New("no refused run is remembered for this tree, but for several around it; add -d " + strings.Join(found, " or -d "))}
}

// nothingToRetry says what there is instead of a refused run: one of another tree, or a run that
// was applied.
func (c *command) nothingToRetry(answered bool) error {
	says := "no refused run is remembered for this tree"
	if other := c.refusedElsewhere(); len(other) > 0 {
		says += "; there is one of " + strings.Join(other, " and of ") +
			": add -d " + strings.Join(other, " or -d ")
	}
	runs, err := c.runs(context.Background())
	switch {
	case answered:
		says += "; to apply the answer alone, leave out the word retry"
	case err == nil && len(runs) > 0 && runs[0].Kind == workspace.KindApply && runs[0].InForce():
		says += fmt.Sprintf("; run %s was applied last, and srpatch undo takes it back", runs[0].ID)
	}
	return &trouble{codeNothingToRetry, errors.New(says)}
}

// maxElsewhere is how many other trees are named.
const maxElsewhere = 3

// refusedElsewhere are the directories, as -d takes them, of the trees whose refused runs are
// remembered, newest first: those in the repository and below this directory, or else all.
func (c *command) refusedElsewhere() []string {
	base, err := statedir.Base(c.stateDir)
	if c.given["directory"] || err != nil {
		return nil
	}
	here, err := filepath.Abs(c.dir)
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	if err != nil {
		return nil
	}
	top := here
	for dir := here; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			top = dir
			break
		}
	}
	// A base that is no pattern has none.
	files, _ := filepath.Glob(filepath.Join(base, statedir.Trees, "*", statedir.Refused))
	slices.SortFunc(files, func(a, b string) int { return changedAt(b).Compare(changedAt(a)) })
	var near, far []string
	for _, name := range files {
		root, err := os.ReadFile(filepath.Join(filepath.Dir(name), statedir.Root))
		dir := strings.TrimSuffix(string(root), "\n")
		if err != nil || !filepath.IsAbs(dir) || dir == here {
			continue
		}
		list, as := &far, dir
		if rel, err := filepath.Rel(top, dir); err == nil && filepath.IsLocal(rel) {
			list = &near
			as, _ = filepath.Rel(here, dir)
		}
		if len(*list) == maxElsewhere {
			continue
		}
		if there, err := c.remembers(dir); there && err == nil {
			*list = append(*list, shellWord(filepath.ToSlash(as)))
		}
	}
	if len(near) == 0 {
		near = far
	}
	return near
}

// changedAt is when a file was changed.
func changedAt(name string) (at time.Time) {
	if info, err := os.Lstat(name); err == nil {
		at = info.ModTime()
	}
	return at
}

// remembers reports whether a refused run is remembered of a directory.
func (c *command) remembers(dir string) (bool, error) {
	there := *c
	there.dir = dir
	t, err := there.openTree(nil)
	if err != nil {
		return false, err
	}
	text, err := t.Remembered()
	return text != nil, errors.Join(err, t.Close())
}
