//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/srpatch/srpatch/internal/effort"
)

// session is srpatch on a terminal, which is all that it has for stdin, stdout and stderr.
type session struct {
	t      *testing.T
	cmd    *exec.Cmd
	screen *os.File
	shown  strings.Builder
}

// startOnTerminal starts srpatch on a terminal without colours, in a directory.
func startOnTerminal(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	return startOn(t, pty.Winsize{Rows: 24, Cols: 80}, []string{"NO_COLOR=1", "TERM=dumb"}, nil, dir, args...)
}

// startOn starts srpatch on a terminal of a size, which is all of its streams, except for a stdin
// that is given.
func startOn(t *testing.T, size pty.Winsize, env []string, stdin *os.File, dir string, args ...string) *session {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "srpatch")
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	// The terminal forgets what isn't read yet when the leader of its session ends. That is a shell,
	// which waits until the test is over.
	const leader = `trap : INT; "$@"; printf '\036%d\036' $?; read line </dev/tty`
	s := &session{t: t, cmd: exec.Command("sh", append([]string{"-c", leader, "sh", bin}, args...)...)}
	s.cmd.Dir = dir
	if stdin != nil {
		s.cmd.Stdin = stdin
	}
	s.cmd.Env = append(os.Environ(), "SRPATCH_SCHEMA=", "XDG_STATE_HOME="+t.TempDir(), "GIT_CONFIG_GLOBAL=/dev/null")
	s.cmd.Env = append(s.cmd.Env, env...)
	// Of the child's streams stdout is always the terminal; stdin may be a file.
	attrs := &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if s.screen, err = pty.StartWithAttrs(s.cmd, &size, attrs); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(20*time.Second,
		func() { syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) }) // it is a session of its own
	t.Cleanup(func() {
		late.Stop()
		s.cmd.Process.Kill()
		s.screen.Close()
		s.cmd.Wait()
	})
	return s
}

// await reads until the terminal shows a text, from the last that was awaited on.
func (s *session) await(text string) {
	s.t.Helper()
	var fresh strings.Builder
	for b := make([]byte, 1); !strings.Contains(fresh.String(), text); {
		n, err := s.screen.Read(b)
		fresh.Write(b[:n])
		s.shown.Write(b[:n])
		if err != nil {
			s.t.Fatalf("no %q: %v\n%s", text, err, s.shown.String())
		}
	}
}

func (s *session) enter(text string) {
	s.t.Helper()
	if _, err := s.screen.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// end reads what is left, and returns the exit status, or -1 if srpatch was not even started.
func (s *session) end() int {
	for b := make([]byte, 4096); ; {
		n, err := s.screen.Read(b)
		s.shown.Write(b[:n])
		if parts := strings.Split(s.shown.String(), "\x1e"); len(parts) == 3 {
			s.shown.Reset()
			s.shown.WriteString(parts[0])
			status, _ := strconv.Atoi(parts[1])
			return status
		} else if err != nil {
			return -1
		}
	}
}

const (
	ctrlC = "\x03"
	ctrlD = "\x04"
)

// numbered makes a tree of n files and a reply that changes each; the tree must be like this before
// or like that after a run.
func numbered(t *testing.T, n int) (dir, reply string) {
	t.Helper()
	dir = t.TempDir()
	var text strings.Builder
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%04d.txt", i)),
			[]byte("old\nkept\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "f%04d.txt\n<<<<<<< SEARCH\nold\nkept\n=======\nnew\nkept\n>>>>>>> REPLACE\n\n", i)
	}
	reply = filepath.Join(t.TempDir(), "reply.md")
	if err := os.WriteFile(reply, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir, reply
}

// written counts the files of a numbered tree that are changed, and fails for any that is neither
// old nor new.
func written(t *testing.T, dir string) (n int) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		switch text, err := os.ReadFile(filepath.Join(dir, f.Name())); {
		case err == nil && string(text) == "new\nkept\n":
			n++
		case err != nil || string(text) != "old\nkept\n":
			t.Errorf("%s holds %q, %v", f.Name(), text, err)
		}
	}
	return n
}

