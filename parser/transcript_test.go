package parser

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/effort"
	"github.com/srpatch/srpatch/internal/golden"
)

// logTables are the parts of the conformance table for logs in JSON.
var logTables = []string{"log-claude-code", "log-codex", "log-opencode", "log-cline", "log-messages", "log-sites", "log-exports"}

func TestLastAnswerOfJSONLogs(t *testing.T) {
	for _, table := range logTables {
		n := 0
		markerReplies(t, table, func(name string, log []byte, want *[]byte) {
			n++
			last, err := ParseLast(bytes.NewReader(log))
			if err != nil {
				t.Errorf("%s/%s: %v", table, name, err)
				return
			}
			got := render(last)
			if golden.Update() {
				*want = got
			}
			if !bytes.Equal(got, *want) {
				t.Errorf("%s/%s:\n%s\ngot:\n%swant:\n%s", table, name, log, got, *want)
			}
			if slow, err := ParseLast(iotest.OneByteReader(bytes.NewReader(log))); err != nil || !bytes.Equal(render(slow), got) {
				t.Errorf("%s/%s: byte by byte it is\n%s%v", table, name, render(slow), err)
			}
		})
		if n < 8 {
			t.Errorf("%s has %d examples, too few to hold it down", table, n)
		}
	}
}

// TestJSONLogsAreNoReplies holds that no edit of a log is taken for one of a reply, except for the response of a server.
func TestJSONLogsAreNoReplies(t *testing.T) {
	for _, table := range logTables {
		markerReplies(t, table, func(name string, log []byte, _ *[]byte) {
			if strings.HasPrefix(name, "a-response") {
				return
			}
			r := Parse(log)
			if len(r.Blocks) > 0 || len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != diagnosis.ChatLog || r.Diagnostics[0].Line != 1 {
				t.Errorf("%s/%s is understood as\n%s", table, name, render(r))
			}
			if small, err := scanAll(bytes.NewReader(log), 16); err != nil || sameReply(small, r) != "" {
				t.Errorf("%s/%s: a scanner differs: %s %v", table, name, sameReply(small, r), err)
			}
			if r := ParseLog(log); len(r.Blocks) > 0 {
				t.Errorf("%s/%s: ParseLog finds\n%s", table, name, render(r))
			}
		})
	}
}

// TestParseLastOfText holds that text is read as ParseLog reads it, and that what is no log is one reply.
func TestParseLastOfText(t *testing.T) {
	markerReplies(t, "chatlog", func(name string, log []byte, _ *[]byte) {
		last, err := ParseLast(bytes.NewReader(log))
		if want := ParseLog(log).Last(); err != nil || !bytes.Equal(render(last), render(want)) {
			t.Errorf("%s:\n%s\nnot\n%s%v", name, render(last), render(want), err)
		}
	})
	for reply, want := range map[string]int{
		"": 0, "{": 0, "[]\n": 0, "\ufeff\n": 0,
		`{"path": "a.py", "old_str": "1", "new_str": "2"}`:       1,
		"a.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n": 1,
	} {
		if last, err := ParseLast(strings.NewReader(reply)); err != nil || len(last.Blocks) != want {
			t.Errorf("%q: %+v, %v", reply, last, err)
		}
	}
}

const twoAnswers = `{"type":"user","sessionId":"s","message":{"role":"user","content":"go"}}
{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"Edit","input":{"file_path":"a.py","old_string":"1","new_string":"2"}},{"type":"tool_use","id":"2","name":"Edit","input":{"file_path":"b.py","old_string":"1","new_string":"2"}}]}}
`

