package parser

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/parser/internal/envelope"
)

// drawReply draws a text of prose, names, blocks and pieces of blocks, well-formed or not.
func drawReply(t *rapid.T) []byte {
	var text bytes.Buffer
	for range rapid.IntRange(1, 6).Draw(t, "parts") {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			text.WriteString(drawProse(t))
		case 1:
			text.Write(drawSide(t, "lines", 0))
		case 2:
			text.WriteString(rapid.SampledFrom([]string{"src/b.py\n```diff\n x\n\n-a\n+b\n```\n",
				"src/b.py\n```diff\n+b\n",
				"src/b.py\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n",
				"{'path': 'a',\n 'old_str': 'b', 'new_str': 'c'}\n",
				"{\n  \"path\": \"a\", // x\n  \"search\": \"b\",\n  \"replace\": \"c\"\n}\n",
				"# <<<<<<< SEARCH\na\n# =======\nb\n# >>>>>>> REPLACE\n",
				"<<<<<<< OLD\na\n=======\nb\n>>>>>>> NEW\n", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> REPLACE\n",
				"src/b.py\n```diff\n-a\n```\n+b\n```\n", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\n```\n\n- c\n+ d\n",
				"```diff\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\nNow this:\n+b\n\\-c\n d\n```\n",
				"*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\nNow the next one.\n@@\n c\nd\n@\n+e\n*** End Patch\n",
				"<edits>\n<old_text>\na\n</old_text>\n<new_text>\nb\n</new_test>\n<old_text>\nc\n</old_text>\n<new_text>\n</old_text>\n</edits>\n",
				"<apply_diff>\n<path>x</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n</diff>\n<path>y</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE</diff>\n</apply_diff>\n",
				"{\"file_path\": \"n\", \"content\": \"x\"}\n",
				"{\"path\": \"a\", \"old_str\": \"b\", \"new_str\": \"c\", \"replace\": \"d\"}\n",
				"src/b.py\n```\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nb\n```\n",
				"src/b.py\n```\n<<<<<<< SEARCH\na\n=======\nb\n```\n>>>>>>> REPLACE\n", "```\n",
				"User: x\n", "Assistant:\n", "#### x  \n", "#### x\n", "> Tokens: 1\n\n"}).Draw(t, "attempt"))
		default:
			b := drawEdit(t)
			printed, err := Format([]Block{b})
			if err != nil {
				t.Skip("no marker length or escape prints this block, so it is in no reply")
			}
			text.Write(printed)
		}
	}
	return text.Bytes()
}

func TestLongProseLinesAndNamesFarAbove(t *testing.T) {
	block := "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	for _, gap := range []int{10, lookBack - 100, lookBack, lookBack + 100, 3 * lookBack} {
		reply := []byte("src/a.py\n\n" + strings.Repeat("x", gap) + "\n\n" + block + "src/b.py\n" + block)
		whole := Parse(reply)
		if whole.Blocks[1].Path != "src/b.py" {
			t.Errorf("gap %d: second block for %q", gap, whole.Blocks[1].Path)
		}
	}
}

// TestCutAtEveryByte cuts replies off. No block may appear that the whole reply doesn't have,
// unless a warning says why the block counts as closed, or text above it is refused. A reply that is
// refused as a chat log has no blocks.
func TestCutAtEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := drawReply(t)
		whole := Parse(reply)
		if slices.ContainsFunc(whole.Diagnostics, isChatLog) {
			return
		}
		for cut := range reply {
			part := Parse(reply[:cut])
			got := part.Blocks
			if slices.ContainsFunc(got, onEvidence) {
				continue
			}
			for _, b := range got {
				if slices.ContainsFunc(part.Diagnostics, func(d Diagnostic) bool { return d.Line < b.Lines[0] }) {
					continue // the block may be part of the text that couldn't be read above it
				}
				known := slices.ContainsFunc(whole.Blocks,
					func(w Block) bool { return w.Lines[0] == b.Lines[0] && envelope.Same(&w, &b) })
				if !known {
					t.Fatalf("cut at %d of %d, at %q: block of lines %v, %q -> %q, warnings %q\n%s",
						cut, len(reply), tailOf(reply[:cut]), b.Lines, b.Search, b.Replace, b.Warnings, reply)
				}
			}
		}
	})
}

func isChatLog(d Diagnostic) bool { return d.Code == diagnosis.ChatLog }

// onEvidence reports whether a block counts as closed although its own closer is missing, or
// although the text after it could have changed its meaning.
func onEvidence(b Block) bool {
	return slices.ContainsFunc(b.Warnings, func(w string) bool {
		return strings.Contains(w, "in place of the missing closer") ||
			strings.Contains(w, "does not match the opener") || strings.Contains(w, "closer is missing") ||
			strings.Contains(w, "fence was closed before") ||
			strings.Contains(w, "the fence after an empty REPLACE")
	})
}

func tailOf(b []byte) []byte { return b[max(0, len(b)-30):] }

// TestEveryLineIsAccountedFor checks that every line of a reply belongs to a block, a name, a shell
// block, prose or a diagnostic.
func TestEveryLineIsAccountedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := drawReply(t)
		checkAccount(t, reply)
	})
}

type fataler interface{ Fatalf(string, ...any) }

