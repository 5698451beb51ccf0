package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"

	"github.com/srpatch/srpatch/apply"
)

// transaction writes one run to the disk or rolls it back. It knows files and images, but no plans,
// guards or encodings.
//
// New content is written next to its file, under a temporary name, and then the two names are
// exchanged. So the run can check what it replaced before that is gone. A new file is linked to its
// name, which replaces nothing. A file to be removed is renamed to its temporary name; until then a
// mark under that name says that the file is still to be removed.
type transaction struct {
	foundRun
	tree  disk
	log   *state // nil without a journal
	rec   *record
	edits []edit
	buf   []byte // the content of the file read last
}

// checkFunc is [Options.Check].
type checkFunc func(ctx context.Context, run string) error

// name returns the run's name, or "" without a journal.
func (t *transaction) name() string {
	if t.log == nil {
		return ""
	}
	return strconv.Itoa(t.number)
}

// changing returns the edits that change something. The others are only recorded.
func (t *transaction) changing() (edits []*edit) {
	for i := range t.edits {
		if !t.edits[i].idle() {
			edits = append(edits, &t.edits[i])
		}
	}
	return edits
}

// commit takes the run through its states. If it fails, it rolls the run back. If the check failed
// but the run stays, because somebody has changed its files, kept is an error that says so, and err
// is nil. The caller holds the lock. commit sets t.number, and completes t.rec.
func (t *transaction) commit(ctx context.Context, check checkFunc) (kept, err error) {
	t.rec.Checked, t.state = check != nil, runBegun
	if t.log != nil {
		if t.number, err = t.log.begin(t.rec, t.edits); err != nil {
			return nil, failed("", "the journal cannot be written", err)
		}
	}
	err = t.stage(ctx)
	if err == nil {
		err = t.to(runWriting)
	}
	if err == nil {
		err = t.write()
	}
	if err == nil && check != nil {
		kept, err = t.judge(ctx, check)
	}
	if err == nil {
		err = t.to(runDone)
	}
	if err != nil {
		return nil, t.rollBack(failed("", "the run failed", err))
	}
	return kept, nil
}

// to changes the run's state by renaming its file in the journal.
func (t *transaction) to(s runState) error {
	was := t.state
	if t.log == nil || s == was {
		t.state = s
		return nil
	}
	if err := t.log.Rename(runFile(t.number, was), runFile(t.number, s)); err != nil {
		return err
	}
	t.state = s
	err := t.log.SyncDir(runsDir)
	if s == runDone {
		// From now on the run is committed. If a power cut loses the rename, a recovery finds the
		// run in its earlier state with all files replaced, so a failed sync does no harm.
		return nil
	}
	return err
}

// stage makes directories and temporary files with the new contents. It changes no existing file.
// For a file to be removed, it writes a mark under the temporary name, to which write moves the file
// later. As long as the mark is there, recovery knows that the file was not removed by the run.
func (t *transaction) stage(ctx context.Context) error {
	for _, dir := range t.rec.Dirs {
		if err := t.tree.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return failed(dir, "the directory cannot be made", err)
		}
	}
	for _, e := range t.changing() {
		if err := ctx.Err(); err != nil {
			return err
		}
		img := e.after
		if !img.exists {
			img = e.mark()
		}
		if err := writeTemp(t.tree, e.temp, img); err != nil {
			return failed(e.path, "cannot be written", err)
		}
	}
	return ctx.Err()
}

// mark returns the image under e.temp if the file is to be removed. Its content is the temporary
// name itself, which is random, so no other file has that content.
func (e *edit) mark() image {
	return image{mode: 0o600, uid: -1, gid: -1}.with([]byte(path.Base(e.temp)))
}

// write checks each file a last time, replaces it, and then checks what it replaced: if a program
// has saved the file in between, its content is now under the temporary name, and the run fails. At
// the end, write finishes the run in the tree.
func (t *transaction) write() error {
	work := t.changing()
	for _, e := range work {
		holds, info, err := t.file(e)
		if err == nil && holds != isBefore {
			err = refuse(apply.Stale, e.path, "the file has changed since it was read", "run again")
		}
		if err != nil {
			return failed(e.path, "cannot be read", err)
		}
		err = t.swap(e, info != nil, e.after.exists) // the mark of a removal doesn't count
		if !e.before.exists && errors.Is(err, fs.ErrExist) {
			return refuseErr(apply.Stale, e.path, "the file was created after the plan was made", "run again", err)
		}
		if err != nil {
			return failed(e.path, "cannot be written", err)
		}
	}
	for _, e := range work {
		switch holds, _, err := t.temp(e); {
		case err != nil:
			return failed(e.path, "cannot be read", err)
		case holds != isNothing && holds != isBefore:
			return refuse(apply.Stale, e.path, "another program saved the file during the run", "run again")
		}
	}
	return t.finish()
}

