package workspace

import (
	"errors"
	"io/fs"
	"os"

	"github.com/srpatch/srpatch/apply"
)

// Between the last look at a file and its replacement somebody may save it. So a file is not
// replaced but displaced: it gets the temporary name, where its content is looked at once more
// before it goes. What is no image of the run is a save, and comes back.

// displace puts the file at temp in the place of the one at real, and that at temp where the system
// can exchange names; else it is gone.
func (w *Workspace) displace(temp, real string) error {
	err := w.tree.Exchange(temp, real)
	if errors.Is(err, errors.ErrUnsupported) {
		return w.tree.Rename(temp, real)
	}
	return err
}

// appear gives the file at temp a name that nobody has. It is [fs.ErrExist] if somebody has it now.
func (w *Workspace) appear(temp, real string) error {
	// A rename would replace what somebody else has just made under this name; a link does not.
	err := w.tree.Link(temp, real)
	switch {
	case err == nil:
		return w.tree.Remove(temp)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	// No hard links here. The check was made a moment ago.
	return w.tree.Rename(temp, real)
}

// heldAt reads what is under a temporary name of a run that replaces files; nil is nothing. other
// says that it is no file.
func (w *Workspace) heldAt(name string, buf *[]byte) (raw []byte, other bool, err error) {
	info, err := w.tree.Lstat(name)
	if err != nil {
		info, err = w.look(name)
	}
	if info == nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() {
		return []byte{}, true, nil
	}
	f, err := w.tree.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	raw, err = readAll(buf, f, info.Size())
	return raw, false, err
}

// saved is heldAt of what somebody has saved, nil of an image of the run.
func (w *Workspace) saved(e *edit, name string) ([]byte, error) {
	raw, other, err := w.heldAt(name, new([]byte))
	if raw == nil || err != nil || !other && (e.before.is(raw) || e.after.is(raw)) {
		return nil, err
	}
	return raw, nil
}

// swapIn puts the file at temp in the place of a file whose content has the hash was, "" for none,
// and forgets that one. It reports whether it was that: anything else stays where it is.
func (w *Workspace) swapIn(temp, real, was string) (ours bool, err error) {
	if was == "" {
		err := w.appear(temp, real)
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return err == nil, err
	}
	if err := w.displace(temp, real); err != nil {
		return false, err
	}
	raw, other, err := w.heldAt(temp, new([]byte))
	switch {
	case err != nil:
		return false, err
	case raw == nil:
		return true, nil // the system cannot exchange
	case other || hash(raw) != was:
		return false, w.tree.Exchange(temp, real)
	}
	return true, w.tree.Remove(temp)
}

// takeOut removes a file whose content has the hash was, by way of a temporary name, as swapIn
// does.
func (w *Workspace) takeOut(real, temp, was string) (ours bool, err error) {
	if err := w.tree.Rename(real, temp); err != nil {
		return false, err
	}
	raw, other, err := w.heldAt(temp, new([]byte))
	switch {
	case err != nil:
		return false, err
	case other || hash(raw) != was:
		return false, w.appear(temp, real)
	}
	return true, w.tree.Remove(temp)
}

// bringBack gives what somebody saved, and the run or its recovery displaced, its name again. Where
// that is taken by a later save, keep is asked what to do.
func (w *Workspace) bringBack(edits []edit, keep func(i int, temp string, raw []byte) error) error {
	var errs []error
	for i := range edits {
		for _, temp := range []string{edits[i].temp, edits[i].restoreTemp()} {
			err := w.bringBackFile(&edits[i], temp, func(raw []byte) error { return keep(i, temp, raw) })
			errs = append(errs, failed(edits[i].path, "what another program saved during the run cannot be put back", err))
		}
	}
	return errors.Join(errs...)
}

func (w *Workspace) bringBackFile(e *edit, temp string, keep func([]byte) error) error {
	raw, err := w.saved(e, temp)
	if raw == nil || err != nil {
		return err
	}
	s, err := w.stateOf(e)
	now := e.before
	if s == isAfter {
		now = e.after
	}
	switch {
	case err != nil:
		return err
	case s == isForeign:
		return keep(raw)
	case now.exists:
		err = w.tree.Exchange(temp, e.real)
	default:
		err = w.appear(temp, e.real)
	}
	if errors.Is(err, fs.ErrExist) {
		return keep(raw)
	}
	if err != nil {
		return err
	}
	if later, err := w.saved(e, temp); later != nil || err != nil {
		return errors.Join(err, w.tree.Exchange(temp, e.real), keep(raw))
	}
	e.spared = e.spared || s == isAfter && temp == e.temp
	return nil
}

// lookAgain looks at what the files of a run were that it has displaced, and forgets them.
func (t *transaction) lookAgain() error {
	buf, giveBack := t.w.borrow()
	defer giveBack()
	for _, e := range t.edits {
		raw, other, err := t.w.heldAt(e.temp, buf)
		switch {
		case err != nil:
			return failed(e.path, "cannot be read", err)
		case other || raw != nil && !e.before.is(raw):
			return refuse(apply.Stale, e.path, "another program saved the file during the run", "run again")
		}
	}
	for _, e := range t.edits {
		if err := t.w.tree.Remove(e.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failed(e.path, "a temporary file cannot be removed", err)
		}
	}
	return nil
}
