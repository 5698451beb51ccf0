package main

import (
	"os"
	"path/filepath"
	"strings"
)

// replies returns the names of the replies of a run, in their order: the arguments, or "-" for
// standard input if there is none. The clipboard counts as one.
func (c *command) replies() ([]string, error) {
	switch {
	case c.clipboard && len(c.args) > 0:
		return nil, usagef("--clipboard and %s are two replies; name one", c.args[0])
	case c.clipboard:
		return []string{clipboardName}, nil
	case len(c.args) == 0:
		return []string{"-"}, nil
	}
	return expanded(c.args), nil
}

// expanded replaces each name with stars by the files that match it, as shells on Unix do and those
// on Windows do not. A name that is a file or matches nothing stays.
func expanded(names []string) (all []string) {
	for _, name := range names {
		found := []string{name}
		if _, err := os.Lstat(name); err != nil && strings.ContainsAny(name, "*?[") {
			if some, err := filepath.Glob(name); err == nil && len(some) > 0 {
				found = some
			}
		}
		all = append(all, found...)
	}
	return all
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
