package workspace

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"time"

	"github.com/srpatch/srpatch/apply"
)

const (
	journalFormat  = "srpatch-journal"
	journalVersion = 3
)

// record is the journal's record of a run, as JSON. docs/journal.md describes it.
type record struct {
	Format  string       `json:"format"`
	Version int          `json:"version"`
	Run     string       `json:"run"`
	Kind    Kind         `json:"kind"`
	Of      string       `json:"of,omitempty"`
	Time    time.Time    `json:"time"`
	Root    string       `json:"root"`
	Tree    rootRecord   `json:"tree,omitzero"`
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

// imageRecord describes one image. Its bytes come after the record, and offset counts from there.
type imageRecord struct {
	SHA256 string            `json:"sha256"`
	Offset int64             `json:"offset"`
	Size   int64             `json:"size"`
	Mode   fs.FileMode       `json:"mode"`
	Umask  bool              `json:"umask,omitempty"`
	UID    int               `json:"uid"`
	GID    int               `json:"gid"`
	Xattrs map[string][]byte `json:"xattrs,omitempty"`
}

// blob has the images of a run's files, one after the other.
type blob struct {
	images [][]byte
	size   int64
}

// record describes an image and appends its bytes to b. It returns nil for an absent file.
func (m *image) record(b *blob) *imageRecord {
	if !m.exists {
		return nil
	}
	r := &imageRecord{SHA256: m.hash(), Offset: b.size, Size: int64(len(m.data)), Mode: m.mode, Umask: m.umask,
		UID: m.uid, GID: m.gid, Xattrs: m.xattrs}
	b.images, b.size = append(b.images, m.data), b.size+int64(len(m.data))
	return r
}

// image is the inverse of [image.record]: it returns the image that r describes, with its content
// from blob. If blob does not have content with that hash there, the image's data is nil.
func (r *imageRecord) image(blob []byte) image {
	if r == nil {
		return image{}
	}
	m := image{exists: true, sum: r.SHA256, mode: r.Mode & modeBits, umask: r.Umask,
		uid: r.UID, gid: r.GID, xattrs: r.Xattrs}
	end := r.Offset + r.Size // which overflows if the record is damaged
	isInside := r.Offset >= 0 && r.Size >= 0 && end >= r.Offset && end <= int64(len(blob))
	if isInside {
		if data := blob[r.Offset:end:end]; hash(data) == r.SHA256 {
			m.data = data
		}
	}
	return m
}

// sealed returns the record as it's stored: one line of JSON, whose last member is the SHA-256 of
// the line without it.
func (r *record) sealed() ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return append(seal(text), '\n'), nil
}

// seal adds the sum to a JSON object: {"a":1} becomes {"a":1,"sum":"..."}. It may overwrite object.
func seal(object []byte) []byte {
	return append(bytes.TrimSuffix(object, []byte("}")), `,"sum":"`+hash(object)+`"}`...)
}

// unbroken reports whether a record is unchanged since it was sealed: whether sealing it again,
// without its sum, gives the same text. All sums have the same length.
func unbroken(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("\n"))
	end := len(text) - len(`,"sum":"`+hash(nil)+`"}`)
	return end >= 0 && bytes.Equal(text, seal(append(bytes.Clone(text[:end]), '}')))
}
