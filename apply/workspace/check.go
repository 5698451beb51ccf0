package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/srpatch/srpatch/apply"
)

// CheckPlan implements [apply.Checker]. It returns an error if a file is not as [Options.Expect]
// says, or if the plan changes too many files, or one file under several names.
// [Workspace.Commit] makes the same checks.
func (t *Tree) CheckPlan(plan *apply.Plan) error {
	if err := t.checkWhole(plan); err != nil {
		return failed("", "the plan cannot be checked", err)
	}
	edits := make([]edit, 0, len(plan.Files))
	for _, f := range plan.Files {
		for _, p := range []string{f.Path, f.From} {
			// An error is left to CanWrite, or From is "".
			if name, at, err := t.locate(p); err == nil {
				edits = append(edits, edit{path: name, real: at.real, before: image{exists: at.info != nil}})
			}
		}
	}
	return checkDistinct(edits)
}

// checkWhole returns an error if a file isn't as [Options.Expect] says, or if the plan changes too
// many files.
func (t *Tree) checkWhole(plan *apply.Plan) error {
	var err error
	if n := len(plan.Files); n > t.opt.Limits.files {
		what := fmt.Sprintf("the plan changes %d files, the limit is %d", n, t.opt.Limits.files)
		err = refuse(Limit, "", what, "apply the reply in parts")
	}
	return errors.Join(t.checkAllExpected(), err)
}

// CanWrite implements [apply.Checker]. It returns why a change would be refused: because of the
// name or the globs, because the file exists, is missing, has changed since it was read or is
// read-only (or its directory is), or because the text is too long or doesn't fit the file's
// encoding. It checks both names of a move. [Workspace.Commit] makes the same checks.
func (t *Tree) CanWrite(c *apply.FileChange) error {
	_, err := t.check(c)
	return failed(c.Path, "cannot be accessed", err)
}

// edits turns a plan into edits of the tree as it is now. It leaves out files that the plan doesn't
// change. The error holds all reasons to refuse the plan, not only the first. edits forgets what is
// cached about the tree.
func (t *Tree) edits(plan *apply.Plan) (edits []edit, err error) {
	t.forget()
	errs := []error{t.checkWhole(plan)}
	for i := range plan.Files {
		c := &plan.Files[i]
		if c.Action == apply.Modify && bytes.Equal(c.Before, c.After) {
			continue
		}
		own, err := t.check(c)
		edits, errs = append(edits, own...), append(errs, err)
	}
	if n := len(missingDirs(edits)); n > t.opt.Limits.files {
		what := fmt.Sprintf("the plan makes %d directories, the limit is %d", n, t.opt.Limits.files)
		errs = append(errs, refuse(Limit, "", what, "apply the reply in parts"))
	}
	return edits, errors.Join(append(errs, checkDistinct(edits))...)
}