// TestAnsweredOnTerminal: questions are asked and answered where both have the screen, and answers
// are not shown twice.
func TestAnsweredOnTerminal(t *testing.T) {
	dir, reply := numbered(t, 3)
	s := startOnTerminal(t, dir, "-i", reply)
	s.await("(1/3) Apply block 1 to f0000.txt [y,n,a,d,e,q,?]? ")
	s.enter("n\n")
	s.await("(2/3) Apply block 2 to f0001.txt ")
	s.enter("y\n")
	s.await("(3/3) Apply block 3 to f0002.txt ")
	if n := written(t, dir); n != 0 {
		t.Errorf("%d files are written before the last answer", n)
	}
	s.enter("y\n")
	if status := s.end(); status != 0 || written(t, dir) != 2 {
		t.Errorf("status %d, %d files written\n%s", status, written(t, dir), s.shown.String())
	}
	if strings.Contains(s.shown.String(), "? n\r\n\r\n") {
		t.Errorf("an empty line comes after an answer:\n%s", s.shown.String())
	}
}

// TestUnansweredOnTerminal: whoever interrupts the questions, or ends them, has changed nothing,
// whatever was answered before.
func TestUnansweredOnTerminal(t *testing.T) {
	for _, c := range []struct{ name, typed, want string }{
		{"interrupt", ctrlC, "^C"},
		{"end", ctrlD, "srpatch: the answers ended before the last question; nothing was written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, reply := numbered(t, 2)
			s := startOnTerminal(t, dir, "-i", reply)
			s.await("(1/2) ")
			s.await("? ")
			s.enter("y\n")
			s.await("(2/2) ")
			s.await("? ")
			s.enter(c.typed)
			if status := s.end(); status == 0 ||
				!strings.Contains(s.shown.String(), c.want) || written(t, dir) != 0 {
				t.Errorf("status %d, %d files written\n%s", status, written(t, dir), s.shown.String())
			}
		})
	}
}

// TestEditorIsInterrupted: an interrupt that is typed into the editor is the editor's, and ends no
// questions.
func TestEditorIsInterrupted(t *testing.T) {
	dir, reply := numbered(t, 1)
	editor := filepath.Join(t.TempDir(), "editor")
	// It ends only when told to, so that srpatch has seen the interrupt by then.
	script := `#!/bin/sh
trap 'echo mine; read line; sed s/new/NEW/ "$1" >"$1.n"; mv "$1.n" "$1"; exit 0' INT
echo editing
read line
`
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_EDITOR", editor)
	s := startOnTerminal(t, dir, "-i", reply)
	s.await("(1/1) ")
	s.enter("e\n")
	s.await("editing")
	s.enter(ctrlC)
	s.await("mine")
	s.enter("\n")
	s.await("+NEW")
	s.await("(1/1) ")
	s.enter("y\n")
	if status := s.end(); status != 0 {
		t.Errorf("status %d\n%s", status, s.shown.String())
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "f0000.txt")); string(text) != "NEW\nkept\n" {
		t.Errorf("the file holds %q", text)
	}
}

// TestInterruptedOnTerminal: whenever a run is interrupted, either all of the tree is changed or
// nothing, and what it says is true. No moment is waited for: the times only spread the interrupts
// over the run, and what is asserted holds at each.
func TestInterruptedOnTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of the command itself, in which the race detector sees nothing that others don't show")
	}
	files := effort.Of(0, 100, 400)
	for i, after := range []time.Duration{0, 20, 40, 60, 80, 100, 120, 160, 200, 300} {
		if i%effort.Of(2, 2, 1) > 0 {
			continue
		}
		dir, reply := numbered(t, files)
		s := startOnTerminal(t, dir, "-q", reply)
		time.Sleep(after * time.Millisecond)
		s.enter(ctrlC)
		status := s.end()
		n := written(t, dir)
		if n != 0 && n != files || status == 0 && n != files || status != 0 && n != 0 {
			t.Errorf("after %d ms: status %d, %d of %d files written\n%s", after, status, n, files, s.shown.String())
		}
		t.Logf("after %d ms: status %d, %d files written: %s", after, status, n, strings.TrimSpace(s.shown.String()))
	}
}
