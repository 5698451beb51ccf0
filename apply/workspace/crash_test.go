package workspace

import (
	"context"
	"errors"
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

// TestMain lets the test binary be a process that does one run and is killed in it, or that appends lines.
func TestMain(m *testing.M) {
	switch os.Getenv("SRPATCH_TEST_PROCESS") {
	case "killed":
		killedProcess()
	case "appends":
		appendingProcess()
	default:
		os.Exit(m.Run())
	}
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
		err := process("killed", "SRPATCH_TEST_DIR="+dir, "SRPATCH_TEST_STATE="+opt.StateDir, "SRPATCH_TEST_AT="+strconv.Itoa(at)).Run()
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

func appendingProcess() {
	line := []byte(os.Getenv("SRPATCH_TEST_LINE") + "\n")
	for range 5 {
		if err := appendLine(os.Getenv("SRPATCH_TEST_DIR"), os.Getenv("SRPATCH_TEST_STATE"), line); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
	}
}

func appendLine(dir, state string, line []byte) error {
	w, err := Open(dir, Options{StateDir: state})
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := w.Begin(context.Background()); err != nil {
		return err
	}
	var changes []apply.FileChange
	for _, name := range []string{"one", "two"} {
		old, err := w.ReadFile(name)
		if err != nil {
			return err
		}
		changes = append(changes, change(name, old, append(old[:len(old):len(old)], line...)))
	}
	_, err = w.Commit(context.Background(), planOf(changes...))
	return err
}

// TestConcurrentRuns: runs that begin before they read are serialised, in one process and across processes.
func TestConcurrentRuns(t *testing.T) {
	for _, n := range []int{2, 8} {
		dir, state := memoryDir(t), filepath.Join(memoryDir(t), "state")
		writeFiles(t, dir, map[string]string{"one": "", "two": ""})
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				line := strconv.Itoa(i)
				if i%2 == 0 {
					out, err := process("appends", "SRPATCH_TEST_DIR="+dir, "SRPATCH_TEST_STATE="+state, "SRPATCH_TEST_LINE="+line).CombinedOutput()
					if err != nil {
						t.Errorf("process %d: %v, %s", i, err, out)
					}
					return
				}
				for range 5 {
					if err := appendLine(dir, state, []byte(line+"\n")); err != nil {
						t.Errorf("run %d: %v", i, err)
					}
				}
			})
		}
		all.Wait()
		tree := readTree(t, dir)
		if tree["one"] != tree["two"] || len(tree["one"]) != n*5*2 || len(tree) != 2 {
			t.Errorf("%d runs at a time: %q", n, tree)
		}
		w := openTest(t, dir, Options{StateDir: state})
		if runs, err := w.Log(); err != nil || len(runs) != n*5 {
			t.Errorf("%d runs at a time: %d in the log (%v)", n, len(runs), err)
		}
	}
}

// TestLocked: who cannot wait learns who is writing.
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
	if reasonOf(err) != Locked || !containsNumber(err.Error(), os.Getpid()) {
		t.Errorf("%v, want one that names process %d", err, os.Getpid())
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

func containsNumber(s string, n int) bool { return strings.Contains(s, " "+strconv.Itoa(n)+" ") }
