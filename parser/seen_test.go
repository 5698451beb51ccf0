package parser

import (
	"fmt"
	"strings"
	"testing"
)

// TestOnceMisread covers replies that were once misread. Each is named after what went wrong.
func TestOnceMisread(t *testing.T) {
	const block = "a.py\n```\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n```\n"
	const blockSeen = `"a.py" "two\n" "TWO\n"`
	for _, c := range []struct{ name, reply, want string }{
		{"a closer with a name after it was written into the file",
			"a.py\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE a.py\n\nsrc/b.py\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>>>>>> REPLACE\n",
			blockSeen + "\n" + `"src/b.py" "y = 2\n" "y = 5\n"`},
		{"Cline's closer with a name after it was written into the file",
			"a.py\n------- SEARCH\ntwo\n=======\nTWO\n+++++++ REPLACE a.py\n\nsrc/b.py\n------- SEARCH\ny = 2\n=======\ny = 5\n+++++++ REPLACE\n",
			blockSeen + "\n" + `"src/b.py" "y = 2\n" "y = 5\n"`},
		{"text about closers ended the block that holds it",
			"a.md\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE ends a block\n>>>>>>> REPLACE\n",
			`"a.md" "two\n" ">>>>>>> REPLACE ends a block\n"`},
		{"a rule with a title refused the whole reply", "--- Search results ---\nfound 3\n\n" + block, blockSeen},
		{"an edit list that was cut off went unnoticed", block + "\n{\"edits\":[", blockSeen + "\ntruncated"},
		{"an opener that was cut off went unnoticed", block + "\nsrc/b.py\n```\n<<<<<<< SEARC",
			blockSeen + "\ntruncated"},
		{"the sign of an opener at the end went unnoticed", block + "\nsrc/b.py\n```\n<<<<<<<",
			blockSeen + "\ntruncated"},
		{"a rule at the end refused the whole reply", block + "\n-------", blockSeen},
		{"a user's quotes in aider's log refused the answer",
			"#### <<<<<<< SEARCH\n#### x\n#### =======\n#### y\n#### >>>>>>> REPLACE\n\n" + block, blockSeen},
		{"a call of another tool went unnoticed",
			block + "\n<write_to_file>\n<path>b.py</path>\n<content>\nx\n</content>\n</write_to_file>\n", blockSeen + "\n" + `"b.py" "" "x\n"`},
		{"a call in tags went unnoticed",
			"<invoke name=\"Edit\">\n<parameter name=\"file_path\">a.py</parameter>\n<parameter name=\"old_string\">two</parameter>\n<parameter name=\"new_string\">TWO</parameter>\n</invoke>\n",
			`"a.py" "two" "TWO"`},
		{"a call of Qwen's went unnoticed",
			block + "\n<function=str_replace_editor>\n<parameter=command>\nstr_replace\n</parameter>\n<parameter=path>\nb.py\n</parameter>\n<parameter=old_str>\ntwo\n</parameter>\n<parameter=new_str>\nTWO\n</parameter>\n</function>\n",
			blockSeen + "\n" + `"b.py" "two" "TWO"`},
		{"a call of Qwen's that makes a file went unnoticed",
			block + "\n<function=str_replace_editor>\n<parameter=command>create</parameter>\n<parameter=path>b.py</parameter>\n<parameter=file_text>x\n</parameter>\n</function>\n",
			blockSeen + "\n" + `"b.py" "" "x\n"`},
		{"a call with words before it went unnoticed",
			block + "\nThen: <search_and_replace><path>b.py</path><search>a</search><replace>b</replace></search_and_replace>\n",
			blockSeen + "\nmalformed"},
		{"a call in the code of a test was carried out",
			block + "\n```python\n<search_and_replace>\n<path>b.py</path>\n<search>a</search>\n<replace>b</replace>\n</search_and_replace>\n```\n",
			blockSeen + "\nmalformed"},
		{"a call of the shell, and words about calls, are no edits",
			block + "\n<function=bash>\n<parameter=command>ls</parameter>\n<parameter=path>src</parameter>\n</function>\n\n`<parameter=old_str>` is the text to find.\n<parameter=new_str> follows it.\n",
			blockSeen},
		{"the last title of a document lost its underline",
			"doc.md\n<<<<<<< SEARCH\nbody\n=======\nbody\n\nSub\n=======\n>>>>>>> REPLACE\n",
			`"doc.md" "body\n" "body\n\nSub\n=======\n"`},
		{"a second divider was written into code",
			"a.py\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n\nSub\n=======\n>>>>>>> REPLACE\n",
			`"a.py" "two\n" "TWO\n\nSub\n"`},
		{"an unclosed block took the name of the next one",
			"a.py\n```\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n```\n\nsrc/b.py\n```\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>>>>>> REPLACE\n```\n",
			`"src/b.py" "y = 2\n" "y = 5\n"` + "\nmissing-closer"},
		{"an unclosed block in an open fence took the next one along",
			"a.py\n```\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n\nsrc/b.py\n```\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>>>>>> REPLACE\n```\n",
			`"src/b.py" "y = 2\n" "y = 5\n"` + "\nmissing-closer"},
		{"a closer of another kind was written into the file",
			"a.py\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> END\nsrc/b.py\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>>>>>> REPLACE\n",
			`"src/b.py" "y = 2\n" "y = 5\n"` + "\nmissing-closer"},
		{"the misspelled closer # >>>>>>> REPLACE was written into the file",
			"src/b.py\n```\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n# >>>>>>> REPLACE\n```\n\na.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n```\n",
			blockSeen + "\nmissing-closer"},
		{"the misspelled closer **>>>>>>> REPLACE** was written into the file",
			"src/b.py\n```\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n**>>>>>>> REPLACE**\n```\n\na.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n```\n",
			blockSeen + "\nmissing-closer"},
		{"the misspelled closer REPLACE was written into the file",
			"src/b.py\n```\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\nREPLACE\n```\n\na.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n```\n",
			blockSeen + "\nmissing-closer"},
		{"the misspelled closer >>> END was written into the file",
			"src/b.py\n```\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>> END\n```\n\na.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n```\n",
			blockSeen + "\nmissing-closer"},
		{"the misspelled closer ======= REPLACE was written into the file",
			"src/b.py\n```\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n======= REPLACE\n```\n\na.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n```\n",
			blockSeen + "\nmissing-closer"},
		{"a reply cut off after a conflict was applied",
			"c.py\n<<<<<<< SEARCH\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n=======", "truncated"},
		{"a reply cut off after an underline was applied",
			"c.md\n<<<<<<< SEARCH\nAbc\n=======\nbody\n=======", "truncated"},
		{"a doubled divider was written into code",
			"a.py\n<<<<<<< SEARCH\ntwo\n=======\n=======\nTWO\n>>>>>>> REPLACE\n", blockSeen},
		{"a document's mark began a block", "--- search\nfound 3\n\n" + block, blockSeen},
		{"Pandoc's language became a file",
			"n.py\n```{.python}\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\n", `"n.py" "" "x\n"`},
		{"a step of a plan became a file",
			"**Step 1/2**\n```\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\n", `"" "" "x\n"`},
		{"a media type became a file",
			"```text/x-python\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\n", `"" "" "x\n"`},
		{"steps of a configuration in JavaScript refused the reply",
			block + "\n```\n{\n  before: 'build',\n  after: 'deploy',\n  path: 'ci.yml',\n}\n```\n", blockSeen},
		{"the description of an edit tool refused the reply",
			block + "\n```json\n{\"name\":\"edit\",\"parameters\":{\"path\":{\"type\":\"string\"},\"old_string\":{\"type\":\"string\",\"description\":\"the text to find\"},\"new_string\":{\"type\":[\"string\",\"null\"]}}}\n```\n", blockSeen},
		{"an edit with a type was taken for a description",
			`{"edit":{"type":"string","path":"a.py","old_string":"two\n","new_string":"TWO\n"}}` + "\n", blockSeen},
		{"an edit whose texts are no strings went unnoticed",
			block + "\n{\"path\":\"b.py\",\"old_string\":{\"type\":\"text\",\"text\":\"x\"},\"new_string\":{\"type\":\"text\",\"text\":\"y\"}}\n", blockSeen + "\nmalformed"},
		{"a list after a deletion refused it",
			"a.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n\n- removed `unused`\n- the `x = 1` in it, too\n```\n", `"a.py" "two\n" ""`},
		{"a sentence with a dash after a deletion refused it",
			"a.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n\nI removed the unused function — nothing calls it.\n```\n", `"a.py" "two\n" ""`},
		{"sentences with code after a deletion refused it",
			"a.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n\n`unused` is gone; use `slug(a, b=1)` for it (see #3).\n\n**Why:** Alice’s pull request needs it?\n```\n", `"a.py" "two\n" ""`},
		{"a statement after an empty REPLACE was lost",
			"a.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n\nThree four = five.\n```\n", "malformed"},
		{"a query after an empty REPLACE was lost",
			"a.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n\nDROP TABLE users;\n```\n", "malformed"},
		{"an operand after an empty REPLACE was lost",
			"a.py\n```python\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n\n- three\n```\n", "malformed"},
		{"items after an empty REPLACE were lost",
			"a.yml\n```python\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n\n- removed three\n```\n", "malformed"},
		{"the name of a script refused the deletion above it",
			"```\na.py\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\nscripts/run\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>>>>>> REPLACE\n```\n",
			`"a.py" "two\n" ""` + "\n" + `"a.py" "y = 2\n" "y = 5\n"`},
		{"an indented quotient after an empty REPLACE was lost",
			"```\na.py\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\n  three/four\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>>>>>> REPLACE\n```\n",
			`"a.py" "y = 2\n" "y = 5\n"` + "\nmalformed"},
		{"a quotient after an empty REPLACE was lost",
			"```\na.py\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\nthree/four\nfive()\n<<<<<<< SEARCH\ny = 2\n=======\ny = 5\n>>>>>>> REPLACE\n```\n",
			`"a.py" "y = 2\n" "y = 5\n"` + "\nmalformed"},
		{"a quotient at the end of the fence was lost",
			"```\na.py\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\nthree/four\n```\n", "malformed"},
		{"a quotient at the end was lost",
			"```\na.py\n<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE\nthree/four\n", "malformed"},
		{"an example in comments refused the reply", block +
			"\nA block looks like this:\n\n```\n# <<<<<<< SEARCH\n# old\n# =======\n# new\n# >>>>>>> REPLACE\n```\n", blockSeen},
		{"an attempt in comments below a name went unnoticed", block +
			"\nsrc/b.py\n```\n# <<<<<<< SEARCH\n# old\n# =======\n# new\n# >>>>>>> REPLACE\n```\n",
			blockSeen + "\nmalformed"},
		{"an attempt in comments below a sentence with a name went unnoticed", block +
			"\nNow change src/b.py so:\n\n```\n# <<<<<<< SEARCH\n# old\n# =======\n# new\n# >>>>>>> REPLACE\n```\n", blockSeen + "\nmalformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Parse([]byte(c.reply))
			var got []string
			for _, b := range r.Blocks {
				got = append(got, fmt.Sprintf("%q %q %q", b.Path, b.Search, b.Replace))
			}
			for _, d := range r.Diagnostics {
				got = append(got, d.Code)
			}
			if s := strings.Join(got, "\n"); s != c.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", c.reply, s, c.want)
			}
			checkAccount(t, []byte(c.reply))
		})
	}
}

// TestShownEditsStayShownWhenCutOff checks that a reply that is cut off has no block that the whole
// reply doesn't have: an edit in a quote is not applied even if the quote has no end.
func TestShownEditsStayShownWhenCutOff(t *testing.T) {
	key := func(b Block) string {
		if b.Dialect == "diff" { // whose last hunk may end before its last lines that stay
			b.Search, b.Replace = nil, nil
		}
		return fmt.Sprint(b.Path, b.Lines[0], string(b.Search), string(b.Replace))
	}
	markerReplies(t, "content", func(name string, reply []byte, _ *[]byte) {
		whole := map[string]bool{}
		for _, b := range Parse(reply).Blocks {
			whole[key(b)] = true
		}
		for end := range reply {
			for _, b := range Parse(reply[:end]).Blocks {
				if !whole[key(b)] {
					t.Fatalf("%s, cut after %d bytes, has\n%s", name, end, render(Parse(reply[:end])))
				}
			}
		}
	})
}
