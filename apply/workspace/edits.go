package workspace

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io/fs"
	"path"
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

const tempPrefix = ".srpatch-"

// nameTemps gives each edit a temporary name that no other run or program will use.
func nameTemps(edits []edit) {
	run := rand.Text()[:13]
	for i := range edits {
		edits[i].temp = path.Join(path.Dir(edits[i].real), fmt.Sprintf("%s%s-%d", tempPrefix, run, i))
	}
}
