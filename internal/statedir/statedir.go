// Package statedir says where the state of trees is: their journals, and refused runs.
package statedir

import (
	"os"
	"path/filepath"
	"runtime"
)

// Names in the state directory. Trees has a directory for each tree. In it, Root says where the
// tree is, and Refused is the last refused run.
const (
	Trees   = "trees"
	Root    = "root"
	Refused = "refused"
)

// Base returns the directory for the state of all trees: the one that the caller names, or the
// user's if named is "".
func Base(named string) (string, error) {
	if named != "" {
		return filepath.Abs(named)
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) { // the specification ignores relative ones
		return filepath.Join(dir, "srpatch"), nil
	}
	if dir := os.Getenv("LocalAppData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "srpatch"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "state", "srpatch"), nil
}
