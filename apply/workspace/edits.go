package workspace

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/srpatch/srpatch/apply"
)

// edit is what a run does to one file. Paths are relative to the root.
type edit struct {
	path   string // as the plan names it
	real   string // path with symbolic links resolved: what is replaced, made or removed
	from   string // the old path of a moved file
	action apply.Action
	before image
	after  image
	dirs   []string // above real, that must be made, outermost first
	// temp is the temporary name, next to real, where new content is prepared.
	temp string
	// spared is set if the file keeps an edit by somebody else when the run is put back.
	spared bool
}

// partialTemp returns the name where the pre-image is written before it is renamed to e.temp. A
// partly written file at e.temp would be mistaken for a save by somebody else.
func (e *edit) partialTemp() string { return e.temp + "-partial" }

// image is the content and the attributes of a file before or after a run.
type image struct {
	exists bool
	data   []byte
	sum    string // SHA-256 of data, hexadecimal; "" until it is computed
	mode   fs.FileMode
	// umask reports whether the mode is the one that the system gives a new file.
	umask    bool
	uid, gid int               // -1: unknown
	xattrs   map[string][]byte // extended attributes
}

// is reports whether raw is the image's content. An image of an absent file is equal to nothing.
func (m *image) is(raw []byte) bool { return m.exists && bytes.Equal(raw, m.data) }

// hash returns the SHA-256 of the content in hexadecimal, or "" for an absent file. It sets m.sum.
func (m *image) hash() string {
	if m.exists && m.sum == "" {
		m.sum = hash(m.data)
	}
	return m.sum
}

const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// imageOf returns the image of an existing file with the content raw.
func imageOf(info fs.FileInfo, raw []byte) image {
	uid, gid := owner(info)
	return image{mode: info.Mode() & modeBits, uid: uid, gid: gid}.with(raw)
}

// image returns the image of an existing file with the content raw and its extended attributes.
func (t *Tree) image(at spot, raw []byte) (image, error) {
	f, err := t.disk.Open(at.real, os.O_RDONLY, 0)
	if err != nil {
		return image{}, err
	}
	defer f.Close()
	img := imageOf(at.info, raw)
	img.xattrs, err = readXattrs(f)
	return img, err
}

// with returns the image with raw as its content.
func (m image) with(raw []byte) image {
	m.exists, m.data, m.sum = true, raw, ""
	return m
}

// sameAs reports whether both images have the same content, or both are of absent files.
func (m *image) sameAs(other *image) bool {
	return m.exists == other.exists && m.hash() == other.hash()
}

// idle reports whether the edit changes neither content nor mode.
func (e *edit) idle() bool { return e.before.sameAs(&e.after) && e.before.mode == e.after.mode }

// newFile returns the image of a new file, with the mode and owner that the system gives it.
func newFile(raw []byte) image { return image{umask: true, uid: -1, gid: -1}.with(raw) }

const tempPrefix = ".srpatch-"

// nameTemps gives each edit a random temporary name, which no other run or program will use.
func nameTemps(edits []edit) {
	run := rand.Text()[:13]
	for i := range edits {
		edits[i].temp = path.Join(path.Dir(edits[i].real), fmt.Sprintf("%s%s-%d", tempPrefix, run, i))
	}
}

// writeTemp writes and syncs a new file named temp with the content and attributes of an image. If
// img.umask is set, the system chooses the attributes. It fails if there is a file named temp.
func writeTemp(tree disk, temp string, img image) (err error) {
	perm := fs.FileMode(0o600) // until the owner is right, nobody else may read it
	if img.umask {
		perm = 0o666
	}
	f, err := tree.Open(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(img.data); err != nil {
		return err
	}
	if !img.umask {
		if err := setAttributes(f, img); err != nil {
			return err
		}
	}
	return f.Sync()
}

// setAttributes gives f the owner, mode and extended attributes of an image, as far as the process
// may.
func setAttributes(f file, img image) error {
	hasOwner, err := chown(f, img.uid, img.gid)
	if err != nil {
		return err
	}
	mode := img.mode
	if !hasOwner {
		mode &^= fs.ModeSetuid | fs.ModeSetgid // they would grant somebody else's rights
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return writeXattrs(f, img.xattrs)
}
