package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

// runCase is a way in which a run is done.
type runCase struct {
	noJournal, noExchange bool
	check                 func(ctx context.Context, run string) error
}

func passes(context.Context, string) error { return nil }

var errTestFails = errors.New("a test fails")

func fails(context.Context, string) error { return errTestFails }

// run runs a plan. The plug's at counts from the beginning of the run.
func (c runCase) run(t *testing.T, dir string, opt Options, p *plug, plan *apply.Plan) (err error) {
	t.Helper()
	at := p.at
	p.at, p.noExchange = 0, c.noExchange
	opt.NoJournal, opt.Check = c.noJournal, c.check
	w := broken(t, dir, opt, p)
	defer w.Close()
	p.n, p.ops, p.at = 0, nil, at
	_, err = w.Commit(context.Background(), plan)
	return err
}

// resumeAll recovers what interrupted runs have left, and returns how many files are stuck.
func (c runCase) resumeAll(t *testing.T, dir string, opt Options, p *plug) (stuck int, err error) {
	t.Helper()
	at := p.at
	p.at, p.noExchange = 0, c.noExchange
	w := broken(t, dir, opt, p)
	defer w.Close()
	p.n, p.ops, p.at = 0, nil, at
	_, err = w.Begin(context.Background())
	for range strings.Count(fmt.Sprint(err), "was edited after") {
		stuck++
	}
	if stuck > 0 {
		err = nil
	}
	return stuck, err
}

// checkJournal makes sure that no run is open.
func checkJournal(t *testing.T, opt Options, done int) {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(opt.StateDir, "trees/*/runs/*"))
	if len(found) != done {
		t.Errorf("the journal has %q, want %d runs", found, done)
	}
	for _, name := range found {
		if filepath.Base(name) != "1" {
			t.Errorf("%s is left", name)
		}
	}
}

// settled recovers, and looks whether all files are as before or as after, and nothing else is
// there.
func (c runCase) settled(t *testing.T, dir string, opt Options, before, after map[string]string, err error) {
	t.Helper()
	if stuck, err := c.resumeAll(t, dir, opt, &plug{}); err != nil || stuck > 0 {
		t.Errorf("recovery: %v, %d files are stuck", err, stuck)
	}
	changed := outcome(t, dir, before, after)
	if err == nil && !changed {
		t.Error("the run succeeded, and its changes are gone")
	}
	done := 0
	if changed {
		done = 1
	}
	checkJournal(t, opt, done)
}

// TestEveryFault breaks every operation of a run over five files, with and without exchange, check
// and journal, and looks at the tree right after an error, and after the next run's start.
func TestEveryFault(t *testing.T) {
	points := 0
	for _, c := range []runCase{
		{}, {noExchange: true}, {check: passes}, {check: fails}, {check: fails, noExchange: true},
		{noJournal: true}, {noJournal: true, noExchange: true, check: fails},
	} {
		for i, b := range breakages {
			if c.noJournal && (b.fault == nil || b.sticky) {
				continue // a crash is what the journal is for
			}
			step := effort.Of(13, 3, 1)
			for at := 1 + i%step; ; at += step {
				p := &plug{at: at, fault: b.fault, after: b.after, sticky: b.sticky}
				opt := Options{StateDir: filepath.Join(memoryDir(t), "state")}
				dir, plan, before, after := fiveFiles(t)
				err := c.run(t, dir, opt, p, plan)
				if b.fault != nil && !b.sticky && reasonOf(err) != RollbackFailed {
					if changed := outcome(t, dir, before, after); changed != (err == nil) {
						t.Errorf("changed: %v, although the error is: %v", changed, err)
					}
				}
				if !c.noJournal {
					c.settled(t, dir, opt, before, after, err)
				}
				if t.Failed() {
					t.Fatalf("%s at operation %d, %s (%+v): %v", b.name, at, p.ops[min(at, len(p.ops))-1], c, err)
				}
				if p.n < at {
					break
				}
				points++
			}
		}
	}
	t.Logf("%d points tried", points)
}

// TestEveryFaultOfRecovery kills a run and then its recovery, at many operations of both.
func TestEveryFaultOfRecovery(t *testing.T) {
	points := 0
	step := effort.Of(41, 15, 3)
	for _, c := range []runCase{{}, {noExchange: true}, {check: passes}, {check: fails}} {
		for at := 1; ; at += step {
			reached := false
			for again := 1; ; again += max(1, step/3) {
				opt := Options{StateDir: filepath.Join(memoryDir(t), "state")}
				dir, plan, before, after := fiveFiles(t)
				p, p2 := &plug{at: at, after: at%2 == 0}, &plug{at: again, after: again/2%2 == 0}
				err := c.run(t, dir, opt, p, plan)
				reached = p.n >= at
				_, _ = c.resumeAll(t, dir, opt, p2)
				c.settled(t, dir, opt, before, after, err)
				if t.Failed() {
					t.Fatalf("killed at operation %d, %s, and in recovery at %d, %s (%+v)", at,
						p.ops[len(p.ops)-1], again, p2.ops[len(p2.ops)-1], c)
				}
				if p2.n < again {
					break
				}
				points++
			}
			if !reached {
				break
			}
		}
	}
	t.Logf("%d points tried", points)
}

