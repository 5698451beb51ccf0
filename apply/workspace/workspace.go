package workspace

import (
	"context"
	"errors"
	"sync"
	"time"
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
	// programs run or obey; exec.globs has it. One that can never fit is a [GlobError].
	Allow, Deny []string
	// Expect maps paths to the hash their file must have, as "sha256:" and hexadecimal digits, or
	// "absent". Every one must hold, also of files that the plan leaves alone.
	Expect map[string]string
	// Encoding is that of files which are not valid UTF-8, as in [apply.Options]. Here it says
	// which files with NUL bytes are not binary, but UTF-16 without a byte order mark.
	Encoding string
	Limits   Limits
}

// Workspace is a tree that a plan can be written to: a [Tree], the lock of its writer, its journal,
// and its log.
type Workspace struct {
	*Tree
	wrap  func(disk) disk
	state *state   // nil until it is needed
	lock  *runLock // nil when it is not held

	standsFor standIns // see StandsFor

	logMu   sync.Mutex
	history history
}

// Open opens the tree at dir.
func Open(dir string, opt Options) (*Workspace, error) {
	return open(dir, opt, func(d disk) disk { return d })
}

// open lets tests put their own disk between the workspace and the system's.
func open(dir string, opt Options, wrap func(disk) disk) (*Workspace, error) {
	opt.Limits, opt.Keep = opt.Limits.withDefaults(), opt.Keep.withDefaults()
	t, err := openTree(dir, opt)
	if err != nil {
		return nil, err
	}
	t.disk = wrap(t.disk)
	return &Workspace{Tree: t, wrap: wrap}, nil
}

// Close releases the tree and its lock.
func (w *Workspace) Close() error {
	w.unlock()
	return errors.Join(w.closeState(), w.disk.Close())
}
