package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/srpatch/srpatch/apply"
)

const (
	journalFormat  = "srpatch-journal"
	journalVersion = 2
	// sealedVersion is the first one whose records have a sum.
	sealedVersion = 2
)

// record is the journal of a run, as JSON; docs/journal.md is its description.
type record struct {
	Format  string       `json:"format"`
	Version int          `json:"version"`
	Run     string       `json:"run"`
	Kind    Kind         `json:"kind"`
	Of      string       `json:"of,omitempty"`
	Time    time.Time    `json:"time"`
	Root    string       `json:"root"`
	Tree    rootRecord   `json:"tree,omitzero"`
	PID     int          `json:"pid"`
	Replies []string     `json:"replies,omitempty"`
	Blocks  []string     `json:"blocks,omitempty"`
	Checked bool         `json:"checked,omitempty"`
	Dirs    []string     `json:"dirs"`
	Emptied []string     `json:"emptied,omitempty"`
	Files   []fileRecord `json:"files"`
}

type fileRecord struct {
	Path   string       `json:"path"`
	Real   string       `json:"real"`
	From   string       `json:"from,omitempty"`
	Action apply.Action `json:"action"`
	Temp   string       `json:"temp"`
	Before *imageRecord `json:"before"`
	After  *imageRecord `json:"after"`
}

// imageRecord describes one image; its bytes are in the file "before" or "after" of the run.
type imageRecord struct {
	SHA256 string      `json:"sha256"`
	Offset int64       `json:"offset"`
	Size   int64       `json:"size"`
	Mode   fs.FileMode `json:"mode"`
	Umask  bool        `json:"umask,omitempty"`
	UID    int         `json:"uid"`
	GID    int         `json:"gid"`
	MTime  time.Time   `json:"mtime,omitzero"`

	Xattrs map[string][]byte `json:"xattrs,omitempty"`
}

// journal is the record of a run under way; nil for a run without one.
type journal struct {
	state *state
	run   string
}

func (j *journal) dir() string { return path.Join(openRuns, j.run) }

// begin makes the intent and the pre-images durable.
func (s *state) begin(rec *record, edits []edit) (_ *journal, err error) {
	next := 1
	for _, dir := range []string{openRuns, doneRuns} {
		runs, err := s.runs(dir)
		if err != nil {
			return nil, err
		}
		if len(runs) > 0 {
			next = max(next, runs[len(runs)-1]+1)
		}
	}
	j := &journal{s, strconv.Itoa(next)}
	if err := s.Mkdir(j.dir(), 0o700); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = s.removeRun(j.dir()) // what stays is garbage to the next run
		}
	}()
	rec.Run = j.run
	var before, after blob
	for _, e := range edits {
		rec.Files = append(rec.Files, fileRecord{
			Path: e.path, Real: e.real, From: e.from, Action: e.action, Temp: e.temp,
			Before: e.before.record(&before), After: e.after.record(&after),
		})
	}
	text, err := rec.sealed()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(
		s.writeParts(path.Join(j.dir(), beforeFile), before.images, true),
		// Undo by merge needs the after-images, and checks their hashes.
		s.writeParts(path.Join(j.dir(), afterFile), after.images, false),
		s.writeFile(path.Join(j.dir(), newRecord), text, true),
	); err != nil {
		return nil, err
	}
	if err := s.Rename(path.Join(j.dir(), newRecord), path.Join(j.dir(), recordFile)); err != nil {
		return nil, err
	}
	if err := s.SyncDir(j.dir()); err != nil {
		return nil, err
	}
	return j, s.SyncDir(openRuns)
}

// blob is the images of a run's files, one after the other.
type blob struct {
	images [][]byte
	size   int64
}

// record describes an image and appends its bytes to b.
func (m *image) record(b *blob) *imageRecord {
	if !m.exists {
		return nil
	}
	r := &imageRecord{SHA256: m.hash(), Offset: b.size, Size: m.size, Mode: m.mode, Umask: m.umask, UID: m.uid, GID: m.gid, MTime: m.mtime}
	b.images, b.size = append(b.images, m.data), b.size+int64(len(m.data))
	for name, value := range m.xattrs {
		if r.Xattrs == nil {
			r.Xattrs = map[string][]byte{}
		}
		r.Xattrs[name] = value
	}
	return r
}

// writing says that files are about to be replaced.
func (j *journal) writing() error {
	if j == nil {
		return nil
	}
	if err := j.state.writeFile(path.Join(j.dir(), markFile), nil, false); err != nil {
		return err
	}
	return j.state.SyncDir(j.dir())
}

