package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// Options are the choices of a workspace. The zero value writes with a journal in the user's state
// directory, to any file below the root that is not read-only.
type Options struct {
	// NoJournal writes without a journal: an error still rolls the run back, a crash does not, and
	// there is no undo.
	NoJournal bool
	// StateDir is where journals are kept, instead of $XDG_STATE_HOME/srpatch. It must lie outside
	// the tree.
	StateDir string
	// Keep says how long runs can be undone.
	Keep Keep
	// LockWait is how long to wait for another run to end: 0 means a minute, less than 0 not at
	// all.
	LockWait time.Duration
	// Waiting, unless nil, is called when a run has waited for a second, once. by says for whom, as
	// far as that is known.
	Waiting func(by string)
	// Progress, unless nil, is called after each step of a run that writes: each file is written,
	// and then takes the place of the old one.
	Progress func(done, total int)

	// Replies are the SHA-256 sums, in hexadecimal, of the reply, and of those that it was put
	// together from if it is not one. They are recorded with the run, for [Workspace.Applied].
	Replies []string

	// Force lets read-only files be changed.
	Force bool
	// Check, unless nil, judges what Commit has written before the run is final. run is its name,
	// "" without a journal. If Check fails, or the process ends before it does, the files get their
	// old contents back. The tree is locked meanwhile.
	Check func(ctx context.Context, run string) error
	// NoCreate refuses new files.
	NoCreate bool
	// Untrusted is for a reply that may be hostile. It denies @exec, deletions, moves, and all
	// files whose path has a name that begins with a dot. In a repository it needs git.
	Untrusted bool
	// Allow, unless empty, names the only files that may be read or written; Deny names files that
	// may not be, whatever the case of their letters. Each is a list of globs, separated by commas;
	// a comma in a name has a backslash before it. The globs are those of .gitignore: without a
	// slash they fit at any depth, ** is any number of directories, and a directory stands for all
	// below it. ./NAME is NAME in the root, and so is its absolute path. @exec is the list of what
	// programs run or obey; docs/security.md has it. One that can never fit is a [GlobError].
	Allow, Deny []string
	// Expect maps paths to the hash their file must have, as "sha256:" and hexadecimal digits, or
	// "absent". Every one must hold, also of files that the plan leaves alone.
	Expect map[string]string
	// Encoding is that of files which are not valid UTF-8, as in [apply.Options]. Here it says
	// which files with NUL bytes are not binary, but UTF-16 without a byte order mark.
	Encoding string
	Limits   Limits
}

// Workspace is a directory tree: it implements [apply.Tree] and is the only way a plan reaches the
// disk. Its reading methods may be used by several goroutines.
type Workspace struct {
	dir, realDir string // absolute, as named and without symbolic links
	opt          Options
	allow, deny  globs
	below        string // [Workspace.Prefix], if anything is denied
	tree         disk
	wrap         func(disk) disk

	state *state   // nil until it is needed
	lock  *runLock // nil when it is not held

	standsFor standIns // see StandsFor

	mu      sync.Mutex
	buffer  []byte // see borrow
	listing listing
	history history
	wide    map[string]textForm // of the files looked at that are not text as they are, by clean name

	// What a look for names has found of directories, which are many and asked for often. A run
	// that writes looks again.
	byLetter sync.Map // directories that take names of ASCII by the letter
	ordinary sync.Map // directories that are no repositories
}

// Open opens the tree at dir.
func Open(dir string, opt Options) (*Workspace, error) {
	return open(dir, opt, func(d disk) disk { return d })
}

// open lets tests put their own disk between the workspace and the system's.
func open(dir string, opt Options, wrap func(disk) disk) (*Workspace, error) {
	expect := make(map[string]string, len(opt.Expect))
	for name, sum := range opt.Expect {
		clean := path.Clean(name)
		if other, ok := expect[clean]; ok && other != sum {
			return nil, fmt.Errorf("%s is expected to be both %s and %s", clean, min(sum, other), max(sum, other))
		}
		expect[clean] = sum
	}
	opt.Expect = expect
	opt.Limits, opt.Keep = opt.Limits.withDefaults(), opt.Keep.withDefaults()
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	realDir, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, refuseErr(apply.Unreadable, "", "cannot open the tree "+dir, "", err)
	}
	if opt.Untrusted {
		opt.Deny = append(slices.Clone(opt.Deny), execList)
	}
	allow, errAllow := compileGlobs(opt.Allow, asWritten, abs, realDir)
	deny, errDeny := compileGlobs(opt.Deny, anyCase, abs, realDir)
	if errAllow == nil {
		errAllow = allow.checkAllowing()
	}
	if err := errors.Join(errAllow, errDeny); err != nil {
		return nil, err
	}
	if opt.Untrusted {
		deny.add(".*", ".* (untrusted)")
	}
	w := &Workspace{dir: abs, realDir: realDir, opt: opt, allow: allow, deny: deny, wrap: wrap}
	if err := errors.Join(w.guardState(), w.checkAbove()); err != nil {
		return nil, err
	}
	if !w.deny.empty() {
		w.below = w.Prefix()
	}
	if w.deny.exec {
		if err := w.denyHooks(); err != nil {
			return nil, err
		}
	}
	tree, err := openDisk(realDir)
	if err != nil {
		return nil, refuseErr(apply.Unreadable, "", "cannot open the tree "+dir, "", err)
	}
	w.tree = wrap(tree)
	return w, nil
}

// Dir is the absolute path of the root.
func (w *Workspace) Dir() string { return w.dir }

// Close releases the tree and its lock.
func (w *Workspace) Close() error {
	w.unlock()
	return errors.Join(w.closeState(), w.tree.Close())
}
