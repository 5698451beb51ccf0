package main

import (
	"os"
	"path/filepath"
	"strings"
)

// replies returns the names of the replies of a run, in order: the arguments, or "-" for standard
// input if there are none. The clipboard counts as one.
func (c *invocation) replies() ([]string, error) {
	switch {
	case c.clipboard && len(c.args) > 0:
		return nil, usagef("--clipboard and %s are two replies; give only one", c.args[0])
	case c.clipboard:
		return []string{clipboardName}, nil
	case len(c.args) == 0:
		return []string{"-"}, nil
	}
	return expanded(c.args), nil
}

// expanded replaces each name with wildcards by the files that match it, as shells do on Unix but
// not on Windows. A name stays if it's a file or matches nothing.
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

// sameFile reports whether two names lead to the same file or directory. It's false if one doesn't
// exist.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
