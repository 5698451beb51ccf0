package workspace

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/statedir"
)

// Limits limit what a run may touch. Zero fields mean the defaults.
type Limits struct {
	// FileSize is the largest file that is read or written, in bytes. Default 64 MiB. A run holds
	// its files in memory a few times over.
	FileSize int64
	files    int // that one run may change, and directories that it may make
	paths    int // directory entries that the search for a name may look at
}

// withDefaults returns l with the defaults instead of zeros.
func (l Limits) withDefaults() Limits {
	return Limits{FileSize: cmp.Or(l.FileSize, 64<<20), files: cmp.Or(l.files, 10_000), paths: cmp.Or(l.paths, 200_000)}
}

// checkAllowed applies the allow and deny globs to a path, as named and with links resolved, and
// refuses it unless both are allowed. Deny globs are also matched against the path from the top of
// the repository.
func (t *Tree) checkAllowed(name, real string) error {
	for _, p := range slices.Compact([]string{name, real}) {
		glob, isDenied := t.deny.match(p)
		if !isDenied && t.below != "" {
			glob, isDenied = t.deny.match(t.below + p)
		}
		if isDenied {
			return refuse(apply.Denied, name, "denied by "+glob, "")
		}
		if _, isAllowed := t.allow.match(p); !isAllowed && !t.allow.empty() {
			return refuse(apply.Denied, name, "not among the allowed files", "")
		}
	}
	return nil
}

// checkExpected returns an error if a file hasn't the hash that [Options.Expect] says, if it says
// one. raw is the file's content, or nil for an absent file.
func (o *Options) checkExpected(name string, raw []byte) error {
	want, ok := o.Expect[name]
	if !ok {
		return nil
	}
	have := "absent"
	if raw != nil {
		have = "sha256:" + hash(raw)
	}
	if !strings.EqualFold(want, have) {
		return refuse(apply.Stale, name, fmt.Sprintf("expected %s, found %s", want, have),
			"make the edits again for the file as it is now")
	}
	return nil
}

// hash returns the SHA-256 of raw in hexadecimal.
func hash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// guardState keeps a reply away from the journals, because undo and recover write what these say.
// It refuses a tree that lies among the journals, and denies the journals if they lie in the tree.
func (t *Tree) guardState() error {
	bases := []string{t.opt.StateDir}
	if t.opt.StateDir != "" {
		bases = append(bases, "") // the user's own, too
	}
	for _, dir := range bases {
		base, err := statedir.Base(dir)
		if err != nil {
			continue // there is none
		}
		trees := existing(filepath.Join(base, statedir.Trees))
		if rel, err := filepath.Rel(trees, t.realDir); err == nil && filepath.IsLocal(rel) {
			return refuse(apply.Denied, "",
				"the directory "+t.dir+" belongs to srpatch, which keeps its journals there",
				"go to the tree of the runs")
		}
		if rel, err := filepath.Rel(t.realDir, trees); err == nil && filepath.IsLocal(rel) {
			t.deny.add("/"+literally(filepath.ToSlash(rel)), "srpatch, because its journals are there")
		}
	}
	return nil
}

// literally returns the glob that matches only name.
func literally(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
