package workspace

import (
	"errors"
	"io/fs"
	"os"

	"github.com/srpatch/srpatch/apply"
)

// writeTemp makes a durable file with an image's content. Owner, mode and extended attributes come
// from the file like, or from the image where like is "". The time of the last change is kept when
// times says so.
func writeTemp(tree disk, temp string, img image, like string, times bool) (err error) {
	perm := fs.FileMode(0o600) // until the owner is right, nobody else may read it
	if img.umask {
		perm = 0o666
	}
	f, err := tree.Open(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(img.data); err != nil {
		return err
	}
	if !img.umask {
		if err := setAttributes(tree, f, img, like); err != nil {
			return err
		}
	}
	if times {
		if err := tree.Chtimes(temp, img.mtime); err != nil {
			return err
		}
	}
	return f.Sync()
}

func setAttributes(tree disk, f file, img image, like string) error {
	kept, err := chown(f, img.uid, img.gid)
	if err != nil {
		return err
	}
	mode := img.mode
	if !kept {
		mode &^= fs.ModeSetuid | fs.ModeSetgid // they would grant somebody else's rights
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	attrs := img.xattrs
	if like != "" {
		if attrs, err = xattrs(tree, like); err != nil {
			return err
		}
	}
	return writeXattrs(f, attrs)
}

// xattrs are the extended attributes of a file.
func xattrs(tree disk, name string) (map[string][]byte, error) {
	f, err := tree.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readXattrs(f)
}

// install makes an edit's after-image the file, and puts what was there under the temporary name,
// where it stays for [transaction.lookAgain].
func (w *Workspace) install(e *edit) error {
	switch {
	case !e.after.exists:
		return w.tree.Rename(e.real, e.temp)
	case e.before.exists:
		return w.displace(e.temp, e.real)
	}
	err := w.appear(e.temp, e.real)
	if errors.Is(err, fs.ErrExist) {
		return refuseErr(apply.Stale, e.path, "the file was created after the plan was made", "run again", err)
	}
	return err
}

// restore makes an edit's pre-image the file again, with its time of the last change. was is the
// hash of what the file holds, "" where there is none; it reports whether it was that. Anything
// else stays.
func (w *Workspace) restore(e *edit, was string) (ours bool, err error) {
	temp := e.restoreTemp()
	if !e.before.exists && was == "" {
		return true, nil
	}
	if raw, other, err := w.heldAt(e.temp, new([]byte)); err != nil {
		return false, err
	} else if raw != nil && !other && e.before.is(raw) {
		return w.swapIn(e.temp, e.real, was) // the very file
	}
	for _, left := range []string{temp, e.partialTemp()} {
		if err := w.tree.Remove(left); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err // left by a recovery that was interrupted itself
		}
	}
	if !e.before.exists {
		return w.takeOut(e.real, temp, was)
	}
	like := e.real
	if was == "" {
		like = ""
		if err := w.makeParents(e.real); err != nil {
			return false, err
		}
	}
	if err := writeTemp(w.tree, e.partialTemp(), e.before, like, true); err != nil {
		return false, err
	}
	if err := w.tree.Rename(e.partialTemp(), temp); err != nil {
		return false, err
	}
	return w.swapIn(temp, e.real, was)
}

// makeParents makes the directories above a name that somebody has removed since.
func (w *Workspace) makeParents(name string) error {
	for i, r := range name {
		if r != '/' {
			continue
		}
		if err := w.tree.Mkdir(name[:i], 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}
