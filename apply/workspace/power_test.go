//go:build unix

package workspace

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/internal/effort"
)

// node is a file or a directory of which a trace knows every change.
type node struct {
	// kids are what a directory holds now, nil for a file.
	kids map[string]*node
	// link is what a symbolic link leads to.
	link string
	// data is the content at the beginning of the trace.
	data []byte
}

// event is a change, or a sync that makes changes durable.
type event struct {
	// names are given to nodes, or taken if that is nil, all at once.
	names []naming
	// file is written to, cut to size, or synced.
	file *node
	data []byte
	off  int64
	size int64 // -1 unless the file is cut
	sync bool
	// dir is synced.
	dir *node
}

type naming struct {
	dir  *node
	name string
	to   *node
}

// trace records what a run does to the tree and its state.
type trace struct {
	events []event
	roots  map[string]*node // by directory
}

// load is a directory as it is.
func (tr *trace) load(t *testing.T, dir string) *node {
	root := &node{kids: map[string]*node{}}
	seen, infos := map[string]*node{}, map[*node]fs.FileInfo{}
	for name, content := range readTree(t, dir) {
		n := &node{data: []byte(content)}
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		} else if info.Mode()&fs.ModeSymlink != 0 {
			n.link, _ = os.Readlink(filepath.Join(dir, name))
		} else if info.IsDir() {
			n = &node{kids: map[string]*node{}}
		} else {
			infos[n] = info
			for other, i := range infos {
				if os.SameFile(i, info) && other != n {
					n = other
				}
			}
		}
		seen["/"+path.Clean(name)] = n
	}
	for name, n := range seen {
		if name[0] == '/' {
			above := root
			if dir := path.Dir(name); dir != "/" {
				above = seen[dir]
			}
			above.kids[path.Base(name)] = n
		}
	}
	tr.roots[dir] = root
	return root
}

func (tr *trace) wrap(d disk) disk {
	dir := d.(rootDisk).root.Name()
	if tr.roots[dir] == nil {
		tr.roots[dir] = &node{kids: map[string]*node{}}
	}
	return &traceDisk{d, tr, tr.roots[dir]}
}

type traceDisk struct {
	disk
	tr   *trace
	root *node
}

func (d *traceDisk) at(name string) (dir *node, base string) {
	dir = d.root
	if up := path.Dir(name); up != "." {
		parent, base := d.at(up)
		dir = parent.kids[base]
	}
	return dir, path.Base(name)
}

func (d *traceDisk) get(name string) *node {
	if name == "." {
		return d.root
	}
	dir, base := d.at(name)
	return dir.kids[base]
}

// note records that names have changed, if they have.
func (d *traceDisk) note(err error, pairs map[string]*node) error {
	if err != nil {
		return err
	}
	e := event{size: -1}
	for name, to := range pairs {
		dir, base := d.at(name)
		e.names = append(e.names, naming{dir, base, to})
	}
	for _, n := range e.names {
		if n.dir.kids[n.name] = n.to; n.to == nil {
			delete(n.dir.kids, n.name)
		}
	}
	d.tr.events = append(d.tr.events, e)
	return nil
}

func (d *traceDisk) Mkdir(name string, perm fs.FileMode) error {
	return d.note(d.disk.Mkdir(name, perm), map[string]*node{name: {kids: map[string]*node{}}})
}

func (d *traceDisk) Rename(from, to string) error {
	return d.note(d.disk.Rename(from, to), map[string]*node{from: nil, to: d.get(from)})
}

func (d *traceDisk) Exchange(a, b string) error {
	return d.note(d.disk.Exchange(a, b), map[string]*node{a: d.get(b), b: d.get(a)})
}

func (d *traceDisk) Link(from, to string) error {
	return d.note(d.disk.Link(from, to), map[string]*node{to: d.get(from)})
}

func (d *traceDisk) Remove(name string) error {
	return d.note(d.disk.Remove(name), map[string]*node{name: nil})
}

func (d *traceDisk) SyncDir(name string) error {
	d.tr.events = append(d.tr.events, event{dir: d.get(name), size: -1})
	return d.disk.SyncDir(name)
}

func (d *traceDisk) Open(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := d.disk.Open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	n := d.get(name)
	if n == nil {
		n = &node{}
		_ = d.note(nil, map[string]*node{name: n})
	}
	t := &traceFile{f, d.tr, n, 0}
	if flag&os.O_TRUNC != 0 {
		t.tr.events = append(t.tr.events, event{file: n})
	}
	return t, nil
}

type traceFile struct {
	file
	tr  *trace
	n   *node
	off int64
}

func (f *traceFile) Write(b []byte) (int, error) {
	f.tr.events = append(f.tr.events, event{file: f.n, data: slices.Clone(b), off: f.off, size: -1})
	n, err := f.file.Write(b)
	f.off += int64(n)
	return n, err
}

func (f *traceFile) Sync() error {
	f.tr.events = append(f.tr.events, event{file: f.n, sync: true, size: -1})
	return f.file.Sync()
}

// outage is what a loss of power leaves: the changes that were synced, and some that were not. Of
// each directory and of each file these are the first ones, and the next write to a file may be
// torn.
type outage struct {
	kids map[*node]map[string]*node
	data map[*node][]byte
}

func (o *outage) named(n *node) map[string]*node {
	if o.kids[n] == nil {
		o.kids[n] = map[string]*node{}
	}
	return o.kids[n]
}

