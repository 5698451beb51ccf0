package parser

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// A typical reply without any edit, full of lines that begin like an envelope.
const ordinaryReply = `---
title: Notes
---

Here is what I found --- three things:

* **First**: the config is ` + "`{\"path\": \"a\"}`" + `.
- [ ] a task
- item
+ another

***

` + "```go" + `
func main()
{
	x := []string{
		"a",
	}
}
` + "```" + `

` + "```json" + `
{
  "name": "demo",
  "files": ["dist"],
  "scripts": {"search": "grep", "replace": "sed"}
}
` + "```" + `

` + "```yaml" + `
--- # first document
a: [1, 2]
--- !tag
{b: 1}
` + "```" + `

[1]: https://example.org
[link](src/a.py) and <diff> and <edits> in text.
{{ template }} {% raw %}
@property
@@ -text
diff shows the change, apply_patch applies it << like this
cd src && make
` + "```sql" + `
-- a comment
--- loud comment
select 1;
` + "```" + `
<details>
<content>none</content>
</details>

-- 
Jo
`

func TestEnvelopeOrdinaryReplyHasNone(t *testing.T) {
	for name, reply := range map[string]string{"LF": ordinaryReply,
		"CRLF": strings.ReplaceAll(ordinaryReply, "\n", "\r\n")} {
		blocks, diags := readEnveloped([]byte(reply), 1)
		if len(blocks) > 0 || len(diags) > 0 {
			t.Errorf("%s: blocks %v, diagnostics %v", name, blocks, diags)
		}
	}
}

// Lines that turn out not to belong to an envelope are scanned again, so no block after it is lost.
func TestEnvelopeGivesLinesBack(t *testing.T) {
	const block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	for name, before := range map[string]string{
		"header without its second line": "--- a/x.go\n",
		"JSON that is none":              "{\n  \"path\": \"x\",\n",
		"heredoc of something else":      "apply_patch <<EOF\n",
		"patch without end marker":       "*** Begin Patch\n*** Update File: x.go\n-a\n+b\n",
		"diff":                           "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n",
		"wrapper without edits":          "<edits>\n",
		"old side without new side":      "<old_text>\na\n</old_text>\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := Parse([]byte(before + block))
			i := slices.IndexFunc(r.Blocks, func(b Block) bool { return b.Dialect == "aider" })
			if i < 0 {
				t.Fatalf("the block is lost: %+v", r)
			}
			first := strings.Count(before, "\n") + 1
			if b := r.Blocks[i]; b.Lines != [2]int{first, first + 4} || string(b.Search) != "a\n" {
				t.Errorf("block %q in lines %v, want a in [%d %d]", b.Search, b.Lines, first, first+4)
			}
		})
	}
}

// Each example is read as the format of its table.
func TestEnvelopeFormatIsRecognised(t *testing.T) {
	conformance(t, func(format, name string, reply []byte, _ *[]byte) {
		blocks, _ := readEnveloped(reply, 1)
		for _, b := range blocks {
			if b.Dialect != format {
				t.Errorf("%s/%s gives a block of %s", format, name, b.Dialect)
			}
		}
	})
}

// Hints and names around an envelope in a reply apply to its blocks.
func TestEnvelopeInReply(t *testing.T) {
	for _, c := range []struct{ name, reply, path, search string }{
		{"name above tags", "src/a.py\n```xml\n<edits>\n<old_text>\na\n</old_text>\n<new_text>\nb\n</new_text>\n</edits>\n```\n", "src/a.py", "a\n"},
		{"name above a bare hunk", "**src/a.py**\n```diff\n@@ -1 +1 @@\n-a\n+b\n```\n", "src/a.py", "a\n"},
		{"patch in a shell block",
			"```bash\napply_patch <<'EOF'\n*** Begin Patch\n*** Update File: x\n-a\n+b\n*** End Patch\nEOF\n```\n", "x", "a\n"},
		{"diff in a shell block",
			"```sh\ngit apply <<'EOF'\n--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\nEOF\n```\n", "x", "a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Parse([]byte(c.reply))
			if len(r.Blocks) != 1 || len(r.Diagnostics) > 0 {
				t.Fatalf("got %+v", r)
			}
			if b := r.Blocks[0]; b.Path != c.path || string(b.Search) != c.search {
				t.Errorf("got %s %q, want %s %q", b.Path, b.Search, c.path, c.search)
			}
		})
	}
}

// Removed and added lines that begin with -- and ++ look like the next file's names. In a hunk
// without counts they are content, in their place, if the hunk continues.
func TestDiffContentLikeHeader(t *testing.T) {
	const head = "--- a/q.sql\n+++ b/q.sql\n@@ ... @@\n select 1\n--- old/note\n+++ new/note\n"
	r := Parse([]byte("```diff\n" + head + " select 2\n```\n"))
	if len(r.Blocks) != 1 || len(r.Diagnostics) > 0 ||
		string(r.Blocks[0].Search) != "select 1\n-- old/note\nselect 2\n" ||
		string(r.Blocks[0].Replace) != "select 1\n++ new/note\nselect 2\n" {
		t.Errorf("%+v", r)
	}
	for name, tail := range map[string]string{"fence": "```\n", "blank line": "\n```\n", "prose": "That is all.\n"} {
		r := Parse([]byte("```diff\n" + head + tail))
		for _, b := range r.Blocks {
			if bytes.Contains(b.Search, []byte("note")) {
				t.Errorf("%s: %q -> %q", name, b.Search, b.Replace)
			}
		}
		if len(r.Diagnostics) == 0 {
			t.Errorf("%s: no diagnostic for names without a change", name)
		}
	}
}

// An envelope that exceeds the limit for blocks is refused, except for JSON, which has a separate
// limit.
func TestLargeEnvelopes(t *testing.T) {
	filler := strings.Repeat("+a line of the file\n", 40)
	patch := Parse([]byte("*** Begin Patch\n*** Update File: a.py\n-x\n"+filler+"*** End Patch\n"), withMaxBlock(300))
	if len(patch.Blocks) > 0 || len(patch.Diagnostics) == 0 || patch.Diagnostics[0].Code != "too-large" {
		t.Errorf("a long patch: %+v", patch)
	}
	value := "{\n\"path\": \"a.py\",\n\"old_string\": \"x\",\n" +
		strings.Repeat("\"note\": \"\",\n", 40) + "\"new_string\": \"y\"\n}\n"
	if r := Parse([]byte(value), withMaxBlock(300)); len(r.Blocks) != 1 || len(r.Diagnostics) > 0 {
		t.Errorf("a long JSON value: %+v", r)
	}
}

// A long value without an edit is prose.
func TestLongValueWithoutAnEdit(t *testing.T) {
	for _, n := range []int{maxLookAgain, 200_000} {
		reply := "{\n" + strings.Repeat("  \"a\": 1,\n", n/10) + "  \"b\": 2\n}\n"
		items := Parse([]byte(strings.Repeat("Text.\n", 100) + reply +
			"a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"))
		if len(items.Blocks) != 1 || len(items.Diagnostics)+len(items.Noticed) > 0 {
			t.Errorf("%d bytes: %+v", n, items)
		}
	}
}
