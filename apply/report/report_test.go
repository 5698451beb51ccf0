package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/golden"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/internal/verify"
	"github.com/srpatch/srpatch/parser"
)

func at(first, last int) *[2]int { return &[2]int{first, last} }

// outcomes are runs as the engine reports them, by the name of their golden files.
func outcomes() map[string]Run {
	edit := func(search string) *parser.Block {
		return &parser.Block{Op: parser.OpEdit, Search: []byte(search)}
	}
	return map[string]Run{
		"applied": {
			Status: apply.Applied, Written: true,
			Blocks: []apply.BlockReport{
				{ID: 1, Path: "src/app.py", Status: apply.BlockApplied, Strategy: "exact", Score: 1, Lines: at(12, 18)},
				{ID: 2, Path: "src/app.py", Status: apply.BlockApplied, Strategy: "line-trimmed",
					Score: 1, Lines: at(40, 40)},
				{
					ID: 3, Path: "src/util.py", Status: apply.BlockApplied, Strategy: "levenshtein",
					Score: 0.968, Lines: at(7, 9),
					Warnings: []string{"line 8 of the file is not in SEARCH and was kept"},
				},
				{ID: 4, Path: "src/new.py", Status: apply.BlockApplied, Strategy: "exact", Score: 1,
					Block: &parser.Block{Op: parser.OpCreate}},
				{ID: 5, Path: "src/x.py", Status: apply.BlockAlready, Strategy: "exact", Score: 1, Lines: at(3, 5)},
				{ID: 10, Path: "src/y.py", Status: apply.BlockNoOp, Strategy: "exact", Score: 1, Lines: at(1, 1)},
			},
		},
		"refused": {
			Status: apply.Refused,
			Blocks: []apply.BlockReport{
				{ID: 1, Path: "shapes.py", Status: apply.BlockReady, Strategy: "exact", Score: 1, Lines: at(2, 4)},
				{
					ID: 2, Path: "shapes.py", Status: apply.BlockFailed, Reason: apply.NotFound,
					Message: "no place resembles SEARCH closely enough",
					Score:   0.84, Needed: 0.92, Tried: []string{"exact", "line-trimmed"}, Searched: at(1, 240),
					Block: edit("class Box:\n    def area(self):\n        return self.w * self.hh\n\n    def name(self):\n        return 'box'\n"),
					Nearest: &apply.Nearest{
						Lines: [2]int{9, 14}, Score: 0.84,
						Text: "class Box:\n    def area(self):\n\treturn self.w * self.h  \n\n    def name(self):\n        return 'box'\n",
					},
				},
				{
					ID: 3, Path: "shapes.py", Status: apply.BlockFailed, Reason: apply.Ambiguous,
					Message:    "SEARCH fits 2 places (lines 20, 44)",
					Candidates: []int{20, 44}, Block: edit("x = 1\n"),
					Corrected: []string{
						"shapes.py\n<<<<<<< SEARCH\ndef f():\n    x = 1\n=======\ndef f():\n    x = 2\n>>>>>>> REPLACE\n",
						"shapes.py\n<<<<<<< SEARCH\ndef g():\n    x = 1\n=======\ndef g():\n    x = 2\n>>>>>>> REPLACE\n",
					},
				},
				{ID: 4, Path: "shaeps.py", Status: apply.BlockFailed, Reason: apply.NoSuchFile,
					Message: "no file is called that; shapes.py is near"},
				{ID: 5, Status: apply.BlockFailed, Reason: apply.NoName,
					Message: "the reply names no file for this block"},
			},
			Located: []Located{
				{Reply: "reply.md", Diagnostic: parser.Diagnostic{
					Code: "missing-divider", Line: 14, Found: ">>>>>>> REPLACE",
					Expected: "a line of ======= first", Remedy: "put ======= between SEARCH and REPLACE",
				}},
				{Reply: "reply.md",
					Diagnostic: parser.Diagnostic{Code: "truncated", Line: 31,
						Found: "the end of the reply", Expected: ">>>>>>> REPLACE"}},
			},
		},
		// Everything here comes from somebody who wants to be believed: paths, texts and messages.
		"hostile": {
			Status: apply.Refused,
			Blocks: []apply.BlockReport{
				{
					ID: 1, Path: "a\x1b[2J.py\n✓ 9  /etc/passwd:1", Status: apply.BlockReady,
					Strategy: "line-trimmed", Lines: at(1, 1),
					Warnings: []string{"\r✓ 2  fine.py:1\x1b]0;title\a"},
				},
				{
					ID: 2, Path: "evil\u202egpj.sh", Status: apply.BlockFailed,
					Reason: apply.NotFound, Message: "line 1\n✓ 3  ok.py",
					Block: edit("\x1b[1mgood\n✓ 4  forged.py:1\n"),
					Nearest: &apply.Nearest{
						Lines: [2]int{1, 2}, Score: 0.5, Approximate: true,
						Text: "\xff\xfe\u009b31m bad\n✓ 4  forged.py:1\n",
					},
					Corrected: []string{"a.py\n✓ 5  forged.py:1\n\x1b[A\x1b[2K✓\n"},
				},
			},
			Located: []Located{{Reply: "x\x1b[m.md", Diagnostic: parser.Diagnostic{
				Code: "truncated", Line: 1, Found: "<<<<<<< SEARCH\x1b[31m\n✓ 6  forged.py:1",
				Expected: "x", Remedy: "\x07",
			}}},
		},
		"partial": {
			Status: apply.Partial, Written: true,
			Blocks: []apply.BlockReport{
				{ID: 1, Path: "a.go", Status: apply.BlockApplied, Strategy: "exact", Score: 1, Lines: at(1, 1)},
				{ID: 2, Path: "a.go", Status: apply.BlockFailed, Reason: apply.Overlap,
					Message: "changes line 1, as block 1 does", Lines: at(1, 3),
					Warnings: []string{"maybe-already-applied: the lines occur in the file"}},
			},
		},
		"verified": {
			Status: apply.Applied, Written: true, Run: "7",
			Blocks: []apply.BlockReport{{ID: 1, Path: "a.go", Status: apply.BlockApplied,
				Strategy: "exact", Score: 1, Lines: at(1, 1)}},
			Verify: &Verify{Command: "go test ./...", Passed: []string{"go vet ./..."},
				Status: verify.Passed, Exit: new(0), MS: 83_400},
		},
		"unverified": { // the output is that of somebody who wants to be believed, and has many lines
			Status: apply.Refused, Remembered: true,
			Blocks: []apply.BlockReport{{ID: 3, Path: "a.go", Status: apply.BlockReady,
				Strategy: "exact", Score: 1, Lines: at(1, 1)}},
			Verify: &Verify{
				Command: "make `id`\ncheck", Status: verify.Failed, Exit: new(2), MS: 83_400, Truncated: 1200,
				Output: strings.Repeat("ok\n", 70) +
					"[1200 bytes left out]\n```\n✓ 4  forged.py:1\r\n\x1b[2J\tFAIL\u202e",
			},
		},
		"committed": {
			Status: apply.Applied, Written: true, Run: "3",
			Blocks: []apply.BlockReport{{ID: 1, Path: "a.go", Status: apply.BlockApplied,
				Strategy: "exact", Score: 1, Lines: at(1, 1)}},
			Commit: &Commit{
				ID: "0123456789", Short: "012345", Branch: "topic\x1b[1m",
				Subject: "Change a.go\x07", Added: []string{"b.go", "gen\n.go"}, Output: "formatted\n✓ 9  forged:1\n",
			},
		},
		"not-committed": {
			Status: apply.Applied, Written: true, Run: "3",
			Blocks: []apply.BlockReport{{ID: 1, Path: "a.go", Status: apply.BlockApplied,
				Strategy: "exact", Score: 1, Lines: at(1, 1)}},
			Commit: &Commit{Output: strings.Repeat("a line\n", 50) + "the last\x1b[2J",
				Error: &Error{Code: "not-committed", Message: "git made no commit"}},
		},
		"looking": {
			Status: apply.Applied, Looking: "check",
			Blocks: []apply.BlockReport{
				{ID: 1, Path: "a.go", Status: apply.BlockReady, Strategy: "exact", Score: 1, Lines: at(1, 1)},
				{ID: 2, Path: "b.go", Status: apply.BlockReady, Strategy: "block-anchor", Score: 0.9, Lines: at(4, 9)},
			},
		},
	}
}

