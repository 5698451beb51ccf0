package workspace

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/srpatch/srpatch/internal/statedir"
)

// Keep limits the log. Zero fields mean the defaults. The newest run of a tree that is in use is
// always kept.
type Keep struct {
	// Age is how long a run can be undone. Default 30 days.
	Age time.Duration
	// Bytes is the size of all runs of one tree. Default 512 MiB.
	Bytes int64
}

// withDefaults returns k with the defaults instead of zeros.
func (k Keep) withDefaults() Keep {
	return Keep{Age: cmp.Or(k.Age, 30*24*time.Hour), Bytes: cmp.Or(k.Bytes, 512<<20)}
}

// pruneEvery is how many runs pass before old ones are pruned again.
const pruneEvery = 16

// runsDir is the directory of the runs in a tree's state; docs/journal.md describes it.
const runsDir = "runs"

// state is a tree's state directory, which lies outside the tree. It has the journal (journal.go).
type state struct {
	disk
	dir string // absolute
}

// openState opens the tree's state. If there is none, it creates it if create is set, and
// otherwise returns nil. It also returns nil if there can be none and [Options.NoJournal] says that
// none is needed.
func (w *Workspace) openState(create bool) (s *state, err error) {
	if w.state == nil {
		err = w.findState(create)
	}
	if err == nil && create {
		if err = w.state.layOut(w.realDir); err != nil {
			err = errors.Join(noState("the state directory "+w.state.dir+" cannot be used", err), w.closeState())
		}
	}
	if w.opt.NoJournal && hasReason(err, NoState) {
		return nil, nil
	}
	return w.state, err
}

// stateDir returns the state directory of the tree at root, in base: its name is a hash of root.
func stateDir(base, root string) string {
	key := sha256.Sum256([]byte(root))
	return filepath.Join(base, statedir.Trees, hex.EncodeToString(key[:8]))
}

// findState opens the state directory, and sets w.state. If there is none, it makes it if create is
// set, and otherwise leaves w.state nil. It fails if the directory would be inside the tree.
func (w *Workspace) findState(create bool) error {
	base, err := statedir.Base(w.opt.StateDir)
	if err != nil {
		return noState("there is no place for the journal", err)
	}
	if rel, err := filepath.Rel(w.realDir, existing(base)); err == nil && filepath.IsLocal(rel) {
		return noState("the state directory "+base+" lies inside the tree", nil)
	}
	dir := stateDir(base, w.realDir)
	if create {
		err = os.MkdirAll(dir, 0o700)
	}
	var d disk
	if err == nil {
		d, err = openDisk(dir)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return nil
	case err != nil:
		return noState("the state directory "+dir+" cannot be used", err)
	}
	w.state = &state{disk: w.wrap(d), dir: dir}
	return nil
}

// noState returns the error that there is no usable state directory. err is the cause, or nil.
func noState(what string, err error) error {
	return refuseErr(NoState, "", what,
		"name a directory outside the tree with Options.StateDir, or write with Options.NoJournal", err)
}

// closeState closes the state directory. The next openState opens it again.
func (w *Workspace) closeState() error {
	if w.state == nil {
		return nil
	}
	s := w.state
	w.state = nil
	return s.Close()
}

// existing returns an absolute name with the symbolic links in its existing part resolved. The
// rest, which does not exist yet, stays as it is.
func existing(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	if parent := filepath.Dir(name); parent != name {
		return filepath.Join(existing(parent), filepath.Base(name))
	}
	return name
}

// layOut makes the directory of the runs, and a file that says which tree they are of, unless they
// exist.
func (s *state) layOut(root string) error {
	if err := s.Mkdir(runsDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := s.Lstat(statedir.Root); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.SyncDir("."); err != nil {
		return err
	}
	return s.writeFile(statedir.Root, false /* sync */, []byte(root+"\n")) // for people who look
}

// writeFile writes a file, or replaces its content. If sync is set, it waits until the content is
// on the disk.
func (s *state) writeFile(name string, sync bool, parts ...[]byte) (err error) {
	f, err := s.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<16)
	for _, part := range parts {
		_, _ = w.Write(part) // Flush returns the error
	}
	if err := w.Flush(); err != nil || !sync {
		return err
	}
	return f.Sync()
}

