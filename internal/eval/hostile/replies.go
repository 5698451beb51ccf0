package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Pattern is a kind of text.
type Pattern struct {
	Name string
	// Log says that it is read as a chat log.
	Log bool
	// Text returns about n bytes of it.
	Text func(n int) []byte
}

// Patterns lists all kinds.
func Patterns() []Pattern {
	all := replies()
	for _, p := range logs() {
		p.Log = true
		all = append(all, p)
	}
	return all
}

// Ordinary returns replies as models write them.
func Ordinary() *Pattern {
	return &Pattern{Name: "an ordinary reply",
		Text: repeat("The function keeps no copy of what it reads, so `load` changes the list of its caller.\n\nsrc/load.py\n" +
			"<<<<<<< SEARCH\ndef load(path):\n    with open(path) as f:\n        return [parse(line) for line in f]\n" +
			"=======\ndef load(path, limit=None):\n    with open(path) as f:\n        return [parse(line) for line in f][:limit]\n>>>>>>> REPLACE\n\n")}
}

// repeat makes text of one repeated unit.
func repeat(unit string) func(int) []byte { return within("", unit, "") }

// within makes text of one repeated unit between a beginning and an end.
func within(begin, unit, end string) func(int) []byte {
	return func(n int) []byte {
		return []byte(begin + strings.Repeat(unit, max(1, (n-len(begin)-len(end))/len(unit))) + end)
	}
}

// counted makes text of numbered lines.
func counted(begin, format, end string) func(int) []byte {
	return func(n int) []byte {
		b := bytes.NewBufferString(begin)
		for i := 1; b.Len() < n-len(end); i++ {
			fmt.Fprintf(b, format, i)
		}
		b.WriteString(end)
		return b.Bytes()
	}
}

// nested opens one thing in another, depth times, around a core and text that fills it.
func nested(depth int, begin, open, fill, core, shut, end string) func(int) []byte {
	return func(n int) []byte {
		left := max(1, (n-depth*(len(open)+len(shut)))/len(fill))
		return []byte(begin + strings.Repeat(open, depth) + strings.Repeat(fill, left) + core +
			strings.Repeat(shut, depth) + end)
	}
}

// prefixed makes text of a unit with different blanks before it each time.
func prefixed(unit string) func(int) []byte {
	return func(n int) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%020b", i)) + unit)
		}
		return b.Bytes()
	}
}

// growing makes text of lines that each have one sign more than the line above, up to a length at
// which it begins again.
func growing(sign, rest string, most int) func(int) []byte {
	return func(n int) []byte {
		var b bytes.Buffer
		for i := 3; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(sign, 3+i%most) + rest)
		}
		return b.Bytes()
	}
}

const block = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"

// inFences makes text of one unit in fences of up to 60 KB, the most that is looked at.
func inFences(info, unit string) func(int) []byte {
	return repeat("```" + info + "\n" + strings.Repeat(unit, 60<<10/len(unit)) + "```\n")
}