// settle takes the mark of [journal.writing] back: every file of the run is as it is to stay.
// Temporary files tell which files the run never came to, so this goes before their removal.
func (s *state) settle(dir string) error {
	if err := s.Remove(path.Join(dir, markFile)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return s.SyncDir(dir)
}

// commit is the commit point: the run moves from the open runs to the log.
func (j *journal) commit() error {
	if j == nil {
		return nil
	}
	if err := j.state.Rename(j.dir(), path.Join(doneRuns, j.run)); err != nil {
		return err
	}
	// The run is committed for everybody who looks. Should the rename be lost with the power, the
	// run is found open and rolled back whole; so there is nothing to do about an error here.
	_ = j.state.SyncDir(doneRuns)
	_ = j.state.SyncDir(openRuns)
	return nil
}

// discard forgets a run that has been rolled back. A failure leaves an open run, whose recovery
// will find nothing to do.
func (j *journal) discard() {
	if j != nil {
		_ = j.state.removeRun(j.dir())
	}
}

// name is the run's name; "" without a journal.
func (j *journal) name() string {
	if j == nil {
		return ""
	}
	return j.run
}

// number is the run's name as a number; 0 without a journal.
func (j *journal) number() int {
	n, _ := strconv.Atoi(j.name())
	return n
}

// damagedRemedy is what to do about a run whose journal or images cannot be relied on.
const damagedRemedy = "restore what you need from the files there, then remove the directory; to undo an older run, name it by number"

// damaged says what is wrong with a run's directory.
func (s *state) damaged(dir, name, what string, err error) error {
	return refuseErr(JournalDamaged, name, what+", in "+filepath.Join(s.dir, dir), damagedRemedy, err)
}

// load reads a run's record. A directory without one is fs.ErrNotExist.
func (s *state) load(dir string) (*record, error) {
	text, err := s.readFile(path.Join(dir, recordFile))
	if err != nil {
		return nil, err
	}
	const damaged = "the journal is damaged"
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, s.damaged(dir, "", damaged, err)
	}
	if head.Format != journalFormat || head.Version < 1 {
		return nil, s.damaged(dir, "", damaged, fmt.Errorf("format %q version %d", head.Format, head.Version))
	}
	if head.Version > journalVersion {
		return nil, refuse(JournalVersion, "", fmt.Sprintf("the journal %s has version %d; this srpatch knows version %d",
			filepath.Join(s.dir, dir, recordFile), head.Version, journalVersion), "use the srpatch that wrote it; to undo an older run, name it by number")
	}
	if head.Version >= sealedVersion && !unbroken(text) {
		return nil, s.damaged(dir, "", damaged, errors.New("its checksum does not match"))
	}
	rec := new(record)
	if err := json.Unmarshal(text, rec); err != nil {
		return nil, s.damaged(dir, "", damaged, err)
	}
	return rec, nil
}

// transaction gives a recorded run back, with the bytes of its pre-images and of the after-images
// that are whole.
func (s *state) transaction(dir string, rec *record) (*transaction, error) {
	before, err := s.readFile(path.Join(dir, beforeFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = s.damaged(dir, "", "the old contents are missing", nil)
	}
	if err != nil {
		return nil, err
	}
	after, _ := s.readFile(path.Join(dir, afterFile))
	t := &transaction{kind: rec.Kind, of: rec.Of, dirs: rec.Dirs, emptied: rec.Emptied}
	checked := slices.Concat(t.dirs, t.emptied)
	for _, r := range rec.Files {
		checked = append(checked, string(r.Real), string(r.Temp))
		if at, base := path.Split(string(r.Temp)); path.Clean(at) != path.Dir(string(r.Real)) || !strings.HasPrefix(base, tempPrefix) {
			return nil, s.damaged(dir, string(r.Temp), "not the name of a temporary file", nil)
		}
		e := edit{path: string(r.Path), real: string(r.Real), from: string(r.From), action: r.Action, temp: string(r.Temp)}
		e.before, e.after = r.Before.image(before), r.After.image(after)
		if e.before.exists && e.before.data == nil {
			return nil, s.damaged(dir, e.path, "its saved content does not match the recorded hash", nil)
		}
		t.edits = append(t.edits, e)
	}
	for _, name := range checked {
		if clean, err := cleanName(name); err != nil || clean != name {
			return nil, s.damaged(dir, "", "the journal names the file "+strconv.Quote(name), err)
		}
	}
	return t, nil
}

// image is the inverse of [image.record]; data is nil when blob does not hold it.
func (r *imageRecord) image(blob []byte) image {
	if r == nil {
		return image{}
	}
	m := image{exists: true, sum: r.SHA256, size: r.Size, mode: r.Mode & modeBits, umask: r.Umask, uid: r.UID, gid: r.GID, mtime: r.MTime}
	for name, value := range r.Xattrs {
		if m.xattrs == nil {
			m.xattrs = map[string][]byte{}
		}
		m.xattrs[string(name)] = value
	}
	if end := r.Offset + r.Size; r.Offset >= 0 && r.Size >= 0 && end >= r.Offset && end <= int64(len(blob)) {
		if data := blob[r.Offset:end:end]; hash(data) == r.SHA256 {
			m.data = data
		}
	}
	return m
}
