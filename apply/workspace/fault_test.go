package workspace

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

// fiveFiles is a tree, a plan over five of its files that does everything a plan can, and the tree
// afterwards.
func fiveFiles(t testing.TB) (dir string, plan *apply.Plan, before, after map[string]string) {
	t.Helper()
	dir = memoryDir(t)
	writeFiles(t, dir, map[string]string{"a": "a old\n", "sub/b": "b old\n", "d": "d old\n",
		"e": "e old, and longer than the new one\n", "other": "other\n"})
	if err := os.Link(filepath.Join(dir, "e"), filepath.Join(dir, "e-too")); err != nil {
		t.Fatal(err)
	}
	symlink(t, "sub", filepath.Join(dir, "s"))
	before = readTree(t, dir)
	after = maps.Clone(before)
	after["a"], after["sub/b"], after["e"] = "a new\n", "b new\n", "e new\n"
	after["deep/"], after["deep/er/"], after["deep/er/c"] = "", "", "c new\n"
	delete(after, "d")
	plan = planOf(
		change("a", []byte("a old\n"), []byte("a new\n")),
		change("s/b", []byte("b old\n"), []byte("b new\n")),
		change("deep/er/c", nil, []byte("c new\n")),
		change("d", []byte("d old\n"), nil),
		change("e", []byte("e old, and longer than the new one\n"), []byte("e new\n")),
	)
	return dir, plan, before, after
}

// broken opens a tree through a plug.
func broken(t testing.TB, dir string, opt Options, p *plug) *Workspace {
	t.Helper()
	w, err := open(dir, opt, p.wrap)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func sameTree(a, b map[string]string) bool { return maps.Equal(a, b) }

// outcome is the tree after a run that may have been broken: it must be one of two, whole.
func outcome(t testing.TB, dir string, before, after map[string]string) (changed bool) {
	t.Helper()
	tree := readTree(t, dir)
	switch {
	case sameTree(tree, after):
		return true
	case !sameTree(tree, before):
		t.Errorf("neither before nor after:")
		compareTrees(t, tree, before)
	}
	return false
}

// checkState makes sure that nothing is left of an interrupted run but the log.
func checkState(t testing.TB, w *Workspace) {
	t.Helper()
	s, err := w.openState(true)
	if err != nil {
		t.Fatal(err)
	}
	if runs, err := s.runs(runNew, runBegun, runWriting); err != nil || len(runs) > 0 {
		t.Errorf("open runs %v are left (%v)", runs, err)
	}
}

type breakage struct {
	name   string
	fault  error
	after  bool
	sticky bool
}

var breakages = []breakage{
	{name: "EIO", fault: syscall.EIO}, {name: "ENOSPC", fault: syscall.ENOSPC},
	{name: "EACCES", fault: syscall.EACCES}, {name: "EMFILE", fault: syscall.EMFILE},
	{name: "EIO from here on", fault: syscall.EIO, sticky: true}, {name: "killed before"},
	{name: "killed after", after: true},
}

// TestChangedDuringRun edits a file at every operation of a run, as long as the run has not read it
// for the last time: the edit stays, and the run is off.
func TestChangedDuringRun(t *testing.T) {
	p := &plug{}
	dir, plan, _, _ := fiveFiles(t)
	w := broken(t, dir, Options{StateDir: filepath.Join(memoryDir(t), "state")}, p)
	if _, err := w.Commit(context.Background(), plan); err != nil {
		t.Fatal(err)
	}
	w.Close()
	points := 0
	for name, replaced := range map[string]string{"a": "exchange .srpatch-",
		"sub/b": "exchange sub/.srpatch-", "d": "rename d ", "e": "exchange .srpatch-", "deep/er/c": "link deep/er/"} {
		end := slices.IndexFunc(p.ops, func(op string) bool {
			return strings.HasPrefix(op, replaced) &&
				(strings.HasSuffix(op, " "+name) || !strings.HasPrefix(op, "exchange"))
		})
		for ; name != "deep/er/c" && p.ops[end] != "open "+name; end-- { // which is not there to be read
		}
		for at := 1; at <= end+1; at += effort.Of(7, 2, 1) {
			dir, plan, want, _ := fiveFiles(t)
			p := &plug{at: at, meddle: func() { writeFiles(t, dir, map[string]string{name: "meddled\n"}) }}
			w := broken(t, dir, Options{StateDir: filepath.Join(memoryDir(t), "state")}, p)
			_, err := w.Commit(context.Background(), plan)
			if r := reasonOf(err); r != apply.Stale && r != apply.Exists {
				t.Errorf("%v, want %s", err, apply.Stale)
			}
			want[name] = "meddled\n"
			switch name {
			case "e":
				want["e-too"] = "meddled\n"
			case "deep/er/c":
				want["deep/"], want["deep/er/"] = "", ""
			}
			compareTrees(t, readTree(t, dir), want)
			checkState(t, w)
			w.Close()
			if t.Failed() {
				t.Fatalf("%s changed at operation %d, %s", name, at, p.ops[at-1])
			}
			points++
		}
	}
	t.Logf("%d points tried", points)
}

// TestDurabilityOrder holds what a loss of power needs and a kill does not show: what is relied on
// is synced before.
func TestDurabilityOrder(t *testing.T) {
	dir, plan, _, _ := fiveFiles(t)
	p := &plug{}
	opt := testOptions(t)
	w := broken(t, dir, opt, p)
	defer w.Close()
	if _, err := w.Commit(context.Background(), plan); err != nil {
		t.Fatal(err)
	}
	var ops []string // with the random part of temporary names cut out
	for _, op := range p.ops {
		ops = append(ops, regexp.MustCompile(`srpatch-\w+-`).ReplaceAllString(op, "srpatch-"))
	}
	at := func(op string) int {
		i := slices.Index(ops, op)
		if i < 0 {
			t.Fatalf("there is no %q in %q", op, ops)
		}
		return i
	}
	last := func(op string) int {
		i := len(ops) - 1
		for i > 0 && ops[i] != op {
			i--
		}
		return i
	}
	const begun, writing, done = "rename runs/1.new runs/1.begun",
		"rename runs/1.begun runs/1.writing", "rename runs/1.writing runs/1"
	synced := at(writing) + 1
	if ops[synced] != "fsync runs" {
		t.Errorf("%q follows %q", ops[synced], writing)
	}
	for _, order := range [][2]int{
		{at("write runs/1.new"), at("fsync runs/1.new")}, {at("fsync runs/1.new"), at(begun)},
		{at(begun), at("fsync runs")},
		{at("fsync runs"), at("mkdir deep")}, {at("fsync runs"), at("open .srpatch-0")},
		{at("write .srpatch-0"), at("fsync .srpatch-0")}, {at("fsync .srpatch-0"), at(writing)},
		{at("fsync sub/.srpatch-1"), at(writing)}, {at("fsync deep/er/.srpatch-2"), at(writing)},
		{at("fsync .srpatch-3"), at(writing)}, {at("fsync .srpatch-4"), at(writing)},
		{at(writing), synced}, {synced, at("exchange .srpatch-0 a")},
		{synced, at("rename d .srpatch-3")}, {synced, at("exchange .srpatch-4 e")},
		{at("exchange .srpatch-0 a"), last("fsync .")}, {at("fsync sub"), at(done)}, {at("fsync deep/er"), at(done)},
		{at("fsync deep"), at(done)}, {last("fsync ."), at(done)}, {at(done), last("fsync runs")},
	} {
		if order[0] >= order[1] {
			t.Errorf("%q comes after %q", ops[order[0]], ops[order[1]])
		}
	}
}
