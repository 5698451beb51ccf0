package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
)

// findRefused makes the tree of the run that was refused the tree of this one: in a directory below it nothing else can be meant. A run is
// remembered of the tree that it was made on, and of no directory in it.
//
// The search ends at the top of a repository.
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
			fmt.Fprintf(c.stderr, "srpatch: using the refused run in %s; file names are relative to it\n", report.Clean(filepath.ToSlash(c.dir)))
		}
		return nil
	}
	return &trouble{codeNothingToRetry, errors.New("no refused run is remembered for this tree, but for several around it; add -d " + strings.Join(found, " or -d "))}
}

// nothingToRetry says what there is instead of a refused run.
func (c *command) nothingToRetry(answered bool) error {
	says := "no refused run is remembered for this tree"
	runs, err := c.runs(context.Background())
	switch {
	case answered:
		says += "; to apply the answer alone, leave out the word retry"
	case err == nil && len(runs) > 0 && runs[0].Kind == workspace.KindApply && runs[0].InForce():
		says += fmt.Sprintf("; run %s was applied last, and srpatch undo takes it back", runs[0].ID)
	}
	return &trouble{codeNothingToRetry, errors.New(says)}
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
