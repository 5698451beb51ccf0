package workspace

import "fmt"

// noteAttributes warns of what the system did not let a run keep: a file's owner and group, and the mode bits that would
// grant the rights of another one.
func (w *Workspace) noteAttributes(edits []edit) {
	w.warnings = nil
	for _, e := range edits {
		want := &e.after
		if !want.exists || want.umask {
			continue
		}
		info, err := w.tree.Lstat(e.real)
		if err != nil {
			continue // the run is done; somebody else is at work here
		}
		uid, gid := owner(info)
		if want.uid >= 0 && (uid != want.uid || gid != want.gid) {
			w.warnings = append(w.warnings, fmt.Sprintf("%s: the owner is now %d:%d; it was %d:%d, and only that owner or the superuser can restore it", e.path, uid, gid, want.uid, want.gid))
		}
		if mode := info.Mode() & modeBits; mode != want.mode {
			w.warnings = append(w.warnings, fmt.Sprintf("%s: the mode is now %v; it was %v", e.path, mode, want.mode))
		}
	}
}

// Warnings says what is not as it was after the last Commit, Undo or Redo, although the run succeeded: owners and modes that the
// system did not let it keep.
func (w *Workspace) Warnings() []string { return w.warnings }
