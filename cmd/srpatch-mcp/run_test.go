package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/workspace"
)

// maxOf is the bound of results that a test asks for, and what it leaves for the report.
const maxOf, mostOfReport = 8 << 10, 6 << 10

// bounded calls a tool with a result that is too large, and sees that it fits and says what is left
// out.
func bounded(t *testing.T, c *client, tool string, args map[string]any) answer {
	t.Helper()
	a := c.call(tool, args)
	if a.size > mostOfReport || len(a.words) > maxOf-mostOfReport {
		t.Errorf("%s: the report has %d bytes, the words have %d", tool, a.size, len(a.words))
	}
	said := fmt.Sprint(a.get("warnings"), a.get("report", "warnings"))
	if !strings.Contains(said, "left-out: ") {
		t.Errorf("%s: what is left out is not said: %s", tool, said)
	}
	return a
}

// However much a call comes to, its result fits, and says what is not in it.
func TestLargeResults(t *testing.T) {
	files := map[string]string{"long.txt": longText(4000)}
	var good, bad strings.Builder
	for i := range 120 {
		name := fmt.Sprintf("dir/file%d.txt", i)
		files[name] = fmt.Sprintf("first %d\n", i) + strings.Repeat("some line of it\n", 30)
		good.WriteString(block(name, fmt.Sprintf("first %d\n", i), "second\n"))
		bad.WriteString(block(name,
			fmt.Sprintf("first %d\n", i)+strings.Repeat("some line of it\n", 20)+"another end\n", "second\n"))
	}
	dir := treeOf(t, files)
	c := connect(t, home(t), "", nil, fmt.Sprintf("--max-result=%d", maxOf), dir)
	a := bounded(t, c, "check", map[string]any{"reply": bad.String()})
	if a.get("status") != "refused" || a.get("blocks", 0, "reason") != "not-found" {
		t.Errorf("%+v", a)
	}
	if a = bounded(t, c, "apply", map[string]any{"reply": bad.String()}); !strings.Contains(a.words,
		"more bytes are left out here") {
		t.Errorf("%+v", a)
	}
	if a = bounded(t, c, "apply", map[string]any{"reply": good.String()}); a.isError ||
		a.get("run") == nil || !strings.Contains(a.words, "120 applied") {
		t.Errorf("%+v", a)
	}
	if a = bounded(t, c, "undo", nil); a.isError || a.get("files", 0, "path") == nil {
		t.Errorf("%+v", a)
	}
	long := strings.ReplaceAll(longText(1000), "7", "9")
	if a = bounded(t, c, "why", map[string]any{"block": 1, "reply": block("long.txt", long, "short\n")}); a.isError {
		t.Errorf("%+v", a)
	}
	line := strings.Repeat("x", 100_000) + "\n"
	if a = c.call("check", map[string]any{"reply": block("long.txt", line, "x\n")}); a.get("blocks",
		0, "reason") != "not-found" || a.size > mostOfReport {
		t.Errorf("%+v", a)
	}
	if a = c.call("apply", map[string]any{"reply": strings.Repeat("x", maxReply+1)}); a.get("error",
		"code") != "too-large" {
		t.Errorf("%+v", a)
	}
}

func longText(lines int) string {
	var b strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for i := range lines {
		fmt.Fprintf(&b, "value_%d = compute(%d, %q)\n", i%700, random.IntN(50), strings.Repeat("ab", random.IntN(9)))
	}
	return b.String()
}

// Words that are cut are text, whatever is at the cut, and never longer than they may be.
func TestShortened(t *testing.T) {
	for _, text := range []string{strings.Repeat("é", 500), strings.Repeat("line\n", 300),
		strings.Repeat("\xff", 900), "short"} {
		for most := 100; most < 140; most++ {
			got := shortened(text, most)
			if len(got) > most || strings.Contains(strings.ToValidUTF8(got, "?"), "?") &&
				!strings.Contains(text, "\xff") {
				t.Errorf("%d: %q", most, got)
			}
		}
	}
}

// A call that is cancelled while it waits for the tree writes nothing.
func TestCancel(t *testing.T) {
	dir, env := treeOf(t, map[string]string{"a.txt": "before\n"}), home(t)
	c := connect(t, env, "", nil, dir)
	hold(t, dir, env)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := c.try(ctx, "apply", map[string]any{"reply": block("a.txt", "before\n", "after\n")})
		ended <- err
	}()
	cancel()
	if err := <-ended; err == nil {
		t.Error("the call was not cancelled")
	}
	if got := read(t, dir, "a.txt"); got != "before\n" {
		t.Errorf("the file is %q", got)
	}
}

