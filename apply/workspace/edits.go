package workspace

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"time"

	"github.com/srpatch/srpatch/apply"
)

// edit is what a run does to one file. Paths are relative to the root.
type edit struct {
	path   string // as the plan names it
	real   string // where that leads: what is replaced, made or removed
	from   string // the old path of a moved file
	action apply.Action
	before image
	after  image
	// temp is the name next to real that new contents are prepared under.
	temp string
	info fs.FileInfo // of the file before; nil when there is none or it is not known
	// spared: the user has decided that the file stays as it is.
	spared bool
}

// partialTemp is the temporary name for the pre-image until it is whole: whatever else is no image
// of the run was saved by somebody.
func (e *edit) partialTemp() string { return e.temp + "-partial" }

// image is a file's state.
type image struct {
	exists bool
	data   []byte
	sum    string // SHA-256 of data, hexadecimal; "" until it is known
	size   int64  // of data, which is nil where it was read from a journal and is not whole
	mode   fs.FileMode
	// umask: the mode is whatever the system gives a new file.
	umask    bool
	uid, gid int // -1: unknown
	mtime    time.Time
	// xattrs are the extended attributes of a file that the run removes. Of one that stays they are
	// on the disk.
	xattrs map[string][]byte
}

// is reports whether raw is the image's content.
func (m *image) is(raw []byte) bool {
	if m.sum == "" || m.data != nil {
		return m.exists && bytes.Equal(raw, m.data)
	}
	return m.exists && hash(raw) == m.sum
}

// hash is the content's SHA-256 in hexadecimal, "" of an absent file.
func (m *image) hash() string {
	if m.exists && m.sum == "" {
		m.sum = hash(m.data)
	}
	return m.sum
}

const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

func imageOf(info fs.FileInfo, raw []byte) image {
	uid, gid := owner(info)
	return image{mode: info.Mode() & modeBits, uid: uid, gid: gid, mtime: info.ModTime()}.with(raw)
}

// with is the image with other content.
func (m image) with(raw []byte) image {
	m.exists, m.data, m.sum, m.size = true, raw, "", int64(len(raw))
	return m
}

// sameAs says that both are of files with one content, or of no file.
func (m *image) sameAs(other *image) bool {
	return m.exists == other.exists && m.hash() == other.hash()
}

// idle says that the file is as the edit would leave it.
func (e *edit) idle() bool { return e.before.sameAs(&e.after) && e.before.mode == e.after.mode }

// newFile is the image of a file that gets what the system gives to new files.
func newFile(raw []byte) image { return image{umask: true, uid: -1, gid: -1}.with(raw) }

// edits turns a plan into edits of the tree as it is now. Everything that speaks against them is
// reported at once.
func (w *Workspace) edits(plan *apply.Plan) (edits []edit, dirs []string, err error) {
	w.lookAgain()
	if err := w.checkCount(plan); err != nil {
		return nil, nil, err
	}
	errs := []error{w.checkAllExpected()}
	add := func(e edit, absent []string, err error) {
		if err != nil {
			errs = append(errs, err)
			return
		}
		edits, dirs = append(edits, e), append(dirs, absent...)
	}
	for _, c := range plan.Files {
		switch {
		case c.Action == apply.Move:
			source, _, err := w.edit(c.From, apply.Delete, c.Before, nil)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			add(w.moved(c, source))
			add(source, nil, nil)
		case c.Action == apply.Modify && bytes.Equal(c.Before, c.After):
		default:
			add(w.edit(c.Path, c.Action, c.Before, c.After))
		}
	}
	if err := errors.Join(append(errs, w.checkDistinct(edits))...); err != nil {
		return nil, nil, err
	}
	slices.Sort(dirs)
	dirs = slices.Compact(dirs)
	if n := len(dirs); n > w.opt.Limits.files {
		return nil, nil, refuse(Limit, "", fmt.Sprintf("the plan makes %d directories, the limit is %d", n, w.opt.Limits.files), "apply the reply in parts")
	}
	return edits, dirs, nil
}

