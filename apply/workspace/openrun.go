package workspace

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"github.com/srpatch/srpatch/apply"
)

// openRun is a run that has not reached its commit point.
type openRun struct {
	name, dir string
	// run is nil when there is no record: the run had not begun, or it was rolled back and is being
	// removed.
	run *transaction
	rec *record
	// elsewhere: it was made in another directory than is at its path now.
	elsewhere bool
	// written: files may have been replaced.
	written bool
	// err says that the record is damaged or newer, and nothing is known but the name.
	err error
}

// eachOpen visits the open runs, newest first.
func (w *Workspace) eachOpen(visit func(*openRun) error) error {
	runs, err := w.state.runs(openRuns)
	if err != nil {
		return failed("", "the open runs cannot be listed", err)
	}
	for _, n := range slices.Backward(runs) {
		o := &openRun{name: strconv.Itoa(n), dir: path.Join(openRuns, strconv.Itoa(n))}
		err := o.read(w.state)
		if err == nil && o.rec != nil {
			var here rootRecord
			here, err = w.identity()
			o.elsewhere = !here.same(o.rec.Tree)
		}
		if err != nil {
			return failed("", "the journal cannot be read", err)
		}
		if err := visit(o); err != nil {
			return err
		}
	}
	return nil
}

// read finds out what the journal says. Its error is one of reading: what it has read is in o.
func (o *openRun) read(s *state) error {
	rec, err := s.load(o.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		o.run, err = s.transaction(o.dir, rec)
	}
	if e, ok := errors.AsType[*apply.ReasonError](err); ok && (e.Reason == JournalDamaged || e.Reason == JournalVersion) {
		o.err = err
		return nil
	}
	if err != nil {
		return err
	}
	o.rec = rec
	o.written, err = s.has(path.Join(o.dir, markFile))
	return err
}

// done reports whether all that was left of the run is its commit point. A run with a check may
// have ended in it.
func (o *openRun) done(states []fileState) bool { return !o.rec.Checked && o.run.replaced(states) }

// replaced reports whether the run had replaced its last file: each that was not edited since holds
// its after-image.
func (t *transaction) replaced(states []fileState) bool {
	for i, s := range states {
		if s == isWaiting || s == isBefore && !t.edits[i].same() {
			return false
		}
	}
	return slices.Contains(states, isAfter)
}