// What people read of each run.
func TestText(t *testing.T) {
	var all bytes.Buffer
	runs := outcomes()
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		all.WriteString("== " + name + "\n")
		r, p := runs[name], Printer{W: &all}
		r.Text(p, p, Normal)
	}
	all.WriteString("== refused, verbose, in colour\n")
	r, p := runs["refused"], Printer{W: &all, Color: true}
	r.Text(p, p, Verbose)
	golden.Check(t, "testdata/text.golden", strings.ReplaceAll(all.String(), "\x1b", "ESC"))
}

// What models read of each run; nothing of one without a refusal.
func TestMessage(t *testing.T) {
	var all strings.Builder
	runs := outcomes()
	for _, name := range slices.Sorted(maps.Keys(runs)) {
		r := runs[name]
		all.WriteString("== " + name + "\n" + r.Message())
	}
	golden.Check(t, "testdata/message.golden", all.String())
}

// A minified file has its text in one line; the message about it stays one that can be sent.
func TestFeedbackOnLongLine(t *testing.T) {
	long := strings.Repeat("var a=1;", 500_000)
	run := Run{Status: apply.Refused, Blocks: []apply.BlockReport{{
		ID: 1, Path: "m.js", Status: apply.BlockFailed, Reason: apply.NotFound, Message: "not there",
		Nearest: &apply.Nearest{Lines: [2]int{1, 1}, Text: long + "\n", Score: 0.99},
		Block:   &parser.Block{Path: "m.js", Search: []byte(strings.Replace(long, "1", "2", 1) + "\n")},
	}}}
	if s := run.Message(); len(s) > 6000 || strings.Count(s, "…\n") != 2 {
		t.Errorf("%d bytes: %.300s", len(s), s)
	}
}

