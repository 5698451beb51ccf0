package parser

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/internal/transcript"
)

// TestLastAnswerOfCutJSONLogs holds that a log in JSON Lines, cut after any of its answers, gives that answer, or the one before if it
// does not edit.
func TestLastAnswerOfCutJSONLogs(t *testing.T) {
	cuts := 0
	for _, table := range logTables {
		markerReplies(t, table, func(name string, log []byte, _ *[]byte) {
			want := ""
			for _, a := range answersOf(t, log) {
				last := a.Parts[len(a.Parts)-1].Line
				if last == a.Parts[0].Line && bytes.Count(log, []byte("\n")) < 2 || slices.ContainsFunc(a.Parts, isLate) {
					return // the log is one value, or later lines say what came of a call
				}
				if r := parseAnswer(a, nil); len(r.Blocks)+len(r.Diagnostics) > 0 {
					want = editsIn(r)
				}
				cut := bytes.Join(bytes.SplitAfter(log, []byte("\n"))[:last], nil)
				if got, err := ParseLast(bytes.NewReader(cut)); err != nil || editsIn(got) != want {
					t.Errorf("%s/%s, cut after line %d: %s, not %s (%v)", table, name, last, editsIn(got), want, err)
				}
				cuts++
			}
		})
	}
	if cuts < 30 {
		t.Errorf("%d answers were the last, too few", cuts)
	}
}

// isLate reports whether more is known of a part than the line has on which it begins.
func isLate(p transcript.Part) bool { return p.Failed || p.Lost != nil }

// answersOf lists the answers of a log in JSON Lines; nil for any other.
func answersOf(t *testing.T, log []byte) (all []*transcript.Answer) {
	l := transcript.Detect(log[:min(len(log), transcript.HeadSize)])
	if l == nil || log[0] == '[' || len(log) > 1 && log[1] == '\n' {
		return nil
	}
	if err := l.Answers(bytes.NewReader(log), func(a *transcript.Answer) error {
		all = append(all, a)
		return nil
	}); err != nil {
		t.Error(err)
	}
	return all
}

func editsIn(r *Reply) string {
	var all []string
	for _, b := range r.Blocks {
		all = append(all, fmt.Sprintf("%s %q", b.Path, b.Replace))
	}
	return strings.Join(all, ", ") + strings.Repeat("!", len(r.Diagnostics))
}

// TestLastAnswerOfCutLogs holds the same of logs that are text, those of the scripts among them.
func TestLastAnswerOfCutLogs(t *testing.T) {
	logs := map[string][]byte{}
	markerReplies(t, "chatlog", func(name string, reply []byte, _ *[]byte) { logs[name] = reply })
	scripts, err := filepath.Glob("../testdata/script/apply-last*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range scripts {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			logs[filepath.Base(name)+"/"+f.Name] = f.Data
		}
	}
	cuts := 0
	for name, log := range logs {
		lines := bytes.SplitAfter(log, []byte("\n"))
		whole := ParseLog(log)
		for i, first := range whole.Turns {
			end := len(lines)
			if i+1 < len(whole.Turns) {
				end = whole.Turns[i+1] - 1
			}
			in := func(line int) bool { return line >= first && line <= end }
			want, last := "", 0
			for _, b := range whole.Blocks {
				if in(b.Lines[0]) {
					want, last = want+b.Path+" ", b.Lines[1]
				}
			}
			refused := slices.ContainsFunc(whole.Diagnostics, func(d Diagnostic) bool { return in(d.Line) })
			if last == 0 || refused || whole.doubt(i+1) != nil {
				continue
			}
			for ; last <= end; last++ { // with all that comes before the next answer, too
				cut := bytes.Join(lines[:last], nil)
				if got := paths(ParseLog(cut).Last()) + " "; got != want && last+1 < len(lines) {
					t.Errorf("%s, cut after line %d: %s, not %s\n%s", name, last, got, want, cut)
				}
				cuts++
			}
		}
	}
	if cuts < 100 {
		t.Errorf("%d answers were the last, too few", cuts)
	}
}

// TestBrokenRecordsAreReported holds that a record of the last answer that cannot be read is never dropped without a word, wherever it
// was cut.
func TestBrokenRecordsAreReported(t *testing.T) {
	const question = `{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":"go"}}` + "\n"
	const edit = `{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"a.py","old_string":"1","new_string":"2"}}]}}` + "\n"
	const second = `{"type":"assistant","sessionId":"s","uuid":"u","message":{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"b.py","old_string":"1","new_string":"2"}}]}}`
	for cut := 2; cut < len(second); cut++ {
		r := parseLast(t, question+edit+second[:cut])
		if len(r.Diagnostics) != 1 || r.Diagnostics[0].Code != "truncated" {
			t.Fatalf("a log cut in %s gives\n%s", second[:cut], render(r))
		}
	}
	const result = `{"type":"user","sessionId":"s","uuid":"u","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","con`
	for _, c := range []struct{ name, log, want string }{
		{"the result of a call", question + edit + result, `a.py "2" noticed 3`},
		{"a broken result between edits", question + edit + result + "}\n" + second, `a.py "2", b.py "2" noticed 3`},
		{"the next question", question + edit + question[:60], `a.py "2" noticed 3`},
		{"a question in the middle", question + edit + strings.Replace(question, `"go"`, `"go`, 1) + second, `b.py "2" noticed 3`},
		{"what a program printed", question + edit + "{}}\n{ 'a': 1 }\n" + second, `a.py "2", b.py "2"`},
		{"an edit that is broken", question + edit + strings.Replace(second, `"1"`, `"1`, 1) + "\n", `a.py "2"!`},
	} {
		r := parseLast(t, c.log)
		got := editsIn(r)
		for _, n := range r.Noticed {
			got += fmt.Sprintf(" noticed %d", n.Lines[0])
		}
		if got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

func parseLast(t *testing.T, log string) *Reply {
	t.Helper()
	r, err := ParseLast(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
