package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

const sentinel = "the sentinel outside\n"

// fenced makes a tree with a sentinel next to it.
func fenced(t testing.TB) (base, root string) {
	t.Helper()
	base = memoryDir(t)
	root = filepath.Join(base, "root")
	writeFiles(t, base, map[string]string{"outside/f": sentinel, "root/f": "inside\n",
		"root/sub/f": "inside\n", "root/.git/config": sentinel})
	return base, root
}

func checkFence(t testing.TB, base string) {
	t.Helper()
	compareTrees(t, readTree(t, filepath.Join(base, "outside")), map[string]string{"f": sentinel})
	compareTrees(t, readTree(t, filepath.Join(base, "root/.git")), map[string]string{"config": sentinel})
}

// FuzzContainment reads and writes any path in a tree with any two links in it, and looks at what
// is outside. OUT and ROOT stand for absolute paths.
func FuzzContainment(f *testing.F) {
	for _, path := range []string{
		"f", "../outside/f", "OUT/f", "ROOT/f", "a/../../outside/f", "./sub/../f", "l/f", "l",
		"l/../outside/f", "m/l/f", "sub/l/../../f", `..\outside\f`, "l/new/f",
		".git/config", ".GIT/config", "l/config", "sub/../.git/config", "//outside/f", "f/", "f/x",
		"C:f", "sub/../C:f", "\xed:", "\x00", "l//f", "new/dir/f", "m", "sub/m/new",
	} {
		for _, link := range [][2]string{
			{"l", "OUT"}, {"l", "../outside"}, {"l", "OUT/f"}, {"l", "../outside/new"},
			{"l", ".git"}, {"l", "sub"}, {"l", "ROOT/sub"}, {"l", "ROOT/../outside"},
			{"l", "m"}, {"sub/l", "../../outside"}, {"l", "."}, {"l", "./l/../../outside"},
			{"l", "/"}, {"l", ".GIT/../.git"},
		} {
			f.Add(path, link[0], link[1], "m", "l")
		}
	}
	f.Fuzz(func(t *testing.T, path, link1, to1, link2, to2 string) {
		base, root := fenced(t)
		expand := strings.NewReplacer("OUT", filepath.Join(base, "outside"), "ROOT", root).Replace
		for _, l := range [][2]string{{link1, to1}, {link2, to2}} {
			if filepath.IsLocal(l[0]) && !strings.HasPrefix(l[0], ".git") {
				_ = os.Symlink(expand(l[1]), filepath.Join(root, l[0]))
			}
		}
		path = expand(path)
		w := broken(t, root, Options{StateDir: filepath.Join(base, "state")}, &plug{})
		defer w.Close()
		old, err := w.ReadFile(path)
		if string(old) == sentinel {
			t.Fatalf("ReadFile(%q) reads outside", path)
		}
		c := change(path, nil, []byte("written\n"))
		if err == nil {
			c = change(path, old, []byte("written\n"))
		} else if reasonOf(err) == "" && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("ReadFile(%q): %v has no reason", path, err)
		}
		ctx := context.Background()
		_, err = w.Commit(ctx, planOf(c))
		if err != nil && reasonOf(err) == "" {
			t.Errorf("Commit(%q): %v has no reason", path, err)
		}
		if err == nil {
			if now, err := w.ReadFile(path); err != nil || string(now) != "written\n" {
				t.Errorf("after Commit(%q): %q, %v", path, now, err)
			}
			if _, err := w.Undo(ctx, "", UndoOptions{}); err != nil {
				t.Errorf("Undo of %q: %v", path, err)
			}
			if now, _ := w.ReadFile(path); string(now) != string(old) {
				t.Errorf("after Undo of %q: %q, want %q", path, now, old)
			}
		}
		if paths := slices.Collect(w.Paths()); !slices.Equal(paths, []string{"f", "sub/f"}) {
			t.Errorf("Paths: %q", paths)
		}
		checkFence(t, base)
	})
}

// TestSwappedDirectories writes below a directory that is swapped for a link to the outside all the
// time.
func TestSwappedDirectories(t *testing.T) {
	base, root := fenced(t)
	writeFiles(t, base, map[string]string{"outside/f": sentinel})
	ctx := context.Background()
	link, real := filepath.Join(root, "swap"), filepath.Join(root, "sub")
	symlink(t, "sub", link)
	var stop atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		for to := "../outside"; !stop.Load(); {
			_ = os.Symlink(to, link+"-next")
			_ = os.Rename(link+"-next", link)
			_ = os.Rename(real, real+"-away")
			_ = os.Symlink("../outside", real)
			_ = os.Remove(real)
			_ = os.Rename(real+"-away", real)
			if to == "sub" {
				to = "../outside"
			} else {
				to = "sub"
			}
		}
	}()
	written := 0
	for range effort.Of(50, 150, 3000) {
		for _, path := range []string{"swap/f", "sub/f", "swap/new", "sub/new/deep"} {
			w := broken(t, root, Options{NoJournal: true, StateDir: filepath.Join(base, "state")}, &plug{})
			old, err := w.ReadFile(path)
			if string(old) == sentinel {
				t.Fatalf("ReadFile(%q) reads outside", path)
			}
			var plan *apply.Plan
			if err == nil {
				plan = planOf(change(path, old, append(old[:len(old):len(old)], '+')))
			} else {
				plan = planOf(change(path, nil, []byte("new\n")))
			}
			if _, err := w.Commit(ctx, plan); err == nil {
				written++
			}
			w.Close()
		}
	}
	stop.Store(true)
	<-done
	checkFence(t, base)
	t.Logf("%d runs came through", written)
}
