package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/srpatch/srpatch/internal/statedir"
)

// oldRoot is the root that the tree had before it moved. A link left in its place leads to where the tree is now, so it is not followed.
func (w *Workspace) oldRoot() (string, error) {
	root, err := filepath.Abs(w.opt.MovedFrom)
	if err != nil {
		return "", err
	}
	if real := existing(root); real != w.realDir {
		return real, nil
	}
	return filepath.Join(existing(filepath.Dir(root)), filepath.Base(root)), nil
}

// adopt gives the tree the journal of the path that it had: the state directory gets the name that belongs to the new path, in one
// rename. A journal whose tree may still be at the old path stays there. The caller holds the lock and has finished the open runs.
func (w *Workspace) adopt() error {
	root, err := w.oldRoot()
	if err != nil {
		return err
	}
	from := w.state.dir
	trees := filepath.Dir(from)
	to := stateDir(filepath.Dir(trees), w.realDir)
	if from == to {
		return nil
	}
	if gone, err := w.hasLeft(root); !gone || err != nil {
		return err
	}
	if err := w.makeWay(root, to); err != nil {
		return failed("", "the journal of "+root+" cannot be moved", err)
	}
	if err := w.closeState(); err != nil {
		return err
	}
	d, err := openPlainDisk(trees)
	if err == nil {
		err = d.Rename(filepath.Base(from), filepath.Base(to))
		err = errors.Join(err, d.SyncDir("."), d.Close())
	}
	if err != nil {
		return failed("", "the journal of "+root+" cannot be moved", err)
	}
	w.opt.MovedFrom = ""
	w.forget()
	s, err := w.openState(false)
	if err == nil && s != nil {
		err = s.writeFile(statedir.Root, []byte(w.realDir+"\n"), false)
	}
	return err
}

// hasLeft reports whether the journal of an old root is this tree's alone: nothing is at that path, or the newest run was made in the
// directory that this tree is.
func (w *Workspace) hasLeft(root string) (bool, error) {
	if info, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return true, nil
	}
	runs, err := w.state.runs(doneRuns)
	if err != nil || len(runs) == 0 {
		return false, err
	}
	rec, err := w.state.load(path.Join(doneRuns, strconv.Itoa(runs[len(runs)-1])))
	if err != nil {
		return false, nil // nobody can tell
	}
	here, err := w.identity()
	return here.Inode != 0 && rec.Tree.Inode != 0 && here.same(rec.Tree), err
}

// makeWay removes the state of a tree that has no runs; what is remembered of a refused one comes along.
func (w *Workspace) makeWay(root, dir string) error {
	d, err := openPlainDisk(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	own := &state{disk: d, dir: dir}
	open, err := own.runs(openRuns)
	done, err2 := own.runs(doneRuns)
	err = errors.Join(err, err2, own.Close())
	if err == nil && len(slices.Concat(open, done)) > 0 {
		return refuse(OtherTree, "", "this tree has runs of its own, so the journal of "+root+" stays there",
			"to undo the runs in that journal, move the tree back to "+root)
	}
	if err == nil {
		err = os.Rename(filepath.Join(dir, refusedFile), filepath.Join(w.state.dir, refusedFile))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(dir)
}