// missingDirs returns the directories that must be made for edits, outermost first.
func missingDirs(edits []edit) (dirs []string) {
	for _, e := range edits {
		dirs = append(dirs, e.dirs...)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// check returns the edit for a change, or the two for a move, or why the change is refused. A move
// is made as a creation and a deletion. It keeps the file's encoding, mode and owner.
func (t *Tree) check(c *apply.FileChange) (edits []edit, err error) {
	action, before, form := c.Action, c.Before, textForm{}
	var source edit // for a move, the edit that deletes the old file
	if action == apply.Move {
		if source, form, err = t.current(c.From, apply.Delete, before); err != nil {
			return nil, err
		}
		edits, action, before = []edit{source}, apply.Create, nil
	}
	e, own, err := t.current(c.Path, action, before) // own is the form of the file there now
	switch {
	case err != nil:
		return nil, err
	case action == apply.Delete:
		return []edit{e}, nil
	}
	if e.from = source.path; e.from == "" { // not a move, so form isn't that of the old file
		form = own
	}
	raw, err := form.encode(c.After)
	switch {
	case err != nil:
		return nil, refuseErr(apply.NotWritable, e.path, "cannot be written", "write the reply in UTF-8", err)
	case int64(len(raw)) > t.opt.Limits.FileSize:
		return nil, tooLarge(e.path, "would be", t.opt.Limits.FileSize)
	case e.from != "":
		e.after = source.before.with(raw)
	case e.before.exists:
		e.after = e.before.with(raw)
	default:
		e.after = newFile(raw)
	}
	return append([]edit{e}, edits...), nil
}

// current returns an edit of a file without its after image, and the form of the file's text. The
// file must still hold before, the text that the plan was made from, or nil if there was no file.
// Otherwise the error is [apply.Stale] or [apply.Exists].
func (t *Tree) current(path string, action apply.Action, before []byte) (e edit, form textForm, err error) {
	name, at, err := t.checkWrite(path, action)
	e = edit{path: name, real: at.real, action: action, dirs: at.absent}
	switch {
	case err != nil || at.info == nil: // a new file, also if the plan found an empty one
		return e, form, err
	case before == nil && action == apply.Create: // it exists, if only as an empty file
		return e, form, refuse(apply.Exists, name, "the file exists", "choose another name")
	}
	raw, err := t.readRaw(name, at)
	if err != nil {
		return e, form, err
	}
	form = t.formAt(raw)
	text, err := form.decode(raw)
	if err != nil || before == nil || !bytes.Equal(text, before) {
		return e, form, refuse(apply.Stale, name, "the file has changed since it was read", "run again")
	}
	if bytes.Equal(raw, before) {
		raw = before // so that a large file is in memory only once
	}
	e.before, err = t.image(at, raw)
	return e, form, err
}

// checkWrite returns the clean name of a path and where it leads. It refuses an action that is not
// allowed there, whatever the new content: because the file is missing or exists, or because of the
// options, the name, the file's kind or its permissions. An empty file may be created as if it
// didn't exist.
func (t *Tree) checkWrite(path string, action apply.Action) (name string, at spot, err error) {
	if t.opt.Untrusted && action == apply.Delete {
		return path, at, refuse(apply.Denied, path, "an untrusted reply may not delete or move files", "")
	}
	if name, at, err = t.locate(path); err != nil {
		return name, at, err
	}
	switch {
	case at.info != nil && action == apply.Create && at.info.Size() > 0 && at.info.Mode().IsRegular():
		err = refuse(apply.Exists, name, "the file exists", "edit it, or choose another name")
	case at.info != nil:
		err = t.checkChange(name, at, action)
	case action != apply.Create:
		err = refuse(apply.NoSuchFile, name, "no such file", "")
	case t.opt.NoCreate:
		err = refuse(apply.Denied, name, "new files are not allowed", "")
	default:
		if err = checkNewName(at.real); err == nil {
			err = t.checkNoRepository(at)
		}
	}
	if err == nil {
		err = t.checkDirectory(name, at)
	}
	return name, at, err
}

// checkDirectory refuses a change of the file at a spot if the process can't write to the directory
// that will get the file or, if directories are missing, to the one that will get the outermost of
// them. name is the file's name in errors.
func (t *Tree) checkDirectory(name string, at spot) error {
	dir := path.Dir(at.real)
	if len(at.absent) > 0 {
		dir = path.Dir(at.absent[0])
	}
	if err := t.disk.Writable(dir); err != nil {
		return refuseErr(apply.NotWritable, name, "its directory "+dir+" cannot be changed",
			"check the permissions of the directory", err)
	}
	return nil
}

// checkChange refuses an action that is not allowed for an existing file: because of its kind, a
// link or its permissions. With [Options.Force], permissions are ignored.
func (t *Tree) checkChange(name string, at spot, action apply.Action) error {
	switch {
	case !at.info.Mode().IsRegular():
		return notRegular(name, at.info)
	case action == apply.Delete && at.linked:
		return refuse(apply.NotRegular, name, "a symbolic link to "+at.real, "name the file itself")
	case !t.opt.Force && at.info.Mode()&0o222 == 0:
		return refuse(apply.NotWritable, name, "the file is read-only", "make it writable, or use Options.Force")
	case action == apply.Delete, t.opt.Force:
		return nil
	}
	// Replacing the file needs no permission for the file itself, so check that here.
	f, err := t.disk.Open(at.real, os.O_WRONLY, 0)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return failed(name, "cannot be written", err)
	}
	return nil
}

// checkDistinct refuses two edits of the same file under different names: symbolic links, or new
// names that differ only in case or in composed accents, which some file systems treat as one
// name.
func checkDistinct(edits []edit) error {
	var errs []error
	byReal := make(map[string]int, len(edits)) // indexes of edits by real path
	newByFold := map[string]int{}              // the same of edits that make a file, by folded path
	for i, e := range edits {
		what := "the same file as "
		j, same := byReal[e.real]
		byReal[e.real] = i
		if key := anyCase(e.real); !e.before.exists && !same {
			what = "some file systems take it for "
			j, same = newByFold[key]
			newByFold[key] = i
		}
		if same {
			errs = append(errs, refuse(apply.Overlap, e.path, what+edits[j].path, "use one name for it"))
		}
	}
	return errors.Join(errs...)
}
