// Package statedir knows where the state of trees lies: their journals, and what is remembered of
// refused runs.
package statedir

import (
	"os"
	"path/filepath"
	"runtime"
)

// Names in the state directory: Trees has a directory for each tree, in which Root says where the
// tree is, and Refused is what the last refused run left for its retry.
const (
	Trees   = "trees"
	Root    = "root"
	Refused = "refused"
)

// Base returns where the state of all trees lies: in a directory that the caller names, or "" in
// that of the user.
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
