//go:build linux

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

// saves are the ways in which programs save a file.
var saves = map[string]func(name, text string) error{
	"rename": func(name, text string) error {
		temp := name + "~"
		return errors.Join(os.WriteFile(temp, []byte(text), 0o666), os.Rename(temp, name))
	},
	"truncate": func(name, text string) error { return os.WriteFile(name, []byte(text), 0o666) },
}

// TestSaveDuringARunIsNotLost lets somebody save a file while a run changes or removes it. What was
// saved is in the tree or kept with the pre-images; and it is in the tree, whole, where the run is
// stale.
func TestSaveDuringARunIsNotLost(t *testing.T) {
	dir, opt := memoryDir(t), Options{StateDir: filepath.Join(memoryDir(t), "state")}
	w := openTest(t, dir, opt)
	name := filepath.Join(dir, "f")
	counts := map[string]int{}
	rnd := rand.New(rand.NewPCG(1, 2))
	took := 500 * time.Microsecond // the last run that had an end
	for how, save := range saves {
		for i := range effort.Of(30, 100, 2500) {
			text := fmt.Sprintf("saved %s %d\n", how, i)
			writeFiles(t, dir, map[string]string{"f": "old\n"})
			after := []byte("new\n")
			if i%5 == 0 {
				after = nil
			}
			pause := time.Duration(rnd.Float64() * 1.2 * float64(took))
			saved := make(chan error)
			go func() {
				for start := time.Now(); time.Since(start) < pause; { // a sleep is not so exact
				}
				saved <- save(name, text)
			}()
			start := time.Now()
			run, err := w.Commit(context.Background(), planOf(change("f", []byte("old\n"), after)))
			if err == nil {
				took = time.Since(start)
			}
			saveErr := <-saved
			got, readErr := os.ReadFile(name)
			inTree := string(got) == text
			switch {
			case errors.Is(saveErr, fs.ErrNotExist) && after == nil && err == nil:
				counts["removed before"]++ // the editor says so
			case saveErr != nil:
				t.Fatal(saveErr)
			case err == nil && inTree:
				counts["saved before or after"]++
			case reasonOf(err) == apply.Stale && inTree:
				counts["stale"]++
			default:
				kept := false
				_ = filepath.WalkDir(opt.StateDir, func(p string, d fs.DirEntry, _ error) error {
					b, _ := os.ReadFile(p)
					kept = kept || strings.Contains(string(b), text)
					return nil
				})
				if !kept {
					t.Fatalf("%s %d: run %q: %v; the file holds %q (%v), and %q is nowhere", how, i,
						run, err, got, readErr, text)
				}
				counts["kept"]++
				if _, err := w.Recover(context.Background(), RecoverKeep); err != nil {
					t.Fatal(err)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*")); len(left) > 0 {
				t.Fatalf("%s %d: %v is left (%v)", how, i, left, err)
			}
		}
	}
	t.Logf("%v", counts)
}

// A run that is killed when it has displaced somebody's save has not lost it: recovery gives it its
// name again, or keeps it if that is taken by a later one.
func TestSaveDisplacedByAKilledRunIsNotLost(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct{ name, op, later string }{
		{"a", "exchange .srpatch-", ""}, {"d", "rename d ", ""},
		{"a", "exchange .srpatch-", "later\n"}, {"d", "rename d ", "later\n"},
	} {
		rehearsal, plan, _, _ := fiveFiles(t)
		p := &plug{}
		w := broken(t, rehearsal, testOptions(t), p)
		if _, err := w.Commit(ctx, plan); err != nil {
			t.Fatal(err)
		}
		w.Close()
		at := 1 + slices.IndexFunc(p.ops, func(op string) bool { return strings.HasPrefix(op, c.op) })
		dir, plan, want, _ := fiveFiles(t)
		opt := testOptions(t)
		p = &plug{at: at}
		p.meddle = func() {
			if err := saves["rename"](filepath.Join(dir, c.name), "saved\n"); err != nil {
				t.Error(err)
			}
			p.at, p.meddle = at+1, nil // where it is killed
		}
		w = broken(t, dir, opt, p)
		if _, err := w.Commit(ctx, plan); err == nil {
			t.Fatal("the run survived")
		}
		w.Close()
		w = openTest(t, dir, opt)
		want[c.name] = "saved\n"
		if c.later == "" {
			if _, err := w.Begin(ctx); err != nil {
				t.Errorf("%v: %v", c, err)
			}
			compareTrees(t, readTree(t, dir), want)
			checkState(t, w)
			continue
		}
		writeFiles(t, dir, map[string]string{c.name: c.later})
		want[c.name] = c.later
		if _, err := w.Begin(ctx); reasonOf(err) != RecoveryNeeded {
			t.Errorf("%v: %v, want %s", c, err, RecoveryNeeded)
		}
		if _, err := w.Recover(ctx, RecoverKeep); err != nil {
			t.Errorf("%v: %v", c, err)
		}
		compareTrees(t, readTree(t, dir), want)
		found, _ := filepath.Glob(filepath.Join(w.state.dir, runsDir, "1.saved-*-"+c.name))
		if len(found) != 1 {
			t.Fatalf("%v: the save is not kept: %q", c, found)
		}
		if b, err := os.ReadFile(found[0]); string(b) != "saved\n" {
			t.Errorf("%v: what is kept is %q, %v", c, b, err)
		}
	}
}

// Of two saves during a run the later one is in the tree and the earlier one is named; the other
// files are as before the run.
func TestTwoSavesDuringARunAreNotLost(t *testing.T) {
	ctx := context.Background()
	for _, noJournal := range []bool{true, false} {
		dir, plan, want, _ := fiveFiles(t)
		opt := testOptions(t)
		opt.NoJournal = noJournal
		name, p := filepath.Join(dir, "a"), &plug{}
		save := func(text string) {
			if err := saves["rename"](name, text); err != nil {
				t.Error(err)
			}
		}
		w := broken(t, dir, opt, p)
		if _, err := w.Begin(ctx); err != nil {
			t.Fatal(err)
		}
		p.each = func(op string) {
			if strings.HasPrefix(op, "exchange .srpatch-") && p.at == 0 {
				p.at = p.n + 1 // of what follows, once
				save("first\n")
				p.meddle = func() { save("second\n") }
			}
		}
		_, err := w.Commit(ctx, plan)
		if reasonOf(err) != RollbackFailed ||
			!strings.Contains(err.Error(), "an earlier version may be in "+tempPrefix) {
			t.Errorf("%v, want %s", err, RollbackFailed)
		}
		w.Close()
		want["a"] = "second\n"
		got := readTree(t, dir)
		delete(got, "deep/")
		delete(got, "deep/er/")
		first := 0
		for file, text := range got {
			if strings.Contains(file, tempPrefix) && text == "first\n" {
				first++
			}
		}
		if first != 1 {
			t.Errorf("the first save is in %d files of %q", first, got)
		}
		compareTrees(t, withoutTemps(got), want)
		if noJournal {
			continue
		}
		w = openTest(t, dir, opt)
		if _, err := w.Recover(ctx, RecoverKeep); err != nil {
			t.Error(err)
		}
		compareTrees(t, readTree(t, dir), want)
		if kept, _ := filepath.Glob(filepath.Join(w.state.dir, runsDir, "1.saved-0-a")); len(kept) != 1 {
			t.Error("the first save is not kept")
		}
	}
}