func (o *outage) rename(e event) {
	for _, n := range e.names {
		if o.named(n.dir)[n.name] = n.to; n.to == nil {
			delete(o.named(n.dir), n.name)
		}
	}
}

func (o *outage) write(e event, n int) {
	data := o.data[e.file]
	if e.size >= 0 {
		data = append(slices.Clone(data), make([]byte, max(0, int(e.size)-len(data)))...)[:e.size]
	} else if end := int(e.off) + n; n > 0 {
		data = append(slices.Clone(data), make([]byte, max(0, end-len(data)))...)
		copy(data[e.off:], e.data[:n])
	}
	o.data[e.file] = data
}

// cut is an outage after some events. keep says whether a change that was not synced is there all
// the same.
func cut(start *outage, events []event, rnd *rand.Rand, keep func() bool) *outage {
	o := &outage{map[*node]map[string]*node{}, maps.Clone(start.data)}
	for n, kids := range start.kids {
		o.kids[n] = maps.Clone(kids)
	}
	var names []event
	writes := map[*node][]event{}
	var files []*node // in their order
	for _, e := range events {
		switch {
		case e.dir != nil:
			names = slices.DeleteFunc(names, func(c event) bool {
				synced := slices.ContainsFunc(c.names, func(n naming) bool { return n.dir == e.dir })
				if synced {
					o.rename(c)
				}
				return synced
			})
		case e.names != nil:
			names = append(names, e)
		case e.sync:
			for _, w := range writes[e.file] {
				o.write(w, len(w.data))
			}
			delete(writes, e.file)
		default:
			writes[e.file] = append(writes[e.file], e)
			files = append(files, e.file)
		}
	}
	lost := map[*node]bool{}
	for _, c := range names {
		late := slices.ContainsFunc(c.names, func(n naming) bool { return lost[n.dir] })
		if !late && keep() {
			o.rename(c)
			continue
		}
		for _, n := range c.names {
			lost[n.dir] = true
		}
	}
	for _, f := range files {
		for _, w := range writes[f] {
			if !keep() {
				if w.size < 0 {
					o.write(w, rnd.IntN(len(w.data)+1))
				}
				break
			}
			o.write(w, len(w.data))
		}
		delete(writes, f)
	}
	return o
}

// restore writes a directory as an outage has left it.
func (o *outage) restore(t *testing.T, n *node, at string, made map[*node]string) {
	t.Helper()
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, kid := range o.kids[n] {
		to, err := filepath.Join(at, name), error(nil)
		switch first := made[kid]; {
		case kid.kids != nil:
			o.restore(t, kid, to, made)
		case kid.link != "":
			err = os.Symlink(kid.link, to)
		case first != "":
			err = os.Link(first, to)
		default:
			made[kid] = to
			err = os.WriteFile(to, o.data[kid], 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// begin is the state at the beginning of a trace.
func (o *outage) begin(n *node) {
	o.data[n] = n.data
	o.kids[n] = maps.Clone(n.kids)
	for _, kid := range n.kids {
		o.begin(kid)
	}
}

// TestLossOfPower cuts a run off after each of its changes, with some of those that were not synced
// lost or torn. Its recovery makes the tree as before or as after, and as after if the run had
// ended.
func TestLossOfPower(t *testing.T) {
	ctx := context.Background()
	points := 0
	dir, plan, before, after := fiveFiles(t)
	opt := Options{StateDir: filepath.Join(memoryDir(t), "state"), Replies: []string{"one"}}
	tr := &trace{roots: map[string]*node{}}
	tree := tr.load(t, dir)
	start := &outage{map[*node]map[string]*node{}, map[*node][]byte{}}
	start.begin(tree)
	w, err := open(dir, opt, tr.wrap)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(ctx, plan); err != nil {
		t.Fatal(err)
	}
	stateDir := w.state.dir
	state := tr.roots[stateDir]
	w.Close()
	rnd := rand.New(rand.NewPCG(1, 1))
	for at := range len(tr.events) + 1 {
		for try := range effort.Of(2, 4, 40) {
			keep := func() bool { return rnd.IntN(2) == 0 }
			if try < 2 { // nothing that was not synced, and everything
				keep = func() bool { return try == 1 }
			}
			o := cut(start, tr.events[:at], rnd, keep)
			made := map[*node]string{}
			for root, n := range map[string]*node{dir: tree, stateDir: state} {
				empty(t, root)
				o.restore(t, n, root, made)
			}
			next := openTest(t, dir, opt)
			if _, err := next.Recover(ctx, RecoverAuto); err != nil {
				t.Errorf("recovery: %v", err)
			}
			if changed := outcome(t, dir, before, after); !changed && at == len(tr.events) {
				t.Error("the run had ended, and its changes are gone")
			}
			if runs, err := next.state.runs(runNew, runBegun, runWriting); err != nil || len(runs) > 0 {
				t.Errorf("open runs %v are left (%v)", runs, err)
			}
			_ = next.Close()
			if t.Failed() {
				t.Fatalf("power lost after %d of %d changes, try %d", at, len(tr.events), try)
			}
			points++
		}
	}
	t.Logf("%d outages", points)
}

// empty removes what is in a directory, which stays the same one.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	if err != nil {
		t.Fatal(err)
	}
}