// CheckPlan implements [apply.Checker]: a file of [Options.Expect] is not as expected, or the plan
// changes more files than one run may, one file by several names, or what makes a git repository.
// [Workspace.Commit] checks the same.
func (w *Workspace) CheckPlan(plan *apply.Plan) error {
	if err := errors.Join(w.checkAllExpected(), w.checkCount(plan)); err != nil {
		return failed("", "the plan cannot be checked", err)
	}
	edits := make([]edit, 0, len(plan.Files))
	for _, f := range plan.Files {
		for _, p := range []string{f.Path, f.From} {
			if name, at, err := w.locate(p); err == nil { // else CanWrite says so, or there is no such name
				edits = append(edits, edit{path: name, real: at.real, info: at.info})
			}
		}
	}
	return w.checkDistinct(edits)
}

func (w *Workspace) checkCount(plan *apply.Plan) error {
	if n := len(plan.Files); n > w.opt.Limits.files {
		return refuse(Limit, "", fmt.Sprintf("the plan changes %d files, the limit is %d", n, w.opt.Limits.files), "apply the reply in parts")
	}
	return nil
}

// edit makes the edit of one file, after checking that the file is what the plan was made from.
func (w *Workspace) edit(name string, action apply.Action, before, after []byte) (edit, []string, error) {
	name, at, err := w.checkWrite(name, action)
	if err != nil {
		return edit{}, nil, err
	}
	e := edit{path: name, real: at.real, action: action, info: at.info}
	var f textForm
	if at.info != nil {
		buf, giveBack := w.borrow()
		defer giveBack()
		raw, err := w.readInto(buf, name, at, w.opt.Limits.FileSize)
		if err != nil {
			return e, nil, err
		}
		f = w.formAt(raw)
		text, err := f.decode(raw)
		if err != nil || before == nil || !bytes.Equal(text, before) {
			return e, nil, refuse(apply.Stale, name, "the file has changed since it was read", "run again")
		}
		if bytes.Equal(raw, before) {
			raw = before
		} else {
			raw = bytes.Clone(raw)
		}
		e.before = imageOf(at.info, raw)
	} else if before != nil && action != apply.Create {
		return e, nil, refuse(apply.Stale, name, "the file was deleted after it was read", "run again")
	}
	if action == apply.Delete {
		return e, nil, nil
	}
	raw, err := f.encode(after)
	if err = w.checkContent(name, raw, err); err != nil {
		return e, nil, err
	}
	e.after = newFile(raw)
	if e.before.exists {
		e.after = e.before.with(raw)
	}
	return e, at.absent, nil
}

// checkContent refuses what a file would hold, or the error of encoding it.
func (w *Workspace) checkContent(name string, raw []byte, err error) error {
	switch {
	case err != nil:
		return refuseErr(apply.NotWritable, name, "cannot be written", "write the reply in UTF-8", err)
	case int64(len(raw)) > w.opt.Limits.FileSize:
		return refuse(apply.TooLarge, name, fmt.Sprintf("would be larger than the limit of %d bytes", w.opt.Limits.FileSize), "raise the limit with Limits.FileSize")
	}
	return nil
}

// moved makes the edit that writes a moved file under its new name, with what belonged to the old
// one.
func (w *Workspace) moved(c apply.FileChange, source edit) (edit, []string, error) {
	name, at, err := w.checkTarget(c.Path)
	if err != nil {
		return edit{}, nil, err
	}
	raw, err := w.formAt(source.before.data).encode(c.After)
	if err = w.checkContent(name, raw, err); err != nil {
		return edit{}, nil, err
	}
	e := edit{path: name, real: at.real, from: source.path, action: apply.Create, after: source.before.with(raw)}
	return e, at.absent, nil
}

// CanWrite implements [apply.Checker]. It reports why a change would be refused as long as the file
// is what the change was made from: the name, the globs, an existing or a missing file, a read-only
// file or directory, too much content or text that the file's encoding cannot hold; for a move, of
// both its names. [Workspace.Commit] checks the same.
func (w *Workspace) CanWrite(c *apply.FileChange) (err error) {
	defer func() { err = failed(c.Path, "cannot be accessed", err) }()
	name := c.Path
	if c.Action == apply.Move {
		name = c.From
		if _, _, err = w.checkWrite(c.From, apply.Delete); err == nil {
			_, _, err = w.checkTarget(c.Path)
		}
	} else {
		_, _, err = w.checkWrite(c.Path, c.Action)
	}
	if err != nil || c.Action == apply.Delete {
		return err
	}
	raw, err := w.encode(name, c.After)
	return w.checkContent(c.Path, raw, err)
}

