package workspace

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Options are the settings of a workspace. With the zero value it writes to any file below the root
// that isn't read-only, with a journal in the user's state directory.
type Options struct {
	// NoJournal writes without a journal. An error still rolls the run back, but a crash doesn't,
	// and there is no undo.
	NoJournal bool
	// StateDir is the directory for journals, instead of $XDG_STATE_HOME/srpatch. It must be
	// outside the tree.
	StateDir string
	// Keep says how long runs can be undone.
	Keep Keep
	// LockWait is how long to wait for another run to end. 0 means a minute, and a negative value
	// not to wait.
	LockWait time.Duration
	// Waiting, unless nil, is called once when a run has waited for a second. by describes the run
	// that it waits for, if known.
	Waiting func(by string)

	// Replies are the SHA-256 sums, in hexadecimal, of the reply, and of those that it was put
	// together from. They are recorded with the run, for [Workspace.Applied].
	Replies []string

	// Force allows changes to read-only files.
	Force bool
	// Check, unless nil, decides about what Commit has written before the run is final. run is its
	// name, or "" without a journal. If Check fails, or the process ends before it does, the files
	// get their old contents back. The tree is locked meanwhile.
	Check func(ctx context.Context, run string) error
	// NoCreate refuses new files.
	NoCreate bool
	// Untrusted is for replies that may be hostile. It denies @exec, deletions, moves, and all
	// files with a name in their path that begins with a dot. In a repository it needs git.
	Untrusted bool
	// Allow, unless empty, names the only files that may be read or written. Deny names files that
	// may not, in any case of letters. Each is a list of globs, separated by commas; a comma in a
	// name needs a backslash before it. The globs are those of .gitignore: without a slash they
	// match at any depth, ** is any number of directories, and a directory stands for all below it.
	// ./NAME is NAME in the root, and so is its absolute path. @exec is the list of files that
	// programs run or obey; see exec.globs. A glob that can never match is a [GlobError].
	Allow, Deny []string
	// Expect maps paths to the hash that their file must have, as "sha256:" and hexadecimal digits,
	// or "absent". All must match, even for files that the plan doesn't change.
	Expect map[string]string
	// Encoding is the encoding of files that aren't valid UTF-8, as in [apply.Options]. Here it
	// also says that files with NUL bytes are UTF-16 without a byte order mark, and not binary.
	Encoding string
	Limits   Limits
}

// Workspace is a tree that plans can be written to: a [Tree] with a lock, a journal and a log.
type Workspace struct {
	*Tree
	wrap  func(disk) disk
	state *state   // nil until it is needed
	lock  *runLock // nil when it is not held

	standsFor standIns // see StandsFor

	logMu    sync.Mutex
	runs     []Run // the newest runs of the log, newest first
	runsRead int   // how many of them were asked for
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
