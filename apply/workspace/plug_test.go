package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

var errKilled = errors.New("the process is dead")

// plug counts the operations of a run and breaks one of them. One plug serves the tree and its
// state.
type plug struct {
	// at is the operation to break, from 1; 0 breaks none.
	at int
	// fault is what it returns; nil means that the process dies there.
	fault error
	// after: the process dies when the operation is done, instead of before.
	after bool
	// sticky: every later operation is broken too, as on a disk that has died.
	sticky bool
	// noExchange: the file system cannot swap names.
	noExchange bool
	// meddle, if set, is called before the operation instead of breaking it.
	meddle func()
	// each, if set, is called before each operation.
	each func(op string)
	// kill is called where the process dies; nil makes every later operation fail instead.
	kill func()

	mu   sync.Mutex
	n    int
	dead bool
	ops  []string
}

// do runs an operation, or what is left of it. half is what a write has done when it is broken; nil
// is nothing.
func (p *plug) do(op, name string, act, half func() error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return errKilled
	}
	p.n++
	p.ops = append(p.ops, op+" "+name)
	if p.each != nil {
		p.each(op + " " + name)
	}
	if p.n != p.at && !(p.sticky && p.at > 0 && p.n > p.at) {
		return act()
	}
	if p.meddle != nil {
		p.meddle()
		return act()
	}
	if p.fault == nil && p.after {
		_ = act()
	} else if half != nil {
		_ = half()
	}
	if p.fault != nil {
		return fmt.Errorf("%s: %w", op, &fs.PathError{Op: op, Path: name, Err: p.fault})
	}
	if p.kill != nil {
		p.kill()
	}
	p.dead = true
	return errKilled
}

// wrap puts the plug between a workspace and its files, whose fsync is left out: a process that
// dies does not need it.
func (p *plug) wrap(d disk) disk { return &plugDisk{d, p} }

type plugDisk struct {
	disk
	p *plug
}

func (d *plugDisk) Lstat(name string) (info fs.FileInfo, err error) {
	err = d.p.do("lstat", name, func() error { info, err = d.disk.Lstat(name); return err }, nil)
	return info, err
}

func (d *plugDisk) Readlink(name string) (to string, err error) {
	err = d.p.do("readlink", name, func() error { to, err = d.disk.Readlink(name); return err }, nil)
	return to, err
}

func (d *plugDisk) ReadDir(name string) (list []fs.DirEntry, err error) {
	err = d.p.do("readdir", name, func() error { list, err = d.disk.ReadDir(name); return err }, nil)
	return list, err
}

func (d *plugDisk) Names(name string) (list []string, err error) {
	err = d.p.do("readdir", name, func() error { list, err = d.disk.Names(name); return err }, nil)
	return list, err
}

func (d *plugDisk) Open(name string, flag int, perm fs.FileMode) (f file, err error) {
	err = d.p.do("open", name, func() error {
		f, err = d.disk.Open(name, flag, perm)
		return err
	}, nil)
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, err
	}
	return &plugFile{f, d.p, name}, nil
}

func (d *plugDisk) Mkdir(name string, perm fs.FileMode) error {
	return d.p.do("mkdir", name, func() error { return d.disk.Mkdir(name, perm) }, nil)
}

func (d *plugDisk) Rename(from, to string) error {
	return d.p.do("rename", from+" "+to, func() error { return d.disk.Rename(from, to) }, nil)
}

func (d *plugDisk) Exchange(a, b string) error {
	if d.p.noExchange {
		return errors.ErrUnsupported
	}
	return d.p.do("exchange", a+" "+b, func() error { return d.disk.Exchange(a, b) }, nil)
}

func (d *plugDisk) Link(from, to string) error {
	return d.p.do("link", from+" "+to, func() error { return d.disk.Link(from, to) }, nil)
}

func (d *plugDisk) Remove(name string) error {
	return d.p.do("unlink", name, func() error { return d.disk.Remove(name) }, nil)
}

func (d *plugDisk) SyncDir(name string) error {
	return d.p.do("fsync", name, func() error { return nil }, nil)
}

type plugFile struct {
	file
	p    *plug
	name string
}

func (f *plugFile) Read(b []byte) (n int, err error) {
	// The end of the file is no failure, and is not counted apart.
	outcome := f.p.do("read", f.name, func() error { n, err = f.file.Read(b); return nil }, nil)
	if outcome != nil {
		return 0, outcome
	}
	return n, err
}

func (f *plugFile) Write(b []byte) (n int, err error) {
	err = f.p.do("write", f.name, func() error { n, err = f.file.Write(b); return err },
		func() error { _, err := f.file.Write(b[:len(b)/2]); return err })
	return n, err
}

func (f *plugFile) Stat() (info fs.FileInfo, err error) {
	err = f.p.do("fstat", f.name, func() error { info, err = f.file.Stat(); return err }, nil)
	return info, err
}

func (f *plugFile) Chmod(mode fs.FileMode) error {
	return f.p.do("fchmod", f.name, func() error { return f.file.Chmod(mode) }, nil)
}

func (f *plugFile) Chown(uid, gid int) error {
	return f.p.do("fchown", f.name, func() error { return f.file.Chown(uid, gid) }, nil)
}

func (f *plugFile) Sync() error { return f.p.do("fsync", f.name, func() error { return nil }, nil) }

// Close really closes, as the system does for the dead.
func (f *plugFile) Close() error {
	err := f.file.Close()
	return f.p.do("close", f.name, func() error { return err }, nil)
}
