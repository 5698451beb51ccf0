package workspace

import (
	"errors"
	"io/fs"
	"time"

	"github.com/srpatch/srpatch/internal/statedir"
)

// Names in a tree's state directory: the file that the last refused run left for its retry, and
// the name of that file while it is being written.
const (
	refusedFile = statedir.Refused
	newRefused  = refusedFile + ".new"
)

// maxRemembered limits the size in bytes of what is remembered for a tree.
const maxRemembered = 16 << 20

// Remember saves what a refused run leaves for its retry, and replaces what was saved before.
// object is a JSON object whose meaning only the caller knows; nil removes what was saved. It is
// saved outside the tree and kept for [Keep.Age], as runs in the log are.
func (w *Workspace) Remember(object []byte) error {
	if len(object) > maxRemembered {
		return errors.New("it is too large")
	}
	s, err := w.openState(object != nil /* create */)
	switch {
	case err != nil:
		return err
	case object == nil && s != nil:
		return failed("", "the record of the refused run cannot be removed", s.forgetRefused())
	case object == nil:
		return nil
	case s == nil:
		return noState("there is no place to save it", nil)
	}
	// A power cut may leave an empty file, which counts as none: nothing here is worth a wait for
	// the disk.
	if err = s.writeFile(newRefused, false /* sync */, append(seal(object), '\n')); err == nil {
		err = s.Rename(newRefused, refusedFile)
	}
	return failed("", "the refused run cannot be saved", err)
}

// Remembered returns what [Workspace.Remember] has saved, or nil if that is nothing or too old.
func (w *Workspace) Remembered() ([]byte, error) {
	s, err := w.openState(false /* create */)
	if err != nil || s == nil {
		return nil, err
	}
	info, err := s.Lstat(refusedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var text []byte
	if err == nil {
		isOld := time.Since(info.ModTime()) > w.opt.Keep.Age
		if isOld || info.Size() == 0 { // 0: the remains of a power cut
			return nil, nil
		}
		text, err = readFile(s, refusedFile)
	}
	if err != nil {
		return nil, failed("", "the refused run cannot be read", err)
	}
	if !unbroken(text) {
		return nil, refuse(JournalDamaged, "", "the record of the refused run is damaged", "apply the reply again")
	}
	return text, nil
}

// forgetRefused removes what was remembered, if there is anything.
func (s *state) forgetRefused() error {
	if err := s.Remove(refusedFile); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