// finish does what is left to do in the tree when all files are replaced: it removes temporary
// files and emptied directories, and makes the changes durable.
func (t *transaction) finish() error {
	if err := t.removeTemps(); err != nil {
		return err
	}
	for _, dir := range slices.Backward(t.rec.Emptied) {
		_ = t.removeEmpty(dir) // an empty directory is no reason to fail
	}
	return t.sync()
}

// judge runs the check, and returns two nil errors if it succeeds. If it fails, judge returns err
// to have the run rolled back, or kept if the run must stay because somebody has changed one of its
// files.
func (t *transaction) judge(ctx context.Context, check checkFunc) (kept, err error) {
	err = check(ctx, t.name())
	if err == nil {
		return nil, nil
	}
	failure := refuseErr(CheckFailed, "", "the check of the run failed", "", err)
	places, err := t.survey()
	changed := stuckIn(places)
	if err != nil || len(changed) == 0 {
		return nil, errors.Join(failure, err)
	}
	remedy := "put the old files back by hand"
	if t.log != nil {
		remedy = "Workspace.Undo " + t.name() + " with UndoOptions.Merge removes its changes and keeps later ones, " +
			"with UndoOptions.Force it puts the old files back"
	}
	what := "the file has changed since the run wrote it, so the run stays although its check failed"
	return refuse(CheckKept, changed[0].path, what, remedy), nil
}

// rollBack puts the files of a failed run back, and removes the run from the journal. It returns
// reason, the error of the run, joined with what could not be rolled back.
func (t *transaction) rollBack(reason error) error {
	touched := t.state == runWriting // files may have been replaced
	stuck, err := t.revert()
	for _, e := range stuck {
		what := "another program changed the file during the run; an earlier version may be in " + e.temp
		err = errors.Join(err, refuse(RollbackFailed, e.path, what, ""))
	}
	if err == nil {
		_ = t.forget() // if it stays, a recovery finds nothing to put back
		return reason
	}
	remedy := ""
	if t.log != nil {
		remedy = "run Workspace.Recover"
	}
	if !touched {
		what := "temporary files (" + tempPrefix + "*) or new directories of the run are left behind"
		return errors.Join(reason, refuseErr(IO, "", what, remedy, err))
	}
	return errors.Join(refuseErr(RollbackFailed, "", "the run could not be rolled back", remedy, err), reason)
}

// forget removes the run from the journal.
func (t *transaction) forget() error {
	if t.log == nil {
		return nil
	}
	return t.log.Remove(runFile(t.number, t.state))
}

// revert puts all files back with putBack, and removes what the run made. It can be repeated, also
// by another process.
//
// It returns the stuck files, which somebody else has changed after the run had replaced them. If
// there are any, the others are back, but the run stays open, with its temporary files.
func (t *transaction) revert() (stuck []*edit, err error) {
	if t.state == runWriting {
		for _, e := range slices.Backward(t.changing()) {
			if e.spared { // it keeps an edit by somebody else
				continue
			}
			ok, backErr := t.putBack(e)
			switch {
			case backErr != nil:
				err = errors.Join(err, failed(e.path, "cannot be put back", backErr))
			case !ok:
				stuck = append(stuck, e)
			}
		}
		if err = errors.Join(err, t.sync()); len(stuck) > 0 || err != nil {
			return stuck, err
		}
		// The temporary files show which files the run never replaced, so change the state before
		// they are removed. If that fails, a recovery does all this again.
		_ = t.to(runBegun)
	}
	err = t.removeTemps()
	for _, dir := range slices.Backward(t.rec.Dirs) {
		err = errors.Join(err, t.removeEmpty(dir))
	}
	return nil, err
}

