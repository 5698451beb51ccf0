package unread

import (
	"bytes"
	"slices"
	"testing"
)

func textOf(s string) Text {
	return Text{Lines: slices.Collect(bytes.Lines([]byte(s))), First: 1, Alone: true}
}

func TestFind(t *testing.T) {
	const refused, noticed, nothing = "refused", "noticed", "nothing"
	for _, c := range []struct{ name, text, want string }{
		{"labels in capitals", "a.py\nSEARCH:\n1\nREPLACE:\n2\n", refused},
		{"the same without a file", "SEARCH:\n1\nREPLACE:\n2\n", noticed},
		{"markers of three signs", "<<< SEARCH\n1\n===\n2\n>>> REPLACE\n", refused},
		{"markers in comments", "a.py\n# <<<<<<< SEARCH\n# 1\n# =======\n# 2\n# >>>>>>> REPLACE\n", refused},
		{"an example in comments", "# <<<<<<< SEARCH\n# 1\n# =======\n# 2\n# >>>>>>> REPLACE\n", noticed},
		{"JSON with single quotes", "{'path': 'a.py', 'old_string': '1', 'new_string': '2'}\n", refused},
		{"a call in YAML", "path: a.py\nold_string: |\n  1\nnew_string: |\n  2\n", refused},
		{"a call by places over lines", "Edit(\n    \"a.py\",\n    \"1\",\n    \"2\",\n)\n", noticed},
		{"a patch in JSON", `{"command": ["apply_patch", "*** Begin Patch\n*** Update File: a.py\n"` + "\n", noticed},
		{"labels above fences", "a.py\nBefore:\n```\n1\n```\nAfter:\n```\n2\n```\n", refused},
		{"a tag of a call in tokens",
			"<arg_key>old_string</arg_key>\n<arg_value>1</arg_value>\n<arg_key>path</arg_key>\n<arg_key>new_string</arg_key>\n",
			noticed},
		{"a command", "cat > a.py <<EOF\n1\nEOF\n", nothing},
		{"a conflict of git", "a.py\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> feature/x\n", noticed},
		{"headings of a text", "### Before\n\nIt was slow.\n\n### After\n\nIt is fast.\n", nothing},
		{"words about keys", "The tool takes `old_string` and `new_string` for a.py.\n", nothing},
		{"a row of a table", "| `a.py` | \"old_string\": \"1\", \"new_string\": \"2\" |\n", nothing},
		{"how calls are", "{\"path\": \"...\", \"old_string\": \"...\", \"new_string\": \"...\"}\n", nothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := nothing
			for _, f := range Find(textOf(c.text)) {
				if got = noticed; f.Sure {
					got = refused
					break
				}
			}
			if got != c.want {
				t.Errorf("%s, not %s:\n%s", got, c.want, c.text)
			}
		})
	}
}

// Names, labels and fences around a block belong to it.
func TestLinesAroundABlockAreNoTraces(t *testing.T) {
	text := textOf("```\n\nNow the other file.\n\n**Replace:**\n\nb.py\n```python\n")
	text.Above, text.Below, text.Alone = true, true, false
	if found := Find(text); len(found) > 0 {
		t.Errorf("%+v", found)
	}
}

func TestCutOff(t *testing.T) {
	for line, want := range map[string]bool{
		"<<<<<<< SEA": true, "<<<<": true, "<<": false, "<<<<<<< HEAD": false, "------- SEAR": true, "-------": false,
		"*** Update Fi": true, "<old_te": true, "<old_text>": false, "<div": false, "a < b": false,
	} {
		if CutOff([]byte(line)) != want {
			t.Errorf("%q: not %v", line, want)
		}
	}
}
