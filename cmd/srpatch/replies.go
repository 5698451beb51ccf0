package main

import (
	"os"
	"path/filepath"
	"slices"
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
	names := expanded(c.args)
	if i := slices.Index(names, "-"); i >= 0 && slices.Contains(names[i+1:], "-") {
		return nil, usagef("- is given twice; standard input can be read only once")
	}
	return names, nil
}

// expanded replaces each name with wildcards by the files that match it, as shells do on Unix but
// not on Windows. A name stays if it's a file or matches nothing.
func expanded(names []string) (all []string) {
	for _, name := range names {
		found, _ := filepath.Glob(name)
		if _, err := os.Lstat(name); err == nil || len(found) == 0 {
			found = []string{name}
		}
		all = append(all, found...)
	}
	return all
}