func TestLimitsOfParseLast(t *testing.T) {
	if last, err := ParseLast(strings.NewReader(twoAnswers), WithMaxBlocks(1)); err != nil || len(last.Blocks) != 1 || len(last.Diagnostics) != 1 || last.Diagnostics[0].Code != "too-many" {
		t.Errorf("with too many blocks: %+v, %v", last, err)
	}
	if last, err := ParseLast(strings.NewReader(twoAnswers), WithMaxBlocks(2)); err != nil || len(last.Blocks) != 2 || len(last.Diagnostics) != 0 {
		t.Errorf("with as many blocks as may be: %+v, %v", last, err)
	}
	if last, err := ParseLast(strings.NewReader(twoAnswers), WithFormat("aider")); err != nil || len(last.Blocks)+len(last.Diagnostics) != 0 {
		t.Errorf("in another format: %+v, %v", last, err)
	}
	for _, log := range []string{twoAnswers, strings.Repeat("text\n", 100)} {
		if _, err := ParseLast(strings.NewReader(log), WithMaxReply(60)); !errors.Is(err, ErrTooLarge) {
			t.Errorf("an answer that is too large: %v", err)
		}
		if _, err := ParseLast(strings.NewReader(log), WithMaxReply(1000)); err != nil {
			t.Errorf("an answer that is not too large: %v", err)
		}
		broken := errors.New("no disk")
		for _, size := range []int{0, 20} {
			if _, err := ParseLast(io.MultiReader(strings.NewReader(log[:size]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
				t.Errorf("a disk that fails after %d bytes: %v", size, err)
			}
		}
	}
}

// TestHugeLogs holds that of a log of 40 MB little is kept in memory, whether as lines or as one list.
func TestHugeLogs(t *testing.T) {
	question := `{"type":"user","sessionId":"s","role":"user","content":"go","message":{"role":"user","content":"` + strings.Repeat("go ", 10_000) + `"}}`
	answer := `{"type":"assistant","sessionId":"s","role":"assistant","content":"no","message":{"role":"assistant","content":"` + strings.Repeat("no ", 10_000) + `"}}`
	for name, form := range map[string][3]string{"lines": {"", "\n", "\n" + twoAnswers}, "list": {"[", ",\n", "]"}} {
		parts := []io.Reader{strings.NewReader(form[0])}
		for range effort.Of(200, 650, 650) {
			parts = append(parts, strings.NewReader(question), strings.NewReader(form[1]), strings.NewReader(answer), strings.NewReader(form[1]))
		}
		parts = append(parts, strings.NewReader(question), strings.NewReader(form[2]))
		all, most := io.MultiReader(parts...), uint64(0)
		watched := readerFunc(func(p []byte) (int, error) {
			if rand.IntN(200) == 0 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
			return all.Read(p)
		})
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		if last, err := ParseLast(watched); err != nil || name == "lines" && len(last.Blocks) != 2 {
			t.Errorf("%s: %+v, %v", name, last, err)
		}
		if most > before.HeapAlloc+(8<<20) {
			t.Errorf("%s: %d bytes in memory", name, most-before.HeapAlloc)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// FuzzParseLast holds that any log gives an answer whose lines are in the log, and the same one however it is cut into pieces.
func FuzzParseLast(f *testing.F) {
	for _, table := range logTables {
		markerReplies(f, table, func(_ string, log []byte, _ *[]byte) { f.Add(log) })
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		last, err := ParseLast(bytes.NewReader(log))
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(log, []byte("\n")) + 1
		if bytes.IndexByte(log, '\r') >= 0 {
			lines = len(log) + 1 // old line ends
		}
		for _, b := range last.Blocks {
			if b.Lines[0] < 1 || b.Lines[1] > lines || b.Lines[1] < b.Lines[0] {
				t.Fatalf("a block in lines %v of %d", b.Lines, lines)
			}
		}
		for _, d := range last.Diagnostics {
			if d.Line < 1 || d.Line > lines || d.Found == "" || d.Expected == "" || d.Remedy == "" {
				t.Fatalf("of %d lines: %+v", lines, d)
			}
		}
		rnd := rand.New(rand.NewPCG(uint64(len(log)), 0))
		if again, err := ParseLast(&chunks{bytes.Clone(log), rnd}); err != nil || !bytes.Equal(render(again), render(last)) {
			t.Fatalf("in pieces it is\n%s%v\nnot\n%s", render(again), err, render(last))
		}
	})
}
