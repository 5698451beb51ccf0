package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// wide is a run whose report does not fit a terminal.
func wide() Outcome {
	return Outcome{
		Status: apply.Refused,
		Blocks: []apply.BlockReport{
			{ID: 1, Path: "packages/frontend/src/components/settings/notifications/EmailNotificationSettings.test.tsx", Status: apply.BlockReady, Strategy: "whitespace-normalized", Score: 1, Lines: at(1212, 1240)},
			{ID: 2, Path: "資料/二〇二六年/非常に長い名前の一覧表とその説明についての文書.md", Status: apply.BlockReady, Strategy: "exact", Score: 1, Lines: at(3, 3)},
			{ID: 3, Path: "a.py", Status: apply.BlockReady, Block: &parser.Block{Op: parser.OpMove, NewPath: "packages/backend/internal/services/accounts/registration/a.py"}},
			{
				ID: 4, Path: "src/cafe\u0301/menu.py", Status: apply.BlockReady, Strategy: "levenshtein", Score: 0.968, Lines: at(7, 9),
				Warnings: []string{"drift: line 8 of the file is not in SEARCH and was kept, as are the two lines after it, which nobody mentions; look at them"},
			},
			{ID: 10, Path: "a.py", Status: apply.BlockAlready, Lines: at(1, 1)},
			{ID: 11, Path: "packages/frontend/src/components/settings/notifications/EmailNotificationSettings.tsx", Status: apply.BlockFailed, Reason: apply.Overlap, Message: "changes line 1, as block 1 does"},
		},
	}
}

// Each block has one line of the terminal, whatever its width; what follows it is wrapped, and only text that is to be copied is longer.
func TestReportFitsTheTerminal(t *testing.T) {
	for _, columns := range []int{60, 80, 140} {
		for _, color := range []bool{false, true} {
			name := fmt.Sprintf("wide-%d", columns)
			if color {
				name += "-color"
			}
			t.Run(name, func(t *testing.T) {
				var b bytes.Buffer
				p := Printer{W: &b, Color: color, Columns: columns}
				Report(p, p, wide(), Normal)
				golden(t, name, strings.ReplaceAll(b.String(), "\x1b", "ESC"))
				for line := range strings.Lines(b.String()) {
					if n := cells(strings.TrimSuffix(line, "\n")); !color && n > columns && !strings.HasPrefix(line, "✗") {
						t.Errorf("%d columns: %q", n, line)
					}
				}
			})
		}
	}
	var plain bytes.Buffer
	Report(Printer{W: &plain}, Printer{W: &plain}, wide(), Normal)
	if strings.Contains(plain.String(), "…") {
		t.Errorf("something is cut where no terminal is:\n%s", plain.String())
	}
}

func TestMiddleCut(t *testing.T) {
	for _, c := range []struct {
		in      string
		columns int
		want    string
	}{
		{"src/a.py", 8, "src/a.py"},
		{"src/deep/down/name.go", 15, "src/…wn/name.go"},
		{"資料資料資料/一覧.md", 12, "資…/一覧.md"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"e\u0301e\u0301e\u0301e\u0301", 3, "…e\u0301e\u0301"},
	} {
		got := middleCut(c.in, c.columns)
		if n := cells(got); n > c.columns {
			t.Errorf("middleCut(%q, %d) = %q has %d columns", c.in, c.columns, got, n)
		}
		if got != c.want {
			t.Errorf("middleCut(%q, %d) = %q, want %q", c.in, c.columns, got, c.want)
		}
	}
}

// Many blocks that need no look are a line a file, or one; what needs one is listed among however many.
func TestManyBlocks(t *testing.T) {
	many := func(files int) (o Outcome) {
		o.Status, o.Written = apply.Partial, true
		for i := range 100 {
			b := apply.BlockReport{ID: i + 1, Path: fmt.Sprintf("src/f%d.py", i%files), Status: apply.BlockApplied, Strategy: "exact", Score: 1, Lines: at(i+1, i+2)}
			switch i {
			case 50:
				b.Strategy = "line-trimmed"
			case 60:
				b.Warnings = []string{"drift: line 8"}
			case 70:
				b.Status, b.Strategy, b.Reason, b.Message = apply.BlockFailed, "", apply.Denied, "it is denied"
			case 80:
				b.Status = apply.BlockAlready
			}
			o.Blocks = append(o.Blocks, b)
		}
		return o
	}
	for name, o := range map[string]Outcome{"many-in-files": many(3), "many-files": many(100)} {
		var b, all bytes.Buffer
		Report(Printer{W: &b}, Printer{W: &b}, o, Normal)
		golden(t, name, b.String())
		Report(Printer{W: &all}, Printer{W: &all}, o, Verbose)
		if n := strings.Count(all.String(), "\n✓") + 1; n != 98 {
			t.Errorf("-v lists %d blocks that were applied, want 98", n)
		}
	}
}

// What is to be done about blocks whose files are all in another directory is said once, by whoever knows of that directory.
func TestElsewhere(t *testing.T) {
	o := Outcome{Status: apply.Refused, Elsewhere: map[int]bool{1: true, 2: true}}
	for i := range 3 {
		o.Blocks = append(o.Blocks, apply.BlockReport{ID: i + 1, Path: fmt.Sprintf("lib/%d.py", i), Status: apply.BlockFailed, Reason: apply.NoSuchFile, Message: "there is no such file"})
	}
	var b bytes.Buffer
	Report(Printer{W: &b}, Printer{W: &b}, o, Normal)
	if s := b.String(); !strings.HasPrefix(s, "✗ 1  lib/0.py: no-such-file\n✗ 2  lib/1.py: no-such-file\n✗ 3  lib/2.py: no-such-file: there is no such file\n     to fix: ") {
		t.Error(s)
	}
}

