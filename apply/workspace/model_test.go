package workspace

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

// modelRun is what the model knows of a run: the files it put and those that were there before.
// Absent files are missing.
type modelRun struct {
	number        int
	names         []string
	before, after map[string]string
}

// undoneRun is a run that an undo has undone, and what the files held before that.
type undoneRun struct {
	run modelRun
	was map[string]string
}

// undoable reports whether each file holds what the run has put, or what was there before.
func (r *modelRun) undoable(files map[string]string) bool {
	return !slices.ContainsFunc(r.names,
		func(n string) bool { return !holds(n, files, r.after) && !holds(n, files, r.before) })
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

// holds reports whether the named file is the same in both.
func holds(name string, a, b map[string]string) bool {
	x, inA := a[name]
	y, inB := b[name]
	return inA == inB && x == y
}

// writer is somebody who works on the tree, or on a part of it, and remembers it in a place of his
// own.
type writer struct {
	root  string // below the tree
	opt   Options
	model writerModel
}

// writerModel is what the log of a writer must be.
type writerModel struct {
	last    int         // number of the newest run
	applied []modelRun  // in force, by number
	undone  []undoneRun // in the order of their undoing
	open    *openModel  // the run that was killed, and is not recovered yet
}

// openModel is a killed run.
type openModel struct {
	run     modelRun
	reached map[string]bool // files that it has replaced for certain
	written bool
	note    func(number int)
}

// world is the tree as it must be, and those who change it.
type world struct {
	t       *testing.T
	rnd     *rand.Rand
	dir     string
	files   map[string]string
	writers []*writer
	counts  map[string]int
	step    int
}

// names are the files that a writer may change.
func (w *writer) names() (names []string) {
	for n := range 10 {
		name := strconv.Itoa(n)
		if n%2 == 1 {
			name = fmt.Sprintf("dir%d/sub/%d", n%4, n)
		}
		if n > 3 {
			name = "in/" + name
		}
		if w.root == "" || strings.HasPrefix(name, w.root+"/") {
			names = append(names, name)
		}
	}
	return names
}

// planned is a random plan that changes, makes and removes one to five files.
func (m *world) planned(w *writer) (*apply.Plan, modelRun) {
	plan := planOf()
	r := modelRun{before: map[string]string{}, after: map[string]string{}}
	names := w.names()
	for _, n := range m.rnd.Perm(len(names))[:1+m.rnd.IntN(5)] {
		name := names[n]
		r.names = append(r.names, name)
		var before, after []byte
		if old, ok := m.files[name]; ok {
			before, r.before[name] = []byte(old), old
		}
		if before == nil || m.rnd.IntN(4) > 0 {
			after = fmt.Appendf(nil, "step %d%s\n", m.step, strings.Repeat(" more", m.rnd.IntN(5)))
			r.after[name] = string(after)
		}
		below, _ := filepath.Rel(path.Join("/", w.root), "/"+name)
		plan.Files = append(plan.Files, change(below, before, after))
	}
	return plan, r
}

// act lets a writer do one random thing. It returns what that has put if it succeeds, and what the
// model has to note then; nil when it must fail.
func (m *world) act(w *writer, ws *Workspace) (verb string, r *modelRun, note func(number int), err error) {
	ctx := context.Background()
	is := &w.model
	switch m.rnd.IntN(4) {
	case 0:
		_, err = ws.Undo(ctx, "", UndoOptions{})
		n := len(is.applied) - 1
		if n < 0 || !is.applied[n].undoable(m.files) {
			return "undo", nil, nil, err
		}
		r, was := is.applied[n], m.files
		return "undo", &modelRun{names: r.names, before: m.files, after: r.before}, func(int) {
			is.applied, is.undone = is.applied[:n], append(is.undone, undoneRun{r, was})
		}, err
	case 1:
		_, err = ws.Redo(ctx, "", UndoOptions{})
		n := len(is.undone) - 1
		if n < 0 {
			return "redo", nil, nil, err
		}
		u := is.undone[n]
		r := modelRun{names: u.run.names, before: u.run.before, after: u.was}
		if !r.undoable(m.files) {
			return "redo", nil, nil, err
		}
		return "redo", &modelRun{names: r.names, before: m.files, after: r.after}, func(int) {
			is.undone, is.applied = is.undone[:n], append(is.applied, u.run)
			slices.SortFunc(is.applied, func(a, b modelRun) int { return a.number - b.number })
		}, err
	}
	plan, run := m.planned(w)
	_, err = ws.Commit(ctx, plan)
	return "apply", &run, func(number int) {
		run.number = number
		is.applied = append(is.applied, run)
	}, err
}

// compare looks whether the tree is as the model says. Temporary files of killed runs are there
// until their writer is back.
func (m *world) compare(what string) {
	m.t.Helper()
	got := m.tree()
	if compareTrees(m.t, got, m.files); m.t.Failed() {
		m.t.Fatalf("step %d, %s", m.step, what)
	}
}

func (m *world) tree() map[string]string {
	got := withoutTemps(readTree(m.t, m.dir))
	maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
	return got
}

// edit is what somebody does by hand.
func (m *world) edit() {
	names := m.writers[0].names()
	name := names[m.rnd.IntN(len(names))]
	if m.rnd.IntN(3) == 0 {
		delete(m.files, name)
		_ = os.Remove(filepath.Join(m.dir, name))
		return
	}
	m.files[name] = fmt.Sprintf("edit %d\n", m.step)
	writeFiles(m.t, m.dir, map[string]string{name: m.files[name]})
}

// committed is the number of a writer's newest run that is in the log and was not interrupted.
func (m *world) committed(ws *Workspace) (newest int) {
	runs, err := ws.Log()
	if err != nil {
		m.t.Fatal(err)
	}
	if n := slices.IndexFunc(runs, func(r Run) bool { return !r.Interrupted }); n >= 0 {
		newest, _ = strconv.Atoi(runs[n].ID)
	}
	return newest
}

// recover lets a writer come back to a run that was killed, be it to be killed again first.
func (m *world) recover(w *writer) {
	ctx := context.Background()
	if m.rnd.IntN(3) == 0 {
		ws := broken(m.t, filepath.Join(m.dir, w.root), w.opt, &plug{at: 1 + m.rnd.IntN(60), after: m.rnd.IntN(2) == 0})
		_, _ = ws.Begin(ctx)
		_ = ws.Close()
	}
	ws := broken(m.t, filepath.Join(m.dir, w.root), w.opt, &plug{})
	defer ws.Close()
	_, err := ws.Begin(ctx)
	if o := w.model.open; o != nil {
		next, asked, whole := m.recovered(o, RecoverAuto)
		if asked != (reasonOf(err) == RecoveryNeeded) {
			m.t.Fatalf("step %d: %v, which is expected: %v", m.step, err, asked)
		}
		if asked {
			mode := []RecoverMode{RecoverKeep, RecoverRestore}[m.rnd.IntN(2)]
			m.compare("nothing is decided")
			next, _, whole = m.recovered(o, mode)
			_, err = ws.Recover(ctx, mode)
			m.counts["asked"]++
		}
		if m.files = next; whole {
			m.counts["completed"]++
			o.note(o.run.number)
			w.model.last = o.run.number
		}
		w.model.open = nil
		m.counts["recovered"]++
	}
	if err != nil {
		m.t.Fatalf("step %d: recovery: %v", m.step, err)
	}
	checkState(m.t, ws)
	m.compare("recovered")
	if newest := m.committed(ws); newest != w.model.last {
		m.t.Fatalf("step %d: run %d is in the log, want %d", m.step, newest, w.model.last)
	}
}

// recovered is what a recovery makes of the files of a killed run, whether it has to ask first, and
// whether the run is complete.
func (m *world) recovered(o *openModel, mode RecoverMode) (next map[string]string, asks, whole bool) {
	if !o.written {
		return m.files, false, false
	}
	r := &o.run
	var after, edited []string
	whole = true
	some := false
	for _, n := range r.names {
		_, makes := r.after[n]
		switch isBefore, isAfter := holds(n, m.files, r.before), holds(n, m.files, r.after); {
		case isBefore && isAfter: // it does not show how far the run has come
		case isBefore:
			whole = false
		case isAfter:
			some = true
			if makes || o.reached[n] { // else somebody has removed it before the run came to it
				after = append(after, n)
			}
		case !o.reached[n]: // its new content, or the mark of its removal, waits
			whole = false
		default:
			edited = append(edited, n)
		}
	}
	whole = whole && some
	switch {
	case whole && (len(edited) == 0 || mode == RecoverKeep):
		return m.files, false, true
	case len(edited) > 0 && mode == RecoverAuto:
		return m.files, true, false
	case mode == RecoverRestore:
		after = append(after, edited...)
	}
	return put(m.files, after, r.before), false, false
}

// run lets a writer do something, and be killed in it.
func (m *world) run(w *writer) {
	p := &plug{}
	if m.rnd.IntN(3) == 0 {
		p.at, p.after = 1+m.rnd.IntN(200), m.rnd.IntN(2) == 0
	}
	ws := broken(m.t, filepath.Join(m.dir, w.root), w.opt, p)
	verb, r, note, err := m.act(w, ws)
	_ = ws.Close()
	ws = broken(m.t, filepath.Join(m.dir, w.root), w.opt, &plug{})
	defer ws.Close()
	newest := m.committed(ws)
	committed := newest > w.model.last
	switch {
	case committed && r != nil:
		m.files, w.model.last = put(m.files, r.names, r.after), newest
		note(newest)
		m.counts[verb]++
	case p.dead && r != nil:
		m.killed(w, ws, r, note)
	case (err == nil) != (r != nil) || committed:
		m.t.Fatalf("step %d, %s: %v; possible: %v", m.step, verb, err, r != nil)
	}
	m.compare(verb)
}

// killed takes over what a killed run has left: each of its files is as before or as after it.
func (m *world) killed(w *writer, ws *Workspace, r *modelRun, note func(int)) {
	m.counts["killed"]++
	got := m.tree()
	o := &openModel{run: *r, reached: map[string]bool{}, note: note}
	for _, n := range r.names {
		before, after := holds(n, got, r.before), holds(n, got, r.after)
		if !before && !after {
			m.t.Fatalf("step %d: %s was killed halfway: %q", m.step, n, got[n])
		}
		o.reached[n] = after
	}
	m.files = put(m.files, r.names, got)
	s, err := ws.openState(false)
	if err != nil || s == nil {
		return // there was no time to make one
	}
	runs, err := s.runs(runBegun, runWriting)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, found := range runs {
		rec, err := s.load(found)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, f := range rec.Files {
			// A new file has both its names for a moment. What is made of it then counts as there
			// before.
			temp, err := os.ReadFile(filepath.Join(m.dir, w.root, string(f.Temp)))
			if name := path.Join(w.root, string(f.Real)); err == nil && string(temp) == r.after[name] {
				o.reached[name] = false
			}
		}
		o.run.number, o.written = found.number, found.state == runWriting
		w.model.open = o
	}
}

// TestRandomRuns does random runs, undos, redos and edits by hand on one tree, through two roots
// that lie in each other with two state directories each. A third of the runs are killed at a
// random operation, and are recovered when their writer is back: until then others work on what
// they have left. The tree is compared with a model after each step. SRPATCH_SEED chooses which.
func TestRandomRuns(t *testing.T) {
	steps := effort.Of(200, 500, 10_000)
	seed, _ := strconv.Atoi(os.Getenv("SRPATCH_SEED"))
	m := &world{t: t, rnd: rand.New(rand.NewPCG(uint64(seed), 0)), dir: memoryDir(t),
		files: map[string]string{}, counts: map[string]int{}}
	if err := os.Mkdir(filepath.Join(m.dir, "in"), 0o777); err != nil {
		t.Fatal(err)
	}
	states := memoryDir(t)
	for m.step = range steps {
		if m.step%100 == 0 { // new logs, so that reading them does not take the most time
			m.allBack()
			m.writers = nil
			for _, state := range []string{"a", "b"} {
				for _, root := range []string{"", "in"} {
					opt := Options{StateDir: filepath.Join(states, strconv.Itoa(m.step), state)}
					m.writers = append(m.writers, &writer{root: root, opt: opt})
				}
			}
		}
		if m.rnd.IntN(6) == 0 {
			m.edit()
			m.counts["edit"]++
			continue
		}
		w := m.writers[m.rnd.IntN(len(m.writers))]
		m.recover(w)
		m.run(w)
	}
	m.allBack()
	t.Logf("%d steps of seed %d, of them %v", steps, seed, m.counts)
}

// allBack recovers what is open. Nothing but the files is in the tree then.
func (m *world) allBack() {
	for _, w := range m.writers {
		m.recover(w)
	}
	for name := range readTree(m.t, m.dir) {
		if strings.Contains(name, tempPrefix) {
			m.t.Fatalf("step %d: %s is left", m.step, name)
		}
	}
}
