package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/srpatch/srpatch/internal/effort"
)

// quota is a disk with room for so many more bytes, of the tree and its state together.
type quota struct{ left int64 }

func (q *quota) wrap(d disk) disk { return &quotaDisk{d, q} }

type quotaDisk struct {
	disk
	q *quota
}

func (d *quotaDisk) Open(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := d.disk.Open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &quotaFile{f, d.q}, nil
}

type quotaFile struct {
	file
	q *quota
}

func (f *quotaFile) Write(b []byte) (int, error) {
	n, err := f.file.Write(b[:min(int64(len(b)), f.q.left)])
	f.q.left -= int64(n)
	if err == nil && n < len(b) {
		err = &fs.PathError{Op: "write", Err: syscall.ENOSPC}
	}
	return n, err
}

// TestDiskFullAtEachByte: wherever the room ends, a run that fails leaves the tree as it was, at
// once and without room, and one that succeeds has done everything.
func TestDiskFullAtEachByte(t *testing.T) {
	for _, opt := range []Options{{}, {NoJournal: true}} {
		for room := int64(0); ; room += int64(effort.Of(61, 17, 1)) {
			dir, plan, before, after := fiveFiles(t)
			opt.StateDir = filepath.Join(memoryDir(t), "state")
			q := &quota{room}
			w, err := open(dir, opt, q.wrap)
			if err != nil {
				t.Fatal(err)
			}
			_, err = w.Commit(context.Background(), plan)
			if err != nil && (!errors.Is(err, syscall.ENOSPC) || reasonOf(err) == RollbackFailed) {
				t.Errorf("%v, want a full disk, rolled back", err)
			}
			if changed := outcome(t, dir, before, after); changed != (err == nil) {
				t.Errorf("changed: %v, although the error is: %v", changed, err)
			}
			w.Close()
			if t.Failed() {
				t.Fatalf("with room for %d bytes (%+v)", room, opt)
			}
			if err == nil {
				break
			}
		}
	}
}
