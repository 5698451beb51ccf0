package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/effort"
)

// TestMain lets the test binary be a process that does one run and is killed in it, or that appends
// lines.
func TestMain(m *testing.M) {
	switch os.Getenv("SRPATCH_TEST_PROCESS") {
	case "":
		os.Exit(m.Run())
	case "killed":
		killedProcess()
	case "appends":
		appendingProcess()
	default:
		fmt.Fprintln(os.Stderr, "SRPATCH_TEST_PROCESS is for the processes that tests start; unset it")
		os.Exit(2)
	}
	os.Exit(0)
}

// process starts the test binary for something else than tests.
func process(what string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "SRPATCH_TEST_PROCESS="+what), env...)
	return cmd
}

var killedPlan = []apply.FileChange{
	change("a", []byte("a old\n"), []byte("a new\n")), change("s/b", []byte("b old\n"), []byte("b new\n")),
	change("deep/er/c", nil, []byte("c new\n")), change("d", []byte("d old\n"), nil),
	change("e", []byte("e old, and longer than the new one\n"), []byte("e new\n")),
}

// notKilled is the exit status of a process that has failed otherwise.
const notKilled = 3

func killedProcess() {
	at, _ := strconv.Atoi(os.Getenv("SRPATCH_TEST_AT"))
	p := &plug{at: at, after: at%2 == 0, kill: func() {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	}}
	w, err := open(os.Getenv("SRPATCH_TEST_DIR"), Options{StateDir: os.Getenv("SRPATCH_TEST_STATE")}, p.wrap)
	if err == nil {
		_, err = w.Commit(context.Background(), planOf(killedPlan...))
	}
	if err != nil {
		os.Exit(notKilled)
	}
}

// TestSIGKILL kills real processes, whose locks the system has to release.
func TestSIGKILL(t *testing.T) {
	step := effort.Of(20, 3, 1)
	killed := 0
	for at := 1; ; at += step {
		dir, _, before, after := fiveFiles(t)
		opt := Options{StateDir: filepath.Join(memoryDir(t), "state")}
		err := process("killed", "SRPATCH_TEST_DIR="+dir, "SRPATCH_TEST_STATE="+opt.StateDir,
			"SRPATCH_TEST_AT="+strconv.Itoa(at)).Run()
		if err == nil {
			if tree := readTree(t, dir); !sameTree(tree, after) {
				t.Error("the whole run has not happened")
			}
			break
		}
		if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() == notKilled {
			t.Fatalf("operation %d: %v, want a SIGKILL", at, err)
		}
		killed++
		opt.LockWait = -1
		w := openTest(t, dir, opt)
		if _, err := w.Begin(context.Background()); err != nil {
			t.Fatalf("killed at operation %d: %v", at, err)
		}
		outcome(t, dir, before, after)
		checkState(t, w)
		w.Close()
		if t.Failed() {
			t.Fatalf("killed at operation %d", at)
		}
	}
	t.Logf("%d processes killed", killed)
}

// appender is who appends lines to the files one and two, several times.
type appender struct {
	root, below string // what is opened, and where the files are below it
	opt         Options
}

func appendingProcess() {
	a := appender{os.Getenv("SRPATCH_TEST_DIR"), os.Getenv("SRPATCH_TEST_BELOW"),
		Options{StateDir: os.Getenv("SRPATCH_TEST_STATE"), NoJournal: os.Getenv("SRPATCH_TEST_NO_JOURNAL") != ""}}
	for range 5 {
		if err := a.appendLine([]byte(os.Getenv("SRPATCH_TEST_LINE") + "\n")); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	}
}

func (a appender) process(line string) *exec.Cmd {
	cmd := process("appends", "SRPATCH_TEST_DIR="+a.root, "SRPATCH_TEST_BELOW="+a.below,
		"SRPATCH_TEST_STATE="+a.opt.StateDir, "SRPATCH_TEST_LINE="+line)
	if a.opt.NoJournal {
		cmd.Env = append(cmd.Env, "SRPATCH_TEST_NO_JOURNAL=1")
	}
	return cmd
}

func (a appender) appendLine(line []byte) error {
	w, err := Open(a.root, a.opt)
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := w.Begin(context.Background()); err != nil {
		return err
	}
	var changes []apply.FileChange
	for _, name := range []string{"one", "two"} {
		name = filepath.Join(a.below, name)
		old, err := w.ReadFile(name)
		if err != nil {
			return err
		}
		changes = append(changes, change(name, old, append(old[:len(old):len(old)], line...)))
	}
	_, err = w.Commit(context.Background(), planOf(changes...))
	return err
}