// checkTarget is checkWrite for the new name of a moved file, which must be free.
func (w *Workspace) checkTarget(path string) (name string, at spot, err error) {
	name, at, err = w.checkWrite(path, apply.Create)
	if err == nil && at.info != nil {
		err = refuse(apply.Exists, name, "the file exists", "choose another name")
	}
	return name, at, err
}

func (w *Workspace) checkWrite(path string, action apply.Action) (name string, at spot, err error) {
	if w.opt.Untrusted && action == apply.Delete {
		return path, at, refuse(apply.Denied, path, "an untrusted reply may not delete or move files", "")
	}
	if name, at, err = w.locate(path); err != nil {
		return name, at, err
	}
	if at.info == nil {
		switch {
		case action != apply.Create:
			err = refuse(apply.NoSuchFile, name, "no such file", "")
		case w.opt.NoCreate:
			err = refuse(apply.Denied, name, "new files are not allowed", "")
		default:
			err = checkNewName(at.real)
		}
		if err == nil {
			err = w.checkNoRepository(at)
		}
		if err == nil {
			err = w.checkDirectory(name, at)
		}
		return name, at, err
	}
	if action == apply.Create && at.info.Size() > 0 && at.info.Mode().IsRegular() {
		return name, at, refuse(apply.Exists, name, "the file exists", "edit it, or choose another name")
	}
	if err = w.checkChange(name, at, action); err == nil {
		err = w.checkDirectory(name, at)
	}
	return name, at, err
}

// checkDirectory is checkWrite for the directory that the file's name, or that of the outermost new
// directory, is in.
func (w *Workspace) checkDirectory(name string, at spot) error {
	dir := path.Dir(at.real)
	if len(at.absent) > 0 {
		dir = path.Dir(at.absent[0])
	}
	if err := w.tree.Writable(dir); err != nil {
		what := "its directory " + dir
		if dir == "." {
			what = "the directory of the tree"
		}
		return refuseErr(apply.NotWritable, name, what+" cannot be changed", "check the permissions of the directory", err)
	}
	return nil
}

// checkChange is checkWrite for a file that exists.
func (w *Workspace) checkChange(name string, at spot, action apply.Action) error {
	switch {
	case !at.info.Mode().IsRegular():
		return refuse(apply.NotRegular, name, kind(at.info.Mode())+", not a regular file", "name a file")
	case action == apply.Delete && at.linked:
		return refuse(apply.NotRegular, name, "a symbolic link to "+at.real, "name the file itself")
	case !w.opt.Force && at.info.Mode()&0o222 == 0:
		return refuse(apply.NotWritable, name, "the file is read-only", "make it writable, or use Options.Force")
	case action == apply.Delete, w.opt.Force:
		return nil
	}
	// Replacing the name would succeed without any right to the file.
	f, err := w.tree.Open(at.real, os.O_WRONLY, 0)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return failed(name, "cannot be written", err)
	}
	return nil
}

// checkDistinct refuses two edits of the same file under different names: by symbolic links, or new
// ones that differ in case where the file system folds it.
func (w *Workspace) checkDistinct(edits []edit) error {
	var errs []error
	seen := make(map[string]int, len(edits))
	made := map[string]int{}
	for i, e := range edits {
		j, same := seen[e.real]
		seen[e.real] = i
		if e.info == nil && !same {
			key := anyCase(e.real)
			if k, ok := made[key]; ok {
				folds, err := w.folds(path.Dir(e.real))
				if err != nil {
					errs = append(errs, failed(e.path, "cannot be accessed", err))
				}
				j, same = k, folds
			}
			made[key] = i
		}
		if same {
			errs = append(errs, refuse(apply.Overlap, e.path, "the same file as "+edits[j].path, "use one name for it"))
		}
	}
	return errors.Join(errs...)
}

const tempPrefix = ".srpatch-"

// nameTemps gives each edit a temporary name that no other run or program will use.
func nameTemps(edits []edit) {
	run := rand.Text()[:13]
	for i := range edits {
		edits[i].temp = path.Join(path.Dir(edits[i].real), fmt.Sprintf("%s%s-%d", tempPrefix, run, i))
	}
}