// TestSaveAtEveryOperation saves a file, as editors do, at every operation of a run: the save stays, and the
// other files are all as before or all as after. If the run is killed later, that holds as well,
// unless a file is stuck: then the save is somewhere.
func TestSaveAtEveryOperation(t *testing.T) {
	points, stale, stucks := 0, 0, 0
	for _, c := range []runCase{{}, {check: passes}, {check: fails}} {
		for _, name := range []string{"a", "sub/b", "d", "e", "deep/er/c"} {
			for _, gap := range []int{0, 1, 2, 5, 13} { // operations until the run is killed; 0 is never
				for at := 1 + gap%2; ; at += effort.Of(17, 5, 1) {
					opt := Options{StateDir: filepath.Join(memoryDir(t), "state")}
					dir, plan, before, after := fiveFiles(t)
					p := &plug{at: at}
					there := true
					p.meddle = func() {
						writeFiles(t, dir, map[string]string{"meddled": "meddled\n"})
						to := filepath.Join(dir, name)
						there = os.Rename(filepath.Join(dir, "meddled"), to) == nil
						if p.at, p.meddle = 0, nil; gap > 0 {
							p.at = at + gap
						}
						if !there {
							_ = os.Remove(filepath.Join(dir, "meddled")) // its directory is not there yet
						}
					}
					err := c.run(t, dir, opt, p, plan)
					if p.meddle != nil {
						break
					}
					if reasonOf(err) == CheckKept {
						err = nil
					}
					stuck, resumeErr := c.resumeAll(t, dir, opt, &plug{})
					if resumeErr != nil {
						t.Errorf("recovery: %v", resumeErr)
					}
					got := readTree(t, dir)
					if stuck > 0 {
						stucks++
						if gap == 0 && !errors.Is(err, errTestFails) { // a save after the check is one like any later
							t.Errorf("a file is stuck: %v", err)
						}
						found := false
						for _, text := range got {
							found = found || text == "meddled\n"
						}
						if !found {
							t.Errorf("the save is lost: %q", got)
						}
					} else {
						if there {
							before[name], after[name] = "meddled\n", "meddled\n"
						}
						if _, ok := got["deep/"]; ok {
							before["deep/"], before["deep/er/"] = "", ""
						}
						changed := outcome(t, dir, before, after)
						if err == nil && !changed {
							t.Error("the run succeeded, and its changes are gone")
						}
						if gap == 0 && (err == nil) != changed {
							t.Errorf("changed: %v, %v", changed, err)
						}
						for file := range got {
							if strings.Contains(file, tempPrefix) {
								t.Errorf("%s is left", file)
							}
						}
					}
					if gap == 0 && err != nil && reasonOf(err) != apply.Stale && !errors.Is(err, errTestFails) {
						t.Errorf("%v, want %s", err, apply.Stale)
					}
					if reasonOf(err) == apply.Stale {
						stale++
					}
					if t.Failed() {
						t.Fatalf("%s saved at operation %d, %s, killed %d later (check %v): %v",
							name, at, p.ops[at-1], gap, c.check != nil, err)
					}
					points++
				}
			}
		}
	}
	t.Logf("%d points tried, %d runs were stale, %d stuck", points, stale, stucks)
	if stale == 0 {
		t.Error("no run was stale")
	}
}

// TestSyncs: a run over one file waits for the disk six times at most.
func TestSyncs(t *testing.T) {
	dir := memoryDir(t)
	writeFiles(t, dir, map[string]string{"a": "old\n"})
	opt := testOptions(t)
	if err := (runCase{}).run(t, dir, opt, &plug{},
		planOf(change("a", []byte("old\n"), []byte("older\n")))); err != nil {
		t.Fatal(err)
	}
	p := &plug{}
	if err := (runCase{}).run(t, dir, opt, p, planOf(change("a", []byte("older\n"), []byte("new\n")))); err != nil {
		t.Fatal(err)
	}
	syncs := 0
	for _, op := range p.ops {
		if strings.HasPrefix(op, "fsync ") {
			syncs++
		}
	}
	t.Logf("%d operations, %d syncs", len(p.ops), syncs)
	if syncs > 6 {
		t.Errorf("%d syncs: %q", syncs, p.ops)
	}
}