// Of many diagnostics some are shown, to people and to models.
func TestManyDiagnostics(t *testing.T) {
	r := Run{Status: apply.Refused}
	for i := range 200_000 {
		r.Located = append(r.Located, Located{Diagnostic: parser.Diagnostic{Code: "truncated", Line: i + 1}})
	}
	var b bytes.Buffer
	r.Text(Printer{W: &b}, Printer{W: &b}, Quiet)
	if s := b.String(); strings.Count(s, ": truncated\n") != 20 ||
		!strings.HasSuffix(s, "✗ and 199980 more like these (--json lists all)\n") {
		t.Errorf("%.2000s", s)
	}
	if s := r.Message(); strings.Count(s, "\n## ") != 20 || !strings.HasSuffix(s, "And 199980 more like these.\n") {
		t.Errorf("%.2000s", s)
	}
}

// Refusals and diagnostics are for stderr whatever else goes where, and -q leaves nothing but them.
func TestReportStreams(t *testing.T) {
	o := outcomes()["refused"]
	var out, errs, quietOut, quietErrs bytes.Buffer
	o.Text(Printer{W: &out}, Printer{W: &errs}, Normal)
	o.Text(Printer{W: &quietOut}, Printer{W: &quietErrs}, Quiet)
	if s := out.String(); strings.Contains(s, "✗") || strings.Count(s, "\n") != 2 {
		t.Errorf("stdout should hold one ready block and the summary:\n%s", s)
	}
	if quietOut.Len() > 0 {
		t.Errorf("-q wrote to stdout: %s", quietOut.String())
	}
	if errs.String() != quietErrs.String() || strings.Count(errs.String(), "\n✗")+1 != 6 {
		t.Errorf("stderr should hold six refusals, quiet or not:\n%s", errs.String())
	}
}

// No byte of a reply or a file reaches the terminal as a control, and no line that begins as a
// report line comes from one.
func TestNothingForged(t *testing.T) {
	o := outcomes()["hostile"]
	var b bytes.Buffer
	p := Printer{W: &b}
	o.Text(p, p, Verbose)
	heads := 0
	for line := range strings.Lines(b.String()) {
		for _, r := range strings.TrimSuffix(line, "\n") {
			if text.Unsafe(r) {
				t.Errorf("%U reaches the terminal in %q", r, line)
			}
		}
		if !strings.HasPrefix(line, " ") {
			heads++
		}
	}
	if heads != 4 { // two blocks, one diagnostic, the summary
		t.Errorf("%d lines begin in the first column, want 4:\n%s", heads, b.String())
	}
}

// A report about lines of a megabyte stays small.
func TestLongLines(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	o := Run{Status: apply.Refused, Blocks: []apply.BlockReport{{
		ID: 1, Path: "a", Status: apply.BlockFailed, Reason: apply.NotFound,
		Block:   &parser.Block{Search: []byte(long + "a" + long)},
		Nearest: &apply.Nearest{Lines: [2]int{1, 1}, Text: long + "b" + long},
	}}}
	var b bytes.Buffer
	p := Printer{W: &b}
	o.Text(p, p, Normal)
	if b.Len() > 4000 || !strings.Contains(b.String(), "xax") || !strings.Contains(b.String(), "xbx") {
		t.Errorf("%d bytes: %.2000s", b.Len(), b.String())
	}
}

