//go:build unix

package workspace

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

// modelRun is what the model knows of a run: the files it put and those that were there before. Absent files are missing.
type modelRun struct {
	number        int
	names         []string
	before, after map[string]string
}

// model is the tree, and its log, as they must be.
type model struct {
	files   map[string]string
	last    int        // number of the newest run
	applied []modelRun // in force, by number
	undone  []modelRun // in the order of their undoing
}

// put returns files with the named ones replaced by content.
func put(files map[string]string, names []string, content map[string]string) map[string]string {
	files = maps.Clone(files)
	for _, n := range names {
		delete(files, n)
		if c, ok := content[n]; ok {
			files[n] = c
		}
	}
	return files
}

// step does one random thing to the workspace. It returns what the files must be if that succeeds, and what the model has to
// note then; no files when it must fail.
func (m *model) step(rnd *rand.Rand, w *Workspace, i int) (verb string, next map[string]string, note func(), err error) {
	ctx := context.Background()
	switch rnd.IntN(4) {
	case 0:
		_, err = w.Undo(ctx, "", UndoOptions{})
		n := len(m.applied) - 1
		if n < 0 {
			return "undo", nil, nil, err
		}
		r := m.applied[n]
		if !maps.Equal(put(m.files, r.names, r.after), m.files) {
			return "undo", nil, nil, err
		}
		return "undo", put(m.files, r.names, r.before), func() {
			m.applied, m.undone = m.applied[:n], append(m.undone, r)
		}, err
	case 1:
		_, err = w.Redo(ctx, "", UndoOptions{})
		n := len(m.undone) - 1
		if n < 0 {
			return "redo", nil, nil, err
		}
		r := m.undone[n]
		if !maps.Equal(put(m.files, r.names, r.before), m.files) {
			return "redo", nil, nil, err
		}
		return "redo", put(m.files, r.names, r.after), func() {
			m.undone, m.applied = m.undone[:n], append(m.applied, r)
			slices.SortFunc(m.applied, func(a, b modelRun) int { return a.number - b.number })
		}, err
	}
	plan, r := randomPlan(rnd, m.files, i)
	_, err = w.Commit(ctx, plan)
	return "apply", put(m.files, r.names, r.after), func() {
		r.number = m.last
		m.applied = append(m.applied, r)
	}, err
}

// randomPlan changes, makes and removes one to five of ten files.
func randomPlan(rnd *rand.Rand, files map[string]string, i int) (*apply.Plan, modelRun) {
	plan := planOf()
	r := modelRun{before: map[string]string{}, after: map[string]string{}}
	for _, n := range rnd.Perm(10)[:1+rnd.IntN(5)] {
		name := fmt.Sprintf("%d", n)
		if n%2 == 1 {
			name = fmt.Sprintf("dir%d/sub/%d", n%4, n)
		}
		r.names = append(r.names, name)
		var before, after []byte
		if old, ok := files[name]; ok {
			before, r.before[name] = []byte(old), old
		}
		if before == nil || rnd.IntN(4) > 0 {
			after = fmt.Appendf(nil, "run %d%s\n", i, strings.Repeat(" more", rnd.IntN(5)))
			r.after[name] = string(after)
		}
		plan.Files = append(plan.Files, change(name, before, after))
	}
	return plan, r
}

// TestRandomRuns does random runs, undos and redos, a third of them killed at a random operation, and compares the
// tree with a model after each. SRPATCH_SEED chooses which.
func TestRandomRuns(t *testing.T) {
	runs := effort.Of(200, 500, 10_000)
	seed, _ := strconv.Atoi(os.Getenv("SRPATCH_SEED"))
	rnd := rand.New(rand.NewPCG(uint64(seed), 0))
	dir, states := memoryDir(t), memoryDir(t)
	m := &model{files: map[string]string{}}
	var opt Options
	counts := map[string]int{}
	for i := range runs {
		if i%100 == 0 { // a new log, so that reading it does not take the most time
			opt.StateDir = filepath.Join(states, strconv.Itoa(i))
			m.applied, m.undone, m.last = nil, nil, 0
		}
		p := &plug{}
		if rnd.IntN(3) == 0 {
			p.at, p.after = 1+rnd.IntN(150), rnd.IntN(2) == 0
		}
		w := broken(t, dir, opt, p)
		verb, next, note, err := m.step(rnd, w, i)
		w.Close()

		w = broken(t, dir, opt, &plug{})
		if _, err := w.Begin(context.Background()); err != nil {
			t.Fatalf("run %d of seed %d, %s: recovery: %v", i, seed, verb, err)
		}
		checkState(t, w)
		log, logErr := w.Log()
		if logErr != nil {
			t.Fatal(logErr)
		}
		w.Close()
		newest := 0
		if n := slices.IndexFunc(log, func(r Run) bool { return !r.Interrupted }); n >= 0 {
			newest, _ = strconv.Atoi(log[n].ID)
		}
		committed := newest > m.last
		if p.dead {
			counts["killed"]++
		} else if committed != (err == nil) || committed != (next != nil) {
			t.Fatalf("run %d of seed %d, %s: %v; committed: %v, possible: %v", i, seed, verb, err, committed, next != nil)
		}
		if committed {
			counts[verb]++
			m.last, m.files = newest, next
			note()
		}
		got := readTree(t, dir)
		maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
		compareTrees(t, got, m.files)
		if t.Failed() {
			t.Fatalf("run %d of seed %d, %s, killed: %v", i, seed, verb, p.dead)
		}
	}
	t.Logf("%d runs, of them %v", runs, counts)
}
