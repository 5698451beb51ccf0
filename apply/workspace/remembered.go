package workspace

import (
	"errors"
	"io/fs"
	"time"

	"github.com/srpatch/srpatch/internal/statedir"
)

// Names in a tree's state directory: what the last refused run leaves for its retry, and the same
// while it is being written.
const (
	refusedFile = statedir.Refused
	newRefused  = refusedFile + ".new"
)

// maxRemembered is how many bytes are remembered of one tree.
const maxRemembered = 16 << 20

// Remember keeps what a refused run leaves for its retry, in the place of what was kept before.
// What it is only the caller knows; it is a JSON object, and nil forgets it. It is kept as long as
// a run in the log may be, and never in the tree.
func (w *Workspace) Remember(object []byte) error {
	if object == nil {
		return w.forgetRefused()
	}
	if len(object) > maxRemembered {
		return errors.New("it is too large")
	}
	s, err := w.openState(true)
	if err == nil && s == nil {
		err = noState("there is no place to save it", nil)
	}
	if err != nil {
		return err
	}
	// A power cut may leave an empty file, which counts as none: nothing here is worth a wait for
	// the disk.
	if err = s.writeFile(newRefused, append(seal(object), '\n'), false); err == nil {
		err = s.Rename(newRefused, refusedFile)
	}
	return failed("", "the refused run cannot be saved", err)
}

// Remembered is what [Workspace.Remember] has kept, nil if that is nothing, or too old.
func (w *Workspace) Remembered() ([]byte, error) {
	s, err := w.openState(false)
	if err != nil || s == nil {
		return nil, err
	}
	info, err := s.Lstat(refusedFile)
	if errors.Is(err, fs.ErrNotExist) ||
		err == nil && (info.Size() == 0 || time.Since(info.ModTime()) > w.opt.Keep.Age) {
		return nil, nil
	}
	var text []byte
	if err == nil {
		text, err = s.readFile(refusedFile)
	}
	if err != nil {
		return nil, failed("", "the refused run cannot be read", err)
	}
	if !unbroken(text) {
		return nil, refuse(JournalDamaged, "", "the record of the refused run is damaged", "apply the reply again")
	}
	return text, nil
}

func (w *Workspace) forgetRefused() error {
	s, err := w.openState(false)
	if err != nil || s == nil {
		return err
	}
	return failed("", "the record of the refused run cannot be removed", s.forgetRefused())
}

func (s *state) forgetRefused() error {
	if err := s.Remove(refusedFile); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// forgetRefusedBefore removes what was remembered before a time. Failing at it fails nothing.
func (s *state) forgetRefusedBefore(since time.Time) {
	if info, err := s.Lstat(refusedFile); err == nil && info.ModTime().Before(since) {
		_ = s.forgetRefused()
	}
}