// hold takes a tree for a run until the test ends. Servers with env wait for it.
func hold(t *testing.T, dir string, env []string) {
	t.Helper()
	opt := workspace.Options{}
	for _, kv := range env {
		if state, ok := strings.CutPrefix(kv, "XDG_STATE_HOME="); ok {
			opt.StateDir = filepath.Join(state, "srpatch")
		}
	}
	w, err := workspace.Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if _, err := w.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Two clients with a server each, and calls of one client at once, lose no edit of each other.
func TestTwoClientsAtOnce(t *testing.T) {
	var text strings.Builder
	const edits = 24
	for i := range edits {
		fmt.Fprintf(&text, "setting_%d = off\n# about %d\n\n", i, i)
	}
	dir := treeOf(t, map[string]string{"settings.txt": text.String()})
	env := home(t)
	clients := []*client{connect(t, env, "", []string{dir}), connect(t, env, versions()[0], nil, dir)}
	var all sync.WaitGroup
	for i := range edits {
		all.Go(func() {
			a, err := clients[i%2].try(t.Context(), "apply",
				map[string]any{"reply": block("settings.txt", fmt.Sprintf("setting_%d = off\n", i),
					fmt.Sprintf("setting_%d = on\n", i))})
			if err != nil || a.isError {
				t.Errorf("%d: %+v %v", i, a, err)
			}
		})
	}
	all.Wait()
	if got := read(t, dir, "settings.txt"); strings.Count(got, " = on") != edits {
		t.Errorf("edits are lost:\n%s", got)
	}
	for i := range edits {
		if a := clients[i%2].call("undo", nil); a.isError {
			t.Errorf("undo %d: %+v", i, a)
		}
	}
	if got := read(t, dir, "settings.txt"); got != text.String() {
		t.Errorf("undone, it is\n%s", got)
	}
}

// What is wrong with the command line is said before anything is served.
func TestCommandLine(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--version"}, 0, "srpatch-mcp"}, {[]string{"--help"}, 0, "--read-only"},
		{[]string{"--nonsense"}, 2, "nonsense"}, {[]string{"--max-result=5"}, 2, "--max-result"},
		{[]string{filepath.Join(t.TempDir(), "none")}, 2, "none"}, {[]string{os.Args[0]}, 2, "not a directory"},
		{[]string{"--policy=any", t.TempDir()}, 2, "Policy"},
		{[]string{"--deny=[", t.TempDir()}, 2, "glob"}, {[]string{"--wait=-1s"}, 2, "--wait"},
	} {
		process := exec.Command(os.Args[0], test.args...)
		process.Env = home(t)
		out, _ := process.CombinedOutput()
		if process.ProcessState.ExitCode() != test.code || !strings.Contains(string(out), test.says) {
			t.Errorf("%v: %d\n%s", test.args, process.ProcessState.ExitCode(), out)
		}
	}
}

// A client that leaves in the middle of a call, or never reads, could keep its server for ever. The
// latter has to send a signal, as the end of its input is not reached.
func TestServerOutlivedItsClient(t *testing.T) {
	dir := treeOf(t, map[string]string{"f.txt": "one\n", "long.txt": longText(60_000)})
	start := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	ask := func(id int, tool string, args map[string]any) string {
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, tool, text)
	}
	var many, slow strings.Builder
	for i := range 200 {
		many.WriteString(ask(i+1, "prompt", map[string]any{}))
	}
	for k := range 100 { // each is like all of the file
		slow.WriteString(block("long.txt", strings.ReplaceAll(longText(400+k), "7", "9"), "x\n"))
	}
	for name, test := range map[string]struct {
		sent   string
		signal bool
	}{
		"answers that are not read, and TERM": {many.String(), true},
		"a call at work":                      {ask(1, "check", map[string]any{"reply": slow.String()}), false},
		"a call that waits for the tree": {
			ask(1, "prompt", map[string]any{}) + // which is answered
				ask(2, "apply", map[string]any{"reply": block("f.txt", "one\n", "two\n")}), false,
		},
		"a call at work, and TERM": {ask(1, "check", map[string]any{"reply": slow.String()}), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.signal && runtime.GOOS == "windows" {
				t.Skip("there is no SIGTERM")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			process := exec.CommandContext(ctx, os.Args[0], dir)
			process.Env = home(t)
			hold(t, dir, process.Env)
			in, err := process.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, unread, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			process.Stdout = unread
			if err := process.Start(); err != nil {
				t.Fatal(err)
			}
			unread.Close()
			if _, err := io.WriteString(in, start+test.sent); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil { // it serves
				t.Fatal(err)
			}
			if test.signal {
				err = process.Process.Signal(syscall.SIGTERM)
			} else {
				err = in.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			asked := time.Now()
			if err := process.Wait(); err != nil {
				t.Errorf("it did not end by itself: %v", err)
			}
			if took := time.Since(asked); took > 10*time.Second { // 5 on a machine that has nothing else to do
				t.Errorf("it took %v to end", took)
			}
			if got := read(t, dir, "f.txt"); got != "one\n" {
				t.Errorf("the file is %q", got)
			}
		})
	}
}

// An error that is too long is cut like any other result.
func TestLongError(t *testing.T) {
	long := &report.Error{Code: "io", Message: strings.Repeat("no such file; ", 1000)}
	for _, form := range []any{&report.Run{Error: long}, &report.Turn{Error: long}, &report.Why{Error: long}} {
		if text, err := fitted(form, mostOfReport); err != nil || len(text) > mostOfReport {
			t.Errorf("%T: %d bytes, %v", form, len(text), err)
		}
	}
}
