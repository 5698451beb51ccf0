package workspace

import (
	"errors"
	"io/fs"

	"github.com/srpatch/srpatch/apply"
)

// fileState is how a file compares to an edit's images.
type fileState int

const (
	isForeign fileState = iota // neither image: somebody else's
	isBefore
	isAfter
	isWaiting // not yet replaced, and somebody else's since; only recovery asks
)

func (w *Workspace) stateOf(e *edit) (fileState, error) {
	at, err := w.resolve(e.real)
	if err != nil {
		if r, ok := errors.AsType[*apply.ReasonError](err); ok && r.Reason != apply.Unreadable {
			err = nil // a directory on the way was replaced
		}
		return isForeign, err
	}
	switch {
	case at.real != e.real:
		return isForeign, nil
	case at.info == nil && !e.before.exists:
		return isBefore, nil
	case at.info == nil && !e.after.exists:
		return isAfter, nil
	case at.info == nil || !at.info.Mode().IsRegular() || at.info.Size() > max(e.before.size, e.after.size):
		return isForeign, nil
	}
	buf, giveBack := w.borrow()
	defer giveBack()
	raw, err := w.readInto(buf, e.path, at, w.limitOf(e))
	if err != nil {
		return isForeign, err
	}
	switch {
	case e.before.is(raw):
		return isBefore, nil
	case e.after.is(raw):
		return isAfter, nil
	}
	return isForeign, nil
}

// found is stateOf, where a file that the run has not come to replace is told from one that was
// edited since: its new content is still under the temporary name.
func (w *Workspace) found(e *edit) (fileState, error) {
	if e.spared {
		return isWaiting, nil
	}
	s, err := w.stateOf(e)
	if err != nil || s != isForeign || !e.after.exists {
		return s, err
	}
	raw, _, err := w.heldAt(e.temp, new([]byte))
	if raw != nil && e.after.is(raw) {
		s = isWaiting
	}
	return s, err
}

// look is Lstat of a name that a run has recorded. Nothing, nil, is there when a directory above it
// was replaced since.
func (w *Workspace) look(name string) (fs.FileInfo, error) {
	at, err := w.resolve(name)
	switch r, ok := errors.AsType[*apply.ReasonError](err); {
	case ok && r.Reason != apply.Unreadable:
		return nil, nil
	case err != nil || at.real != name:
		return nil, err
	}
	return at.info, nil
}

// find is the state of each file.
func (w *Workspace) find(edits []edit) ([]fileState, error) {
	var states []fileState
	for i := range edits {
		s, err := w.found(&edits[i])
		if err != nil {
			return nil, failed(edits[i].path, "cannot be read", err)
		}
		states = append(states, s)
	}
	return states, nil
}