func replies() []Pattern {
	return []Pattern{
		{Name: "fences of edits", Text: inFences("", "<edits>\n")},
		{Name: "fences of edits in Markdown", Text: inFences("markdown", "<edits>\n")},
		{Name: "fences of names and conflicts", Text: inFences("", "src/a.py\n<<<<<<< HEAD\n")},
		{Name: "fences of comments and patches", Text: inFences("py", "# a\n*** Begin Patch\n")},
		{Name: "fences of tags and braces", Text: inFences("json", "<p>\n{\n")},
		{Name: "fences of patches in here-documents", Text: inFences("sh", "cat > a.patch <<E\n<<<<<<< HEAD\n")},
		{Name: "fences of short here-documents", Text: inFences("sh", "cat > a <<E\nE\n<edits>\n")},
		{Name: "fences of openers misspelt", Text: inFences("", "src/a.py\n<<<<<<< SERACH\n")},
		{Name: "fences of diffs", Text: inFences("diff", "--- a/x.go\n")},
		{Name: "fences in fences", Text: inFences("", "````\n<edits>\n````\n")},
		{Name: "elements around edits",
			Text: repeat("<file path=\"a.py\">\n" + strings.Repeat("<edits>\n", 5000) + "</file>\n")},
		{Name: "thoughts around edits", Text: within("<think>\n", "<edits>\n", "")},
		{Name: "braces", Text: repeat("{\n")},
		{Name: "brackets", Text: repeat("[\n")},
		{Name: "code with braces",
			Text: repeat("func f() {\n    if x {\n        y = append(y, a[i])\n    }\n    {\n        z()\n    }\n}\n")},
		{Name: "JSON without an edit",
			Text: repeat("{\"level\": \"info\", \"message\": \"it works\", \"path\": \"a.go\"}\n")},
		{Name: "one long array", Text: within("[\n", "1,\n", "")},
		{Name: "JSON edits", Text: repeat("{\"path\": \"a.go\", \"old_string\": \"a\", \"new_string\": \"b\"}\n")},
		{Name: "JSON edits in one array",
			Text: within("[", "{\"path\": \"a.go\", \"old_string\": \"a\", \"new_string\": \"b\"},\n", "{}]\n")},
		{Name: "JSON edits on one line",
			Text: within("{\"path\": \"a.go\", \"edits\": [",
				"{\"old_string\": \"a\", \"new_string\": \"b\"},", "{}]}\n")},
		{Name: "keys of JSON, cut off", Text: repeat("{\"path\": \"a.go\", \"old_string\": \"\n")},
		{Name: "deep JSON", Text: repeat("{\"edits\":")},
		{Name: "deep JSON, closed", Text: nested(5000, "", "{\"edits\":", "1", "", "}", "\n")},
		{Name: "deep JSON, fenced", Text: nested(9000, "```json\n", "[", "1,1,", "1", "]", "\n```\n")},
		{Name: "JSON as deep as it is read", Text: nested(15, "", "{\"edits\":[", "1,", "1", "]}", "\n")},
		{Name: "JSON as deep as it is read, of objects", Text: nested(30, "", "{\"edits\":", "[],", "1", "}", "\n")},
		{Name: "JSON as deep as it is read, in strings", Text: func(n int) []byte {
			text := strings.Repeat("1,", n/2) + "1"
			for range 4 {
				quoted, _ := json.Marshal(strings.Repeat(`{"edits":[`, 15) + text + strings.Repeat(`]}`, 15))
				text = string(quoted)
			}
			return []byte(`{"edits":` + text + "}\n")
		}},
		{Name: "deep JSON in strings", Text: func(n int) []byte {
			text := "x"
			for range 8 {
				text = fmt.Sprintf(`{"arguments": %q}`, text)
			}
			return bytes.Repeat([]byte(text+"\n"), n/len(text)+1)
		}},
		{Name: "a long string in JSON",
			Text: within("{\"path\": \"a.go\", \"old_string\": \"", `\n`, "\", \"new_string\": \"b\"}\n")},
		{Name: "begin patch", Text: repeat("*** Begin Patch\n")},
		{Name: "begin patch, update", Text: repeat("*** Begin Patch\n*** Update File: a\n")},
		{Name: "end patch", Text: repeat("*** End Patch\n")},
		{Name: "V4A headers", Text: within("*** Begin Patch\n", "*** Update File: a\n", "")},
		{Name: "V4A anchors", Text: within("*** Begin Patch\n*** Update File: a\n", "@@ def f():\n", "")},
		{Name: "V4A hunks of context",
			Text: within("*** Begin Patch\n*** Update File: a\n", "@@\n x\n", "*** End Patch\n")},
		{Name: "one long patch", Text: within("*** Begin Patch\n", "*** Update File: a\n-a\n+b\n", "")},
		{Name: "new files in a patch", Text: within("*** Begin Patch\n", "*** Add File: a\n+b\n", "*** End Patch\n")},
		{Name: "diff headers", Text: repeat("diff --git a/x b/x\n")},
		{Name: "diff names", Text: repeat("--- a/x.go\n+++ b/x.go\n")},
		{Name: "names of old files", Text: repeat("--- a/x.go\n")},
		{Name: "git names with many b/", Text: within("diff --git a/", " b/", "\n")},
		{Name: "hunk headers", Text: within("--- a/x.go\n+++ b/x.go\n", "@@ -1,3 +1,3 @@\n", "")},
		{Name: "fenced diffs", Text: repeat("```diff\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-a\n+b\n```\n")},
		{Name: "diff fences never closed", Text: repeat("```diff\n-a\n")},
		{Name: "one long hunk", Text: within("--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n", "-a\n+b\n", "")},
		{Name: "blank lines in a hunk",
			Text: within("--- a/x.go\n+++ b/x.go\n@@ -1,9999999 +1,9999999 @@\n-a\n", "\n", "")},
		{Name: "prose among added lines",
			Text: within("*** Begin Patch\n*** Update File: a\n@@\n-a\n+a\n", "It is so.\n", "+b\n*** End Patch\n")},
		{Name: "names in a hunk",
			Text: within("*** Begin Patch\n*** Update File: a\n@@\n-a\n+a\n", "src/a.py\n", " b\n*** End Patch\n")},
		{Name: "blank lines in an old_text", Text: within("<old_text>", "\n", "</old_text>\n")},
		{Name: "apply_diff", Text: repeat("<apply_diff>\n")},
		{Name: "apply_diff without an end", Text: within("<apply_diff>\n<path>a</path>\n<diff>\n", "text\n", "")},
		{Name: "apply_diff, files alone", Text: within("<apply_diff>\n<args>\n", "<file>\n<path>a</path>\n", "")},
		{Name: "apply_diff, ends that begin the next",
			Text: within("<apply_diff>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\n",
				"</diff><diff><<<<<<< SEARCH\n", "<<<<<<< SEARCH\n</apply_diff>\n")},
		{Name: "one line of CDATA ends", Text: within("<apply_diff>\n<path>a</path>\n<diff><![CDATA[", "]]>", "")},
		{Name: "old_text", Text: repeat("<old_text>\n")},
		{Name: "edits", Text: repeat("<edits>\n")},
		{Name: "tags on one line", Text: within("<edits>", "<old_text>a</old_text><new_text>b</new_text>", "")},
		{Name: "calls never closed",
			Text: repeat("<function_calls>\n<invoke name=\"Edit\">\n<parameter name=\"old_string\">\n")},
		{Name: "parameters on one line", Text: within("<invoke name=\"Edit\">", "<parameter name=\"old_string\">", "")},
		{Name: "str_replace calls", Text: repeat("<str_replace>\n<path>a</path>\n<old_str>a</old_str>\n")},
		{Name: "deep tags", Text: nested(20000, "", "<div>\n", "x\n", "", "</div>\n", "")},
		{Name: "tags with a path, never closed", Text: repeat("<file path=\"a.py\">\n")},
		{Name: "tags of thoughts", Text: repeat("<think>\n")},
		{Name: "tags of thoughts, each closed", Text: repeat("<think>\n" + block + "</think>\n")},
		{Name: "tags of examples", Text: repeat("<example>\n" + block)},
		{Name: "tags of what tools say", Text: repeat("<function_results>\n" + block)},
		{Name: "HTML comments", Text: repeat("<!--\n" + block)},
		{Name: "openers", Text: repeat("<<<<<<< SEARCH\n")},
		{Name: "openers and dividers", Text: repeat("<<<<<<< SEARCH\n=======\n")},
		{Name: "openers of Cline", Text: repeat("------- SEARCH\n")},
		{Name: "openers of gptme", Text: repeat("<<<<<<< ORIGINAL\n")},
		{Name: "openers of Brokk", Text: repeat("<<<<<<< SEARCH a.py\n")},
		{Name: "openers of all lengths", Text: growing("<", " SEARCH\n", 30)},
		{Name: "openers misspelt", Text: repeat("<<<<<<< SERACH\na\n")},
		{Name: "openers without their label", Text: repeat("<<<<<<<\na\n")},
		{Name: "hints", Text: within("<<<<<<< SEARCH\n", ":start_line:1\n-------\n", "")},
		{Name: "dividers", Text: repeat("=======\n")},
		{Name: "closers", Text: repeat(">>>>>>> REPLACE\n")},
		{Name: "blocks of many dividers",
			Text: repeat("<<<<<<< SEARCH\n" + strings.Repeat("=======\n", 300) + ">>>>>>> REPLACE\n")},
		{Name: "a block of dividers alone", Text: within("<<<<<<< SEARCH\n", "=======\n", ">>>>>>> REPLACE\n")},
		{Name: "conflicts", Text: repeat("<<<<<<< HEAD\na\n")},
		{Name: "whole conflicts", Text: repeat("<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n")},
		{Name: "conflicts with a base", Text: repeat("<<<<<<< HEAD\na\n||||||| base\n")},
		{Name: "conflicts in a block", Text: within("<<<<<<< SEARCH\n", "<<<<<<< HEAD\na\n", "")},
		{Name: "openers of different prefixes", Text: prefixed(block)},
		{Name: "conflicts of different prefixes", Text: prefixed("<<<<<<< HEAD\na\n")},
		{Name: "one block without an end", Text: within("<<<<<<< SEARCH\n", "=====\na\n", "")},
		{Name: "escapes and dividers",
			Text: within("<<<<<<< SEARCH\n", "\\=======\na\n", strings.Repeat("=======\n", 30)+">>>>>>> REPLACE\n")},
		{Name: "escaped markers", Text: repeat("\\<<<<<<< SEARCH\n\\=======\n\\>>>>>>> REPLACE\n")},
		{Name: "fences", Text: repeat("```\n")},
		{Name: "fences with an opener", Text: repeat("```py\n<<<<<<< SEARCH\n")},
		{Name: "fences of growing length", Text: growing("`", "\n", 2000)},
		{Name: "fences of growing length with names", Text: growing("`", "python a.py\n", 100)},
		{Name: "tildes of growing length", Text: growing("~", "\n", 2000)},
		{Name: "shell fences", Text: repeat("```bash\nls\n")},
		{Name: "headings", Text: repeat("# src/a.py\n")},
		{Name: "names", Text: repeat("src/a.py\n" + block)},
		{Name: "names alone", Text: counted("", "src/a%d.py\n", "")},
		{Name: "prose above each block",
			Text: repeat("`a.py`, `b.py` and `c.py` in src/d.py, or (e.py)\n\n\n\n" + block)},
		{Name: "one line of backticks", Text: within("", "` ", "\n<<<<<<< SEARCH\n")},
		{Name: "one line of names", Text: within("", "`a.py`, ", "\n"+block)},
		{Name: "patches in files of heredocs", Text: repeat("cat > a.md <<E\n*** Update File: b\n-a\n+b\nE\n")},
		{Name: "heredocs", Text: repeat("apply_patch <<'EOF'\n")},
		{Name: "heredocs into files", Text: repeat("cat > a.py <<'EOF'\n")},
		{Name: "heredocs with a block", Text: repeat("cat > a.py <<'EOF'\n" + block)},
		{Name: "heredocs with a conflict", Text: repeat("cat > a.py <<'EOF'\n<<<<<<< HEAD\na\n")},
		{Name: "heredocs in fences", Text: within("```sh\n", "cat > a.py <<'EOF'\n"+block, "")},
		{Name: "one line", Text: repeat("<")},
		{Name: "one line of text", Text: repeat("word ")},
		{Name: "carriage returns alone", Text: repeat("<<<<<<< SEARCH\ra\r=======\rb\r>>>>>>> REPLACE\r")},
		{Name: "NULs", Text: repeat("\x00")},
		{Name: "NULs in lines", Text: repeat("\x00<<<<<<< SEARCH\n")},
		{Name: "bytes that are no text", Text: repeat("\xff\xfe<<<<<<< SEARCH\n")},
		{Name: "quotation", Text: repeat("> <<<<<<< SEARCH\n> a\n")},
		{Name: "nested quotation", Text: growing("> ", "<<<<<<< SEARCH\n", 300)},
		{Name: "list items", Text: repeat("- <<<<<<< SEARCH\n  a\n")},
		{Name: "numbered items", Text: counted("", "%d. src/a.py\n", "")},
		{Name: "numbered lines", Text: counted("<<<<<<< SEARCH\n", "%d | a\n", "=======\nb\n>>>>>>> REPLACE\n")},
		{Name: "blank lines", Text: repeat("\n")},
		{Name: "blanks at line ends", Text: repeat("a                                \n")},
		{Name: "indentation without end", Text: repeat("\t")},
		{Name: "deletions in a fence, text below them",
			Text: within("a.py\n```\n", "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nb\n", "")},
		{Name: "a deletion in a fence, much below it",
			Text: within("a.py\n```\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n", "b/c\n\n", "")},
		{Name: "blocks that end in a fence line",
			Text: repeat("a.py\n```\n<<<<<<< SEARCH\na\n=======\nb\n```\n>>>>>>> REPLACE\n\n")},
		{Name: "blocks without closers and without names",
			Text: within("a.py\n", "<<<<<<< SEARCH\na\n=======\nb\n\n", "")},
		{Name: "here-documents without an end", Text: counted("", "cat > a%d.py <<EOF\n<<<<<<< SEARCH\n", "")},
		{Name: "elisions", Text: within("<<<<<<< SEARCH\n", "...\n", "=======\nb\n>>>>>>> REPLACE\n")},
	}
}