// putBack gives one file back what it held before the run, unless somebody else has changed it.
// Each step looks at what the file and its temporary name hold (isForeign is what somebody else has
// saved), and does what the table in the package comment says for that. The next step looks again,
// so that a save in between is noticed.
// ok is false if the file is stuck: somebody saved it after the run had replaced it.
func (t *transaction) putBack(e *edit) (ok bool, err error) {
	const maxSteps = 10 // if somebody keeps saving the file
	saved := false      // the last step gave what somebody saved its name back
	for range maxSteps {
		at, err := t.look(e)
		if err != nil {
			return false, err
		}
		switch {
		case at.linked:
			err = t.tree.Remove(e.temp)
		case at.file == isBefore && at.temp != isForeign: // not replaced, or already back
			return true, nil
		case at.file == isAfter && at.temp == isAfter: // somebody else made the same change first
			return true, nil
		case at.file == isForeign && at.temp == isAfter: // a save from before the exchange stays
			e.spared = true
			return true, nil
		case at.file == isForeign && at.temp == isForeign && saved: // a later save was displaced
			return false, t.swap(e, at.info != nil, true /* temp */)
		case at.file == isForeign: // a save that is back at its name, or else stuck
			return saved, nil
		case at.file == isAfter && at.temp == isNothing && e.before.exists: // it's only in the journal
			err = t.prepare(e)
		default: // the temporary name holds the content to put back, or a new file is removed
			saved = at.file == isAfter && at.temp == isForeign
			err = t.swap(e, at.info != nil, at.temp != isNothing)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return false, nil
}

// prepare writes the content from before the run under the temporary name, by a rename. A partly
// written file there would be mistaken for a save by somebody else. It makes the directories above
// the file if somebody has removed them.
func (t *transaction) prepare(e *edit) error {
	// A recovery that was interrupted itself may have left a part.
	if err := t.tree.Remove(e.partialTemp()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := t.makeParents(e.real); err != nil {
		return err
	}
	if err := writeTemp(t.tree, e.partialTemp(), e.before); err != nil {
		return err
	}
	return t.tree.Rename(e.partialTemp(), e.temp)
}

// makeParents makes the directories above name that don't exist.
func (t *transaction) makeParents(name string) error {
	for i, r := range name {
		if r != '/' {
			continue
		}
		err := t.tree.Mkdir(name[:i], 0o777)
		if err == nil {
			err = t.tree.SyncDir(path.Dir(name[:i]))
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// swap exchanges a file and its temporary name. file and temp say which of the two exist: if only
// one does, it's moved to the other name. If the system cannot exchange names, the old content of
// the file is lost. If something has just been created under the file's name, swap fails with
// [fs.ErrExist], unless the system has no hard links.
func (t *transaction) swap(e *edit, file, temp bool) error {
	switch {
	case !temp:
		return t.tree.Rename(e.real, e.temp)
	case file:
		err := t.tree.Exchange(e.temp, e.real)
		if errors.Is(err, errors.ErrUnsupported) {
			err = t.tree.Rename(e.temp, e.real)
		}
		return err
	}
	// A rename would replace what somebody else has just made under this name; a link does not.
	switch err := t.tree.Link(e.temp, e.real); {
	case err == nil:
		return t.tree.Remove(e.temp)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	return t.tree.Rename(e.temp, e.real) // no hard links here
}

// stuckIn returns the files that can't be put back, because somebody has changed them since the run
// replaced them. If the temporary name still holds the new content, the run hadn't replaced the
// file yet, so it isn't stuck. A file is also stuck if putting it back has displaced somebody's
// save.
func stuckIn(places []place) (stuck []*edit) {
	for _, at := range places {
		if changedSince := at.file == isForeign && at.temp != isAfter; changedSince || at.displaced() {
			stuck = append(stuck, at.edit)
		}
	}
	return stuck
}

// bringBack gives all saves that were displaced by putting a file back their names again.
func (t *transaction) bringBack() error {
	places, err := t.survey()
	for _, at := range places {
		if err == nil && at.displaced() {
			err = failed(at.path, "what another program saved during the run cannot be put back",
				t.swap(at.edit, at.info != nil, true /* temp */))
		}
	}
	return err
}

// displaced reports whether putting the file back has displaced a save by somebody else, which is
// under the temporary name now.
func (at place) displaced() bool { return at.file == isBefore && at.temp == isForeign }

// replacedAll reports whether the run had replaced all its files. If allowEdited is set, files that
// were edited since count as replaced. In any case, at least one file must still hold what the run
// wrote.
func replacedAll(places []place, allowEdited bool) bool {
	some := false // a file holds what the run wrote
	for _, at := range places {
		switch {
		case at.file == isForeign && allowEdited && at.temp != isAfter: // edited after it was replaced
		case at.file == isAfter && at.temp != isForeign: // and replaced no save
			some = true
		default:
			return false
		}
	}
	return some
}

// hasTraces reports whether anything in the tree comes from the run: new content, or a temporary
// file.
func hasTraces(places []place) bool {
	return slices.ContainsFunc(places, func(at place) bool { return at.file == isAfter || at.temp != isNothing })
}

// fileState says which image of an edit a name holds.
type fileState int

const (
	isForeign fileState = iota // neither image: somebody else's content
	isBefore
	isAfter
	isNothing // the temporary name does not exist
)

// place is an edit and what its two names hold.
type place struct {
	*edit
	file, temp fileState
	info       fs.FileInfo // of the file; nil if it is not there
	// linked reports whether both are names of one file: a new file that was linked to its name, but
	// not removed under the other. Then temp is isNothing.
	linked bool
}

// survey returns what the names of all edits hold now.
func (t *transaction) survey() (places []place, err error) {
	for _, e := range t.changing() {
		at, err := t.look(e)
		if err != nil {
			return nil, failed(e.path, "cannot be read", err)
		}
		places = append(places, at)
	}
	return places, nil
}

// look returns what the two names of an edit hold now.
func (t *transaction) look(e *edit) (at place, err error) {
	at.edit = e
	var temp fs.FileInfo
	if at.file, at.info, err = t.file(e); err == nil {
		at.temp, temp, err = t.temp(e)
	}
	if at.info != nil && temp != nil && os.SameFile(at.info, temp) {
		at.linked, at.temp = true, isNothing
	}
	return at, err
}

// file returns what the file of an edit holds, and information about the file, or nil if it's not
// there. The file is foreign if its directory has become something else.
func (t *transaction) file(e *edit) (fileState, fs.FileInfo, error) {
	info, astray, err := t.lstat(e.real)
	switch {
	case err != nil || astray:
		return isForeign, nil, err
	case info == nil && !e.before.exists:
		return isBefore, nil, nil
	case info == nil && !e.after.exists:
		return isAfter, nil, nil
	case info == nil:
		return isForeign, nil, nil
	}
	holds, err := t.compare(e.real, info, &e.before, &e.after)
	return holds, info, err
}

// temp returns what the temporary name of an edit holds, and information about that, or nil if
// there is nothing. For a file to be removed, the mark counts as isAfter.
func (t *transaction) temp(e *edit) (fileState, fs.FileInfo, error) {
	info, _, err := t.lstat(e.temp)
	if info == nil || err != nil {
		return isNothing, nil, err
	}
	after := e.after
	if !after.exists {
		after = e.mark()
	}
	holds, err := t.compare(e.temp, info, &e.before, &after)
	return holds, info, err
}

// compare returns which of the images the named file holds: isBefore, isAfter, or isForeign for
// neither. info is of that file. If both images have the same content, the run changes only the
// mode, and the mode decides.
func (t *transaction) compare(name string, info fs.FileInfo, before, after *image) (fileState, error) {
	if !info.Mode().IsRegular() || info.Size() > int64(max(len(before.data), len(after.data))) {
		return isForeign, nil
	}
	f, err := t.tree.Open(name, os.O_RDONLY, 0)
	if err != nil {
		return isForeign, err
	}
	defer f.Close()
	raw, err := readAll(&t.buf, f, info.Size())
	switch {
	case err != nil:
		return isForeign, err
	case before.is(raw) && after.is(raw) && info.Mode()&modeBits == after.mode:
		return isAfter, nil
	case before.is(raw):
		return isBefore, nil
	case after.is(raw):
		return isAfter, nil
	}
	return isForeign, nil
}

// lstat returns information about a name in the record, or nil if it does not exist. The name is
// astray if a directory on its path has become something else, such as a link; info is nil then,
// too.
func (t *transaction) lstat(name string) (info fs.FileInfo, astray bool, err error) {
	for i, r := range name {
		if r != '/' {
			continue
		}
		dir, err := t.tree.Lstat(name[:i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil, false, nil
		}
		if err != nil || !dir.IsDir() {
			return nil, err == nil, err
		}
	}
	info, err = t.tree.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return info, false, err
}

// removeTemps removes the temporary files of the run, as far as they exist.
func (t *transaction) removeTemps() error {
	var errs []error
	for _, e := range t.changing() {
		for _, name := range []string{e.temp, e.partialTemp()} {
			info, _, err := t.lstat(name)
			if info != nil {
				err = t.tree.Remove(name)
			}
			errs = append(errs, failed(e.path, "a temporary file cannot be removed", err))
		}
	}
	return errors.Join(errs...)
}

// removeEmpty removes dir if it is an empty directory.
func (t *transaction) removeEmpty(dir string) error {
	info, _, err := t.lstat(dir)
	if info == nil || !info.IsDir() {
		return err
	}
	if err = t.tree.Remove(dir); errors.Is(err, fs.ErrExist) { // it isn't empty
		return nil
	}
	return err
}

// sync makes the renames, new directories and removals of the run durable.
func (t *transaction) sync() error {
	var dirs []string
	for _, e := range t.changing() {
		dirs = append(dirs, path.Dir(e.real))
	}
	for _, d := range slices.Concat(t.rec.Dirs, t.rec.Emptied) {
		dirs = append(dirs, path.Dir(d))
	}
	slices.Sort(dirs)
	for _, d := range slices.Compact(dirs) {
		if err := t.tree.SyncDir(d); err != nil {
			// A directory that is gone needs no sync.
			if info, _, lookErr := t.lstat(d); info != nil || lookErr != nil {
				return err
			}
		}
	}
	return nil
}
