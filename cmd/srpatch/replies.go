package main

import "slices"

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
	if i := slices.Index(c.args, "-"); i >= 0 && slices.Contains(c.args[i+1:], "-") {
		return nil, usagef("- is given twice; standard input can be read only once")
	}
	return c.args, nil
}