func TestDiffMarksWords(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"a word": {
			"@@ -1,2 +1,2 @@\n-def area(self, width):\n-    return 1\n+def area(self, height):\n+    return 2\n",
			"-def area(self, [width]):\n-    return [1]\n+def area(self, [height]):\n+    return [2]\n",
		},
		"another line":      {"@@ -1 +1 @@\n-alpha beta\n+gamma delta\n", "-alpha beta\n+gamma delta\n"},
		"a line more":       {"@@ -1 +1,2 @@\n-call(a)\n+open()\n+call(b)\n", "-call([a])\n+open()\n+call([b])\n"},
		"blanks":            {"@@ -1 +1 @@\n-\tx = 1\n+  x = 1\n", "-[\t]x = 1\n+[  ]x = 1\n"},
		"wide characters":   {"@@ -1 +1 @@\n-title = 一覧 表\n+title = 一覧 図\n", "-title = 一覧 [表]\n+title = 一覧 [図]\n"},
		"a removed --":      {"@@ -1 +1 @@\n--- x\n+-- y\n", "--- [x]\n+-- [y]\n"},
		"the end of a line": {"@@ -1 +1 @@\n-x = 1\n\\ No newline at end of file\n+x = 2\n", "-x = [1]\n\\ No newline at end of file\n+x = [2]\n"},
		"two files": {
			"@@ -1 +1 @@\n-x = 1\n+x = 2\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-y = 1\n+y = 2\n",
			"-x = [1]\n+x = [2]\n--- a/y\n+++ b/y\n-y = [1]\n+y = [2]\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			Diff(Printer{W: &b, Color: true}, []byte(c.in))
			got := strings.NewReplacer("\x1b[31;7m", "[", "\x1b[32;7m", "[").Replace(b.String())
			var plain strings.Builder
			for line := range strings.Lines(got) {
				if strings.Contains(line, "@@") {
					continue
				}
				for part := range strings.SplitSeq(line, "\x1b[0m") {
					for _, st := range []string{"\x1b[31m", "\x1b[32m", "\x1b[1m"} {
						part = strings.ReplaceAll(part, st, "")
					}
					if strings.Contains(part, "[") {
						part += "]"
					}
					plain.WriteString(part)
				}
			}
			if plain.String() != c.want {
				t.Errorf("got\n%swant\n%s", plain.String(), c.want)
			}
		})
	}
}

// refusedWide is a refusal with lines that no terminal has room for, in two scripts and with tabs.
func refusedWide() apply.BlockReport {
	search := "\tif err := store.Put(ctx, key, value, options.WithTimeout(time.Second)); err != nil {\n\t\treturn fmt.Errorf(\"the store is full of things that nobody needs: %w\", err)\n// こんにちは世界。これは長い行です。幅を確かめるために書いていました。とても長い行。\n"
	return apply.BlockReport{
		ID: 1, Path: "internal/store/put.go", Status: apply.BlockFailed, Reason: apply.NotFound,
		Message: "lines 7 to 9 are nearest, but a changed line differs there, and what the block puts in its place would lose what the file has: " + strings.Repeat("これは長い文です。", 12),
		Nearest: &apply.Nearest{
			Lines: [2]int{7, 9}, Score: 0.87, Before: "func put() error {\n",
			Text: strings.Replace(strings.Replace(search, "time.Second", "time.Minute", 1), "書いていました", "書いています", 1), After: "\t}\n",
		},
		Block: &parser.Block{ID: 1, Op: parser.OpEdit, Path: "internal/store/put.go", Dialect: "aider", Lines: [2]int{1, 9},
			Search: []byte(search), Replace: []byte(strings.Replace(search, "nobody needs", "somebody needs", 1))},
		Tried: []string{"exact", "line-trimmed"},
	}
}

// Whatever is there to be read fits the terminal; -v cuts nothing off.
func TestRefusalFitsTheTerminal(t *testing.T) {
	r := refusedWide()
	why := &apply.Why{Report: r,
		Readings: []apply.ReadingWhy{{Hunks: []apply.HunkWhy{{Search: [2]int{2, 2}, Replace: [2]int{2, 2}}}}},
		Places: []apply.PlaceWhy{{Lines: [2]int{7, 9}, Score: 0.87, Strategy: "levenshtein", Alignment: []apply.PairWhy{
			{Search: 1, File: 7, Relation: "similar", Similarity: 0.9, Text: string(lines(r.Block.Search)[0]), FileText: string(lines([]byte(r.Nearest.Text))[0])},
			{Search: 2, File: 8, Relation: "same", FileText: string(lines(r.Block.Search)[1])},
		}}},
	}
	for _, columns := range []int{60, 80, 140} {
		for name, write := range map[string]func(Printer, Detail){
			"refused-wide": func(p Printer, d Detail) {
				Report(p, p, Outcome{Status: apply.Refused, Blocks: []apply.BlockReport{r}, Remembered: true}, d)
			},
			"why-wide": func(p Printer, d Detail) { p.Why(why, d) },
		} {
			name := fmt.Sprintf("%s-%d", name, columns)
			t.Run(name, func(t *testing.T) {
				var b, all bytes.Buffer
				write(Printer{W: &b, Columns: columns}, Normal)
				golden(t, name, b.String())
				for line := range strings.Lines(b.String()) {
					if n := cells(strings.TrimSuffix(line, "\n")); n > columns {
						t.Errorf("%d columns: %q", n, line)
					}
				}
				write(Printer{W: &all, Columns: columns}, Verbose)
				if strings.Contains(all.String(), "…") {
					t.Errorf("-v cuts off:\n%s", all.String())
				}
			})
		}
	}
}