// openRegular opens a regular file of d for reading, and fails for anything else.
func openRegular(d disk, name string) (file, fs.FileInfo, error) {
	info, err := d.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New(kind(info.Mode()))}
	}
	if err != nil {
		return nil, nil, err
	}
	f, err := d.Open(name, os.O_RDONLY, 0)
	return f, info, err
}

// readFile reads a regular file of d.
func readFile(d disk, name string) ([]byte, error) {
	f, info, err := openRegular(d, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(new([]byte), f, info.Size())
}

// prune removes runs that are too old, or too large together with the newer ones, but never the
// newest. It ignores errors. now is the present time.
func (s *state) prune(keep Keep, now time.Time) {
	runs, _ := s.runs(runDone, runKept)
	var size int64
	var old []foundRun
	for i, r := range slices.Backward(runs) { // the newest first
		info, err := s.Lstat(r.file())
		tooOld := err != nil || now.Sub(info.ModTime()) > keep.Age
		if err == nil {
			size += info.Size()
		}
		isNewest := i == len(runs)-1
		if !isNewest && (tooOld || size > keep.Bytes) {
			old = append(old, r)
		}
	}
	s.remove(old)
}

// remove removes runs, and the copies that recoveries saved for them.
func (s *state) remove(runs []foundRun) {
	names, _ := s.Names(runsDir)
	for _, r := range runs {
		if s.Remove(r.file()) != nil {
			continue
		}
		for _, name := range names { // such as "7.before-0-a.go"
			if strings.HasPrefix(name, strconv.Itoa(r.number)+".") {
				_ = s.Remove(path.Join(runsDir, name))
			}
		}
	}
}

// Begin locks the tree for writing, waiting for another run to end, and recovers interrupted runs.
// It returns these recoveries. Call it before reading files for a Commit, so that concurrent runs
// see each other's changes. Commit, Undo, Redo and Recover take the lock themselves otherwise.
// They and Close release it. If an interrupted run needs a decision, the error is
// [RecoveryNeeded].
func (w *Workspace) Begin(ctx context.Context) ([]Recovery, error) {
	if w.lock != nil {
		return nil, nil
	}
	w.Tree.forget()
	if err := w.takeLock(ctx); err != nil || w.state == nil {
		return nil, err
	}
	done, err := w.recoverAll(RecoverAuto)
	if err != nil {
		w.unlock()
	}
	return done, err
}

// tidy prunes this tree's log, and the logs of all other trees, after every pruneEvery runs. run is
// the number of the run. The first run of a tree also prunes the others: otherwise short-lived
// trees, such as those of tests, would leave their last runs forever.
func (w *Workspace) tidy(run int) {
	now := time.Now()
	if run%pruneEvery == 0 {
		w.state.prune(w.opt.Keep, now)
	}
	if run == 1 || run%pruneEvery == 0 {
		sweep(filepath.Dir(w.state.dir), filepath.Base(w.state.dir), now.Add(-w.opt.Keep.Age))
	}
}

// sweep removes the logs of the trees, except own, that have had no run since the given time, and
// refused runs that are older. trees is the directory of their states, and own a name there. The
// rest of the states, a few hundred bytes each, stays. It ignores errors.
func sweep(trees, own string, since time.Time) {
	entries, _ := os.ReadDir(trees)
	for _, e := range entries {
		dir := filepath.Join(trees, e.Name())
		if e.Name() == own {
			continue
		}
		info, err := os.Lstat(filepath.Join(dir, runsDir))
		if err != nil || !info.IsDir() {
			continue
		}
		if d, err := openDisk(dir); err == nil {
			s := &state{disk: d, dir: dir}
			if info, err := s.Lstat(refusedFile); err == nil && info.ModTime().Before(since) {
				_ = s.forgetRefused()
			}
			if !info.ModTime().After(since) { // a run changes it by making and renaming files
				s.forgetLog()
			}
			_ = s.Close()
		}
	}
}

// forgetLog removes all runs, oldest first, unless one is open: at work, or to be recovered. A run
// that begins now gets a higher number, so it is not removed.
func (s *state) forgetLog() {
	done, err := s.runs(runDone, runKept)
	if err != nil || len(done) == 0 {
		return
	}
	if open, err := s.runs(runNew, runBegun, runWriting); err != nil || len(open) > 0 {
		return
	}
	s.remove(done)
}