func checkAccount(t fataler, reply []byte) {
	s := newScanner(reply, 1)
	r := s.reply()
	read := s.in.buf // the reply, its lines split where they end in CR
	lines := bytes.Count(read, []byte("\n"))
	if len(read) > 0 && read[len(read)-1] != '\n' {
		lines++
	}
	if len(s.out.uses.lines) != lines {
		t.Fatalf("%d lines accounted for, of %d in\n%q", len(s.out.uses.lines), lines, reply)
	}
	if i := slices.Index(s.out.uses.lines, unaccounted); i >= 0 {
		t.Fatalf("line %d is unaccounted for in\n%q", i+1, reply)
	}
	uses := func(first, last int, want ...use) {
		for i := first; i <= last; i++ {
			if !slices.Contains(want, s.out.uses.lines[i-1]) {
				t.Fatalf("line %d is used as %d, not %v in\n%s", i, s.out.uses.lines[i-1], want, reply)
			}
		}
	}
	for _, b := range r.Blocks {
		if slices.Contains(markerDialects, b.Dialect) {
			uses(b.Lines[0], b.Lines[1], inBlock, enveloped) // Roo's envelope holds blocks with markers
		}
	}
	for _, sh := range r.Shell {
		uses(sh.Lines[0], sh.Lines[1], inShell)
	}
	for _, a := range r.Attempts {
		uses(a.Lines[0], a.Lines[1], diagnosed)
	}
	last := 0
	for _, b := range r.Blocks {
		if slices.Contains(markerDialects, b.Dialect) {
			if b.Lines[0] <= last {
				t.Fatalf("block of lines %v overlaps the one before in\n%s", b.Lines, reply)
			}
			last = b.Lines[1]
		}
	}
}

func TestLimits(t *testing.T) {
	big := strings.Repeat("0123456789\n", 100)
	reply := "a.py\n<<<<<<< SEARCH\n" + big +
		"=======\nb\n>>>>>>> REPLACE\nb.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	r := Parse([]byte(reply), withMaxBlock(500))
	if len(r.Blocks) != 1 || r.Blocks[0].Path != "b.py" || len(r.Diagnostics) != 1 ||
		r.Diagnostics[0].Code != "too-large" || r.Diagnostics[0].Line != 2 {
		t.Errorf("%+v", r)
	}
}

// A line over the limit is skipped, and a block that contains it is refused. The lines after it are
// read.
func TestLongLines(t *testing.T) {
	const block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name, reply string
		blocks      []string
		line        int
	}{
		{"prose", "ok\n" + long + "\nb.py\n" + block, []string{"b.py"}, 2},
		{"at the end", "a.py\n" + block + long, []string{"a.py"}, 7},
		{"in a block", "a.py\n<<<<<<< SEARCH\n" + long + "\n=======\nb\n" + "b.py\n" + block, []string{"b.py"}, 2},
		{"in a block at the end", "a.py\n<<<<<<< SEARCH\n" + long, nil, 2},
		{"after what may be an envelope", "{\n" + long + "\nb.py\n" + block, []string{"b.py"}, 2},
		{"after the names of a diff", "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-a\n+b\n--- x/y\n" + long + "\n", nil, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := Parse([]byte(c.reply), withMaxLine(999))
			var paths []string
			for _, b := range whole.Blocks {
				paths = append(paths, b.Path)
			}
			codes := make(map[string]int)
			for _, d := range whole.Diagnostics {
				codes[d.Code] = d.Line
			}
			if c.blocks != nil && !slices.Equal(paths, c.blocks) || codes["too-long"] == 0 {
				t.Errorf("blocks for %q, diagnostics %+v", paths, whole.Diagnostics)
			}
			if c.blocks != nil && codes["too-long"] != c.line {
				t.Errorf("diagnostics %+v, want one in line %d", whole.Diagnostics, c.line)
			}
		})
	}
}

func TestTooManyBlocks(t *testing.T) {
	block := "a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	for _, n := range []int{2, 3} {
		r := Parse([]byte(strings.Repeat(block, 3)), WithMaxBlocks(n))
		if n == 3 && (len(r.Blocks) != 3 || len(r.Diagnostics) > 0) {
			t.Errorf("limit %d: %+v", n, r)
		}
		if n == 2 && (len(r.Blocks) != 2 || len(r.Diagnostics) != 1 ||
			r.Diagnostics[0].Code != "too-many" || r.Diagnostics[0].Line != 14) {
			t.Errorf("limit %d: %+v", n, r)
		}
	}
}

// A patch without an end is refused at the limit.
func TestTooLargeEnvelope(t *testing.T) {
	reply := "*** Begin Patch\n*** Update File: a.py\n-a\n" + strings.Repeat("+b\n", 500) +
		"*** End Patch\n\nb.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	r := Parse([]byte(reply), withMaxBlock(1000))
	if len(r.Blocks) != 1 || r.Blocks[0].Path != "b.py" || len(r.Diagnostics) == 0 ||
		r.Diagnostics[0].Code != "too-large" || r.Diagnostics[0].Line != 1 {
		t.Errorf("%+v", r)
	}
}

// A name still counts if the text below it only looks like an envelope.
func TestNamesNextToEnvelopes(t *testing.T) {
	const block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	code := "```go\nfunc f() {\n\tif x {\n\t{\n\t}\n}\n\t[\n}\n```\n\nSome words.\n\nAnd some more.\n\nOnce more.\n\nThen the edit.\n\n"
	for name, reply := range map[string]string{
		"heading above code with braces": "### src/a.py\n\n" + code + block,
		"heading and a lone brace":       "### src/a.py\n\n{\n\n" + strings.Repeat("Words.\n\n", 9) + block,
	} {
		r := Parse([]byte(reply))
		if len(r.Blocks) != 1 || r.Blocks[0].Path != "src/a.py" {
			t.Errorf("%s: %+v", name, r.Blocks)
		}
	}
}

func withMaxBlock(bytes int) Option { return func(r *request) { r.maxBlock = bytes } }

func withMaxLine(bytes int) Option { return func(r *request) { r.maxLine = bytes } }