// appendAll lets n of the appenders, in turn, append their lines at the same time, half of them in
// processes of their own, and looks for the lines.
func appendAll(t *testing.T, dir string, n int, appenders ...appender) {
	t.Helper()
	writeFiles(t, dir, map[string]string{"one": "", "two": ""})
	var all sync.WaitGroup
	for i := range n {
		a, line := appenders[i%len(appenders)], string(rune('a'+i))
		all.Go(func() {
			if i/len(appenders)%2 == 0 {
				if out, err := a.process(line).CombinedOutput(); err != nil {
					t.Errorf("process %d: %v, %s", i, err, out)
				}
				return
			}
			for range 5 {
				if err := a.appendLine([]byte(line + "\n")); err != nil {
					t.Errorf("run %d: %v", i, err)
				}
			}
		})
	}
	all.Wait()
	tree := readTree(t, dir)
	if tree["one"] != tree["two"] || len(tree) != 2 {
		t.Errorf("%d at a time: %q", n, tree)
	}
	for i := range n {
		if got := strings.Count(tree["one"], string(rune('a'+i))); got != 5 {
			t.Errorf("%d at a time: %d of 5 lines of %d are there", n, got, i)
		}
	}
}

// TestConcurrentRuns: runs that begin before they read are serialised, in one process and across
// processes.
func TestConcurrentRuns(t *testing.T) {
	for _, n := range []int{2, 8} {
		dir, opt := memoryDir(t), Options{StateDir: filepath.Join(memoryDir(t), "state")}
		appendAll(t, dir, n, appender{root: dir, opt: opt})
		w := openTest(t, dir, opt)
		if runs, err := w.Log(); err != nil || len(runs) != n*5 {
			t.Errorf("%d runs at a time: %d in the log (%v)", n, len(runs), err)
		}
	}
}

// No edit is lost of runs that share no state: on roots that lie in each other, with other state
// directories, and without any.
func TestRunsWithoutACommonStateLoseNoEdit(t *testing.T) {
	outer := memoryDir(t)
	state := func(name string) Options { return Options{StateDir: filepath.Join(memoryDir(t), name)} }
	none := Options{NoJournal: true, StateDir: "/dev/null/state"}
	for name, appenders := range map[string][]appender{
		"nested roots": {{root: outer, below: "nested/in", opt: state("a")},
			{root: filepath.Join(outer, "nested/in"), opt: state("a")}},
		"state directories": {{root: filepath.Join(outer, "states"), opt: state("a")},
			{root: filepath.Join(outer, "states"), opt: state("b")}},
		"no state": {{root: filepath.Join(outer, "none"), opt: none}},
		"all of them": {{root: filepath.Join(outer, "all"), below: "in", opt: state("a")},
			{root: filepath.Join(outer, "all/in"), opt: state("b")},
			{root: outer, below: "all/in", opt: none}},
	} {
		t.Run(name, func(t *testing.T) {
			appendAll(t, filepath.Join(appenders[0].root, appenders[0].below), effort.Of(6, 6, 24), appenders...)
		})
	}
}

// A recovery without any state has nothing to do, and hinders nobody afterwards.
func TestRecoveryWithoutStateKeepsNoLock(t *testing.T) {
	dir, none := t.TempDir(), Options{NoJournal: true, StateDir: "/dev/null/state", LockWait: -1}
	first := openTest(t, dir, none)
	if done, err := first.Recover(context.Background(), RecoverAuto); err != nil || len(done) > 0 {
		t.Errorf("Recover: %+v, %v", done, err)
	}
	if _, err := openTest(t, dir, none).Begin(context.Background()); err != nil {
		t.Errorf("Begin: %v", err)
	}
}

// TestLocked: who cannot wait learns that somebody is writing.
func TestLocked(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a": "old\n"})
	opt := testOptions(t)
	first := openTest(t, dir, opt)
	if _, err := first.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	opt.LockWait = -1
	second := openTest(t, dir, opt)
	plan := planOf(change("a", []byte("old\n"), []byte("new\n")))
	_, err := second.Commit(ctx, plan)
	if reasonOf(err) != Locked {
		t.Errorf("%v, want %s", err, Locked)
	}
	if pending, err := second.Pending(); err != nil || len(pending) > 0 {
		t.Errorf("Pending: %v, %v", pending, err)
	}
	opt.LockWait = time.Minute
	ended, end := context.WithCancel(ctx)
	end()
	if _, err := openTest(t, dir, opt).Begin(ended); !errors.Is(err, context.Canceled) || reasonOf(err) == Locked {
		t.Errorf("%v, want one that says that waiting was ended", err)
	}
	if _, err := first.Commit(ctx, plan); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Commit(ctx, plan); reasonOf(err) != apply.Stale {
		t.Errorf("%v, want %s", err, apply.Stale)
	}
}
