package workspace

import (
	"os"
	"path/filepath"
	"time"
)

// tidy prunes this tree's log, and the logs of all other trees, after every pruneEvery runs. run is
// the number of the run. The first run of a tree also prunes the others: otherwise short-lived
// trees, such as those of tests, would leave their last runs forever.
func (w *Workspace) tidy(run int) {
	now := time.Now()
	if run%pruneEvery == 0 {
		w.state.prune(w.opt.Keep, now)
	}
	if run == 1 || run%pruneEvery == 0 {
		sweep(filepath.Dir(w.state.dir), filepath.Base(w.state.dir), now.Add(-w.opt.Keep.Age))
	}
}

// sweep removes the logs of the trees, except own, that have had no run since the given time, and
// refused runs that are older. trees is the directory of their states, and own a name there. The
// rest of the states, a few hundred bytes each, stays. It ignores errors.
func sweep(trees, own string, since time.Time) {
	entries, _ := os.ReadDir(trees)
	for _, e := range entries {
		dir := filepath.Join(trees, e.Name())
		if e.Name() == own {
			continue
		}
		info, err := os.Lstat(filepath.Join(dir, runsDir))
		if err != nil || !info.IsDir() {
			continue
		}
		if d, err := openDisk(dir); err == nil {
			s := &state{disk: d, dir: dir}
			if info, err := s.Lstat(refusedFile); err == nil && info.ModTime().Before(since) {
				_ = s.forgetRefused()
			}
			if !info.ModTime().After(since) { // a run changes it by making and renaming files
				s.forgetLog()
			}
			_ = s.Close()
		}
	}
}

// forgetLog removes all runs, oldest first, unless one is open: at work, or to be recovered. A run
// that begins now gets a higher number, so it is not removed.
func (s *state) forgetLog() {
	j := journal{s}
	done, err := j.runs(runDone, runKept)
	if err != nil || len(done) == 0 {
		return
	}
	if open, err := j.runs(runNew, runBegun, runWriting); err != nil || len(open) > 0 {
		return
	}
	s.remove(done)
}
