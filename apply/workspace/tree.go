package workspace

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/srpatch/srpatch/apply"
)

// Tree is the part of a directory tree that a reply may see. It resolves names and links, applies
// the guards and reads files, but writes nothing. Several goroutines may use it.
type Tree struct {
	dir, realDir string // absolute, as named and without symbolic links
	disk         disk
	opt          Options
	allow, deny  globs
	below        string // [Tree.Prefix], if anything is denied

	mu         sync.Mutex
	listing    listing
	utf16Forms map[string]textForm // the forms of UTF-16 files read so far, by clean name

	// Caches of what is known about directories. A run that writes clears them.
	byLetter sync.Map // directories that don't ignore the case of ASCII letters
	ordinary sync.Map // directories that are no repositories
}

// openTree opens the tree at dir. It fails if the directory can't be opened, if the options are
// invalid, or if srpatch never edits files there, as in a git directory or among its own journals.
func openTree(dir string, opt Options) (*Tree, error) {
	expect := make(map[string]string, len(opt.Expect)) // by clean name
	for name, sum := range opt.Expect {
		clean := path.Clean(name)
		if other, ok := expect[clean]; ok && other != sum {
			return nil, fmt.Errorf("%s is expected to be both %s and %s", clean, min(sum, other), max(sum, other))
		}
		expect[clean] = sum
	}
	opt.Expect = expect
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	realDir, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, refuseErr(apply.Unreadable, "", "cannot open the tree "+dir, "", err)
	}
	t := &Tree{dir: abs, realDir: realDir, opt: opt, utf16Forms: map[string]textForm{}}
	if err := errors.Join(t.compileGuards(), t.guardState(), t.checkAbove()); err != nil {
		return nil, err
	}
	if !t.deny.empty() {
		t.below = t.Prefix() // deny globs also count from the top of the repository
	}
	if t.deny.exec {
		if err := t.denyHooks(); err != nil {
			return nil, err
		}
	}
	if t.disk, err = openDisk(realDir); err != nil {
		return nil, refuseErr(apply.Unreadable, "", "cannot open the tree "+dir, "", err)
	}
	return t, nil
}

// compileGuards sets t.allow and t.deny to the compiled globs of the options. [Options.Untrusted]
// denies @exec and all names that begin with a dot.
func (t *Tree) compileGuards() (err error) {
	deny := t.opt.Deny
	if t.opt.Untrusted {
		deny = append(slices.Clone(deny), execList)
	}
	var errDeny error
	t.allow, err = compileGlobs(t.opt.Allow, asWritten, t.dir, t.realDir)
	t.deny, errDeny = compileGlobs(deny, anyCase, t.dir, t.realDir) // the disk may ignore case
	if t.opt.Untrusted {
		t.deny.add(".*", ".* (untrusted)")
	}
	return errors.Join(err, errDeny)
}

// Dir returns the absolute path of the root.
func (t *Tree) Dir() string { return t.dir }

// forget drops what is cached about the tree.
func (t *Tree) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.listing = listing{}
	t.byLetter.Clear()
	t.ordinary.Clear()
}
