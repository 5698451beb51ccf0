package parser

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// markerDialects lists the dialects with markers, as in Block.Dialect.
var markerDialects = []string{"aider", "roo", "cline", "original-updated", "head-updated"}

// drawMarkerLine draws lines that resemble markers.
var drawMarkerLine = rapid.Custom(func(t *rapid.T) string {
	indent := rapid.SampledFrom([]string{"", "", "", " ", "\t", "> ", "\\", "\\\\", " \\", "\\ ",
		"\\> ", "\u00a0", "\u200b", "\ufeff ", "\\\u00a0"}).Draw(t, "indent")
	return indent + rapid.SampledFrom([]string{"<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE",
		"<<<<<<< HEAD", ">>>>>>> main",
		"|||||||", "-------", ":start_line:3", ":end_line: 4", "------- SEARCH", "+++++++ REPLACE", "<<<<<<<<< SEARCH",
		"=========", ">>>>>>>>> REPLACE", "<<<<<<< ORIGINAL", ">>>>>>> UPDATED", ">>>>>>> updated",
		"===", "```", "~~~", "</source>",
		"<<<< SEARCH", "<<<<<<< SEARCH (1-2)", "Title", "src/a.py", "", "code", "x\r",
		"<<<<<<<\u00a0SEARCH", "=======\u00a0", ">>>>>>>\u00a0REPLACE", ">>>>>>>>>> REPLACE",
		"＜＜＜＜＜＜＜ SEARCH", "# =======", "**>>>>>>> REPLACE**",
		"<<<<<<< OLD", ">>>>>>> NEW", "é", "src", "src/", "User: x", "#### x  "}).Draw(t, "marker")
})

func drawSide(t *rapid.T, label string, least int) []byte {
	lines := rapid.SliceOfN(rapid.OneOf(drawMarkerLine, contentLine), least, 8).Draw(t, label)
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

func drawEdit(t *rapid.T) Block {
	b := Block{Op: OpEdit, Dialect: rapid.SampledFrom(markerDialects).Draw(t, "dialect")}
	b.Path = rapid.OneOf(pathName,
		rapid.SampledFrom([]string{"Makefile", "python", "a b.txt", "src/my file", "x", ".env", "a:12",
			"# odd", "(x)", "Here is it.", "é/ü.go", `C:\x\y.cs`, "..", "*.go"})).Draw(t, "path")
	if b.Search = drawSide(t, "search", 0); len(b.Search) == 0 {
		b.Op = OpCreate
	}
	b.Replace = drawSide(t, "replace", 0)
	b.StartLine = rapid.SampledFrom([]int{0, 0, 1, 42}).Draw(t, "start")
	b.EndLine = rapid.SampledFrom([]int{0, 0, 7, 50}).Draw(t, "end")
	return b
}

func drawProse(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "Let's change it.\n\n", "Now the next one:\n",
		"```bash\nmake\n```\n", "### Step 2\n\n",
		"- first\n- second\n", "a < b\n=======\nand so on\n\n", "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n",
		"# <<<<<<< SEARCH\nopens a block.\n\n", "\u00a0indented\n", "{path} is the path.\n",
		"```diff\n-a\n+b\n```\n"}).Draw(t, "prose")
}

func TestPrintRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		var want []Block
		for range rapid.IntRange(1, 4).Draw(t, "blocks") {
			b := drawEdit(t)
			text.WriteString(drawProse(t))
			printed, err := Format([]Block{b})
			if err != nil {
				t.Fatalf("%v\n%q %q %q", err, b.Path, b.Search, b.Replace)
			}
			text.Write(printed)
			want = append(want, b)
		}
		got := Parse(text.Bytes())
		if len(got.Diagnostics) > 0 {
			t.Fatalf("diagnostics %+v of\n%s", got.Diagnostics, text.Bytes())
		}
		if len(got.Blocks) != len(want) {
			t.Fatalf("%d blocks of %d in\n%s", len(got.Blocks), len(want), text.Bytes())
		}
		for i := range want {
			if !envelope.Same(&got.Blocks[i], &want[i]) {
				t.Fatalf("block %d is\n%q %q %q, want\n%q %q %q in\n%s", i+1, got.Blocks[i].Path,
					got.Blocks[i].Search, got.Blocks[i].Replace, want[i].Path, want[i].Search,
					want[i].Replace, text.Bytes())
			}
			if d := got.Blocks[i].Dialect; d != want[i].Dialect && d != "roo" && want[i].Dialect != "roo" {
				t.Fatalf("block %d came back as %s, not %s", i+1, d, want[i].Dialect)
			}
		}
	})
}

func TestPrintRefusesWhatItCannotExpress(t *testing.T) {
	for name, b := range map[string]Block{
		"unterminated line": {Op: OpEdit, Search: []byte("a"), Replace: []byte("b\n")},
		"line end in name":  {Op: OpCreate, Path: "a\nb", Replace: []byte("b\n")},
		"part of a line":    {Op: OpEdit, Substring: true, Search: []byte("a\n"), Replace: []byte("b\n")},
	} {
		if out, err := Format([]Block{b}); err == nil || len(out) > 0 {
			t.Errorf("%s: wrote %q, error %v", name, out, err)
		}
	}
}
