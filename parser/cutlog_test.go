package parser

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestLastAnswerOfCutLogs holds that a log, cut after any of its answers, gives that answer. The
// logs of the scripts are among them.
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