func TestRunJSON(t *testing.T) {
	var b bytes.Buffer
	run := Run{Status: apply.Applied, Blocks: []apply.BlockReport{{ID: 1, Path: "a<b>.go", Status: apply.BlockApplied}}}
	if err := JSON(&b, &run); err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"status":"applied","blocks":[{"id":1,"path":"a<b>.go","status":"applied","score":0,"warnings":[]}],"files":[],"diagnostics":[],"warnings":[],"written":false}` + "\n"
	if got := b.String(); got != want {
		t.Errorf("got  %swant %s", got, want)
	}
}

// JSON is looked at on terminals too. Escapes are the same text to a program.
func TestJSONEscapes(t *testing.T) {
	path := "a\u009b\u202e\x7f\U000e0041é👩‍💻\x1b\n"
	run := Run{Status: apply.Applied, Blocks: []apply.BlockReport{{ID: 1, Path: path}}}
	var b bytes.Buffer
	if err := JSON(&b, &run); err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsFunc(bytes.TrimSuffix(b.Bytes(), []byte("\n")), text.Unsafe) {
		t.Errorf("a control goes through: %q", b.Bytes())
	}
	var back Run
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back.Blocks[0].Path != path {
		t.Errorf("%q came back as %q, %v", path, back.Blocks[0].Path, err)
	}
}

func TestDiff(t *testing.T) {
	in := "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f\x1b[m\n same\r\n-\told\x1b[2J\n+\tnew\n\\ No newline at end of file\n"
	var b bytes.Buffer
	Diff(Printer{W: &b, Color: true}, []byte(in))
	want := "ESC[31m--- a/xESC[0m\nESC[32m+++ b/xESC[0m\nESC[36m@@ -1,2 +1,2 @@ f\\x1b[mESC[0m\n same\\r\n" +
		"ESC[31m-\told\\x1b[2JESC[0m\nESC[32m+\tnewESC[0m\n\\ No newline at end of file\n"
	if d := cmp.Diff(want, strings.ReplaceAll(b.String(), "\x1b", "ESC")); d != "" {
		t.Error(d)
	}
}

// TestParseKeysAreDocumented holds docs/wire.md to the keys of what a reply is understood as.
func TestParseKeysAreDocumented(t *testing.T) {
	wire, err := os.ReadFile("../../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []any{Block{}, parser.Shell{}} {
		for field := range reflect.TypeOf(form).Fields() {
			if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); !bytes.Contains(wire, []byte("`"+key+"`")) {
				t.Errorf("docs/wire.md does not tell of the key %s", key)
			}
		}
	}
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct{ search, text, want string }{
		"one letter":                    {"a\nself.hh\nb\n", "a\nself.h\nb\n", "5 a|- self.h[h]|6 + self.h|7 b"},
		"a line that the file has more": {"a\nb\n", "a\nx\nb\n", "5 a|6 + x|7 b"},
		"a line that only SEARCH has":   {"a\nx\n", "a\n", "5 a|- x"},
		"line ends are not compared":    {"a\n", "a\r\n", "5 a"},
		"runes are not split":           {"ä\n", "ö\n", "- [ä]|5 + [ö]"},
		"runes that end alike":          {"\u0161x\n", "\u0261x\n", "- [š]x|5 + [ɡ]x"},
		"bytes that are not UTF-8":      {"caf\xe9s\n", "caf\xe8s\n", `- caf[\xe9]s|5 + caf[\xe8]s`},
		"blanks at the end":             {"a  \n", "a\n", "- a[  ]|5 + a"},
		"indentation is one remark": {
			"  a\n  b\n  c\n", "\ta\n\tx\n\tc\n",
			"5 \ta|-   [b]|6 + \t[x]|7 \tc|differs in 2 lines, first in line 5",
		},
		"no indentation": {"a\n", " a\n", "5  a|differs in 1 line, first in line 5"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, indentation := compare(&apply.BlockReport{
				Block:   &parser.Block{Search: []byte(c.search)},
				Nearest: &apply.Nearest{Lines: [2]int{5, 9}, Text: c.text},
			})
			var got []string
			for _, r := range rows {
				text := cleanTabbed(r.text)
				if r.to > r.from {
					text = cleanTabbed(r.text[:r.from]) + "[" + cleanTabbed(r.text[r.from:r.to]) +
						"]" + cleanTabbed(r.text[r.to:])
				}
				switch {
				case r.sign == '-':
					text = "- " + text
				case r.sign == '+':
					text = strconv.Itoa(r.number) + " + " + text
				default:
					text = strconv.Itoa(r.number) + " " + text
				}
				got = append(got, text)
			}
			if indentation != "" {
				got = append(got, indentation)
			}
			if d := cmp.Diff(c.want, strings.Join(got, "|")); d != "" {
				t.Error(d)
			}
		})
	}
}
