package apply_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TestWhatUsersSaw holds down blocks that once changed the wrong thing, each named for what came of
// it. An empty want is a refusal.
func TestWhatUsersSaw(t *testing.T) {
	const init = "{\n\tint ret;\n\n\tret = setup(d, 30);\n\tif (ret)\n\t\treturn ret;\n\n\treturn enable(d);\n}\n"
	const initAll = "{\n\tint ret;\n\n\tret = setup(d, 30);\n\tif (ret)\n\t\treturn ret;\n\n\treturn enable_all(d);\n}\n"
	for _, c := range []struct{ name, file, search, replace, want string }{
		{"the edit went into another C function",
			"static int web_init(struct dev *d)\n" + init,
			"static int worker_init(struct dev *d)\n" + init, "static int worker_init(struct dev *d)\n" + initAll, ""},
		{"the edit went into another section",
			"[beta]\nuser = root\nport = 22\nenabled = yes\n",
			"[alpha]\nuser = root\nport = 22\nenabled = yes\n", "[alpha]\nuser = root\nport = 22\nenabled = no\n", ""},
		{"the edit went into another job",
			"jobs:\n  staging:\n    runs-on: ubuntu-20.04\n    steps:\n      - uses: actions/checkout@v3\n      - run: make\n",
			"  testing:\n    runs-on: ubuntu-20.04\n    steps:\n      - uses: actions/checkout@v3\n      - run: make\n",
			"  testing:\n    runs-on: ubuntu-20.04\n    steps:\n      - run: make\n", ""},
		{"the edit went into another rule",
			".beta {\n  color: red;\n  margin: 30px;\n  padding: 0;\n}\n",
			".alpha {\n  color: red;\n  margin: 30px;\n  padding: 0;\n}\n",
			".alpha {\n  color: blue;\n  margin: 30px;\n  padding: 0;\n}\n", ""},
		{"the edit went into a section whose name is a letter longer",
			"[pool.httpx]\nuser = root\nport = 22\nenabled = yes\n",
			"[pool.http]\nuser = root\nport = 22\nenabled = yes\n",
			"[pool.http]\nuser = root\nport = 22\nenabled = no\n", ""},
		{"the edit went into a section whose name ends in another letter",
			"[pool.https]\nuser = root\nport = 22\nenabled = yes\n",
			"[pool.httpx]\nuser = root\nport = 22\nenabled = yes\n",
			"[pool.httpx]\nuser = root\nport = 22\nenabled = no\n", ""},
		{"the edit went into another case",
			"\tcase \"staging\":\n\t\tx.lock()\n\t\tx.count += 1\n\t\tx.unlock()\n\t\treturn 30\n\t}\n",
			"\tcase \"production\":\n\t\tx.lock()\n\t\tx.count += 1\n\t\tx.unlock()\n\t\treturn 30\n",
			"\tcase \"production\":\n\t\tx.lock()\n\t\tx.count += 2\n\t\tx.unlock()\n\t\treturn 30\n", ""},
		{"the edit went under another heading",
			"## Linux\n\nRun the installer.\nOpen the settings.\nChoose a name.\n",
			"## Windows\n\nRun the installer.\nOpen the settings.\nChoose a name.\n",
			"## Windows\n\nRun the installer.\nChoose a name.\n", ""},
		{"the edit went into another element",
			"<bean id=\"web\">\n  <property name=\"a\"/>\n  <property name=\"b\"/>\n  <property name=\"c\"/>\n</bean>\n",
			"<bean id=\"job\">\n  <property name=\"a\"/>\n  <property name=\"b\"/>\n  <property name=\"c\"/>\n</bean>\n",
			"<bean id=\"job\">\n  <property name=\"a\"/>\n  <property name=\"d\"/>\n  <property name=\"c\"/>\n</bean>\n", ""},
		{"a heading with two letters swapped was refused",
			"## Windows\n\nRun the installer.\nOpen the settings.\nChoose a name.\n",
			"## Widnows\n\nRun the installer.\nOpen the settings.\nChoose a name.\n",
			"## Widnows\n\nRun the installer.\nChoose a name.\n",
			"## Windows\n\nRun the installer.\nChoose a name.\n"},
		{"blanks that the file has already came in again",
			"if tags:\n    out.write(f\"    ; {words}\")\nend\n",
			"if tags:\n    out.write(f\" ; {words}\")\nend\n", "if tags:\n    out.write(f\"    ; {tags}\")\nend\n",
			"if tags:\n    out.write(f\"    ; {tags}\")\nend\n"},
		{"blanks that the file has were lost",
			"for p in ps:\n    out.write(f\"    {p.a}  {p.b}\".rstrip() + \"x\")\nend\n",
			"for p in ps:\n    out.write(f\"      {p.a}  {p.b}\".rstrip() + \"x\")\n",
			"for p in ps:\n    out.write(f\"    {p.a}  {p.b}\".rstrip() == \"x\")\n",
			"for p in ps:\n    out.write(f\"    {p.a}  {p.b}\".rstrip() == \"x\")\nend\n"},
		{"entities came into the file along with a slip",
			"f := open(name)\nif len(data) > 0 && !bytes.Equal(data, old) {\n\treturn errConflict\n}\nseek(f)\n",
			"f := open(name)\nif len(data) &gt; 0 &amp;&amp; !bytees.Equal(data, old) {\n\treturn errConflict\n}\nseek(f)\n",
			"f := open(name)\nif len(data) &gt; 0 &amp;&amp; !bytees.Equal(data, old) {\n\treturn errConflict\n}\nlog(&quot;same&quot;)\nseek(f)\n",
			"f := open(name)\nif len(data) > 0 && !bytes.Equal(data, old) {\n\treturn errConflict\n}\nlog(\"same\")\nseek(f)\n"},
		{"a block with the quotes of before the formatter was refused",
			"import a from \"a\";\nimport b from \"b\";\nimport c from \"c\";\n\nrun(a, b, c);\n",
			"import a from 'a';\nimport b from 'b';\nimport c from 'c';\n\nrun(a, b, c);\n",
			"import a from 'a';\nimport b from 'b';\nimport c from 'c';\n\nrun(c, b, a);\n",
			"import a from \"a\";\nimport b from \"b\";\nimport c from \"c\";\n\nrun(c, b, a);\n"},
		{"a block with composed accents was refused where the file has them apart",
			"name = \"nai\u0308ve\"\ntitle = \"cafe\u0301\"\nend\n",
			"name = \"na\u00efve\"\ntitle = \"caf\u00e9\"\nend\n", "name = \"na\u00efve\"\ntitle = \"th\u00e9\"\nend\n",
			"name = \"nai\u0308ve\"\ntitle = \"th\u00e9\"\nend\n"},
		{"a block with Korean syllables apart was refused",
			"msg = \"\uc0ac\uc6a9\uc790\"\nend\n",
			"msg = \"\u1109\u1161\u110b\u116d\u11bc\u110c\u1161\"\nend\n", "msg = \"none\"\nend\n",
			"msg = \"none\"\nend\n"},
		{"a mistyped name took the nearer of two",
			"CREATE TABLE user (\n  id SERIAL PRIMARY KEY,\n  name TEXT NOT NULL\n);\nCREATE TABLE users (\n  id SERIAL PRIMARY KEY,\n  name TEXT NOT NULL\n);\n",
			"CREATE TABLE usesr (\n  id SERIAL PRIMARY KEY,\n  name TEXT NOT NULL\n);\n",
			"CREATE TABLE usesr (\n  id SERIAL PRIMARY KEY,\n  name VARCHAR(80) NOT NULL\n);\n", ""},
		{"a slip came into the file with the blanks",
			"//export myadd\nfunc myadd(a C.int, b C.int) C.int {\n\treturn a + b\n}\n`\n",
			"//export myadd  \nfunc mydad(a C.int, b C.int) C.int {  \n\treturn a + b  \n}  \n`  \n",
			"//export myadd\nzz_added_49(0)\nfunc mydad(a C.int, b C.int) C.int {\n\treturn a + b\n}\n`\n",
			"//export myadd\nzz_added_49(0)\nfunc myadd(a C.int, b C.int) C.int {\n\treturn a + b\n}\n`\n"},
		{"an insertion stayed where its line had moved away",
			"def run(self):\n    self.prepare()\n    if self.ready:\n        self.start_engine()\n    self.report()\n\ndef other(self):\n    self.x()\n    self.finish()\n    self.y()\n",
			"def run(self):\n    self.prepare()\n    if self.ready:\n        self.start_engine()\n    self.finish()\n    self.report()\n",
			"def run(self):\n    self.prepare()\n    if self.ready:\n        self.start_engine()\n    self.finish()\n    self.close_after_finish()\n    self.report()\n", ""},
		{"a comment's star came into the indentation",
			"void f(void)\n{\n\t/*\n\t * note\n\t */\n\tfoo();\n\tbar();\n}\n",
			"     */\n    foo();\n",
			"     */\n    foo();\n    if (a) {\n        if (b) {\n            baz();\n        }\n    }\n",
			"void f(void)\n{\n\t/*\n\t * note\n\t */\n\tfoo();\n\tif (a) {\n\t\tif (b) {\n\t\t\tbaz();\n\t\t}\n\t}\n\tbar();\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.txt", Search: []byte(c.search),
				Replace: []byte(c.replace)}
			plan := planned(t, apply.Files{"f.txt": []byte(c.file)}, one(b), apply.Options{})
			if c.want == "" {
				if len(plan.Files) > 0 {
					t.Errorf("applied\n%s\n%s", plan.Files[0].After, reports(plan))
				}
				return
			}
			if len(plan.Files) != 1 || string(plan.Files[0].After) != c.want {
				t.Errorf("want\n%s\n%s", c.want, reports(plan))
			}
		})
	}
}

// TestWhatUsersSawOfNames holds down replies whose blocks once reached a file that was not meant.
// want is the message of the refused block, or a part of it; "" if all is applied.
func TestWhatUsersSawOfNames(t *testing.T) {
	const edit = "a.py\n<<<<<<< SEARCH\ntwo\n=======\nTWO\n>>>>>>> REPLACE\n\n"
	const create = "<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n"
	const three = "<<<<<<< SEARCH\nthree\n=======\nTHREE\n>>>>>>> REPLACE\n"
	for _, c := range []struct{ name, reply, want string }{
		{"the advice would have appended to another file", edit + "Now create `lib/new.py` with:\n\n" + create,
			"if it was meant for lib/new.py, write that path on the line above it"},
		{"a new file was appended to the one made before it", "n.py\n" + create +
			"\nNow create `lib/new.py` with:\n\n" + create,
			"if it was meant for lib/new.py, write that path on the line above it"},
		{"a file that the reply makes is added to", "n.py\n" + create + "\nThen\n\n" + create, ""},
		{"a file was written twice and held both",
			"{\"file_path\": \"n.py\", \"content\": \"x = 1\\n\"}\n{\"file_path\": \"n.py\", \"content\": \"x = 2\\n\"}\n", "keep one of them"},
		{"a directory with a slash was passed over for the file before", edit + "src/\n" + three, "src is a directory"},
		{"a directory was passed over for the file before", edit + "src\n```\n" + three + "```\n",
			"a directory, not a regular file"},
		{"a directory in a directory was passed over for the file before", edit + "src/utils\n" +
			three, "a directory, not a regular file"},
		{"a directory to come was passed over for the file before", edit + "`newdir/`\n" + three,
			"newdir is a directory"},
		{"a new file was made of a directory", "lib/\n" + create, "lib is a directory"},
		{"a word above a block is no directory", edit + "Then\n" + three, ""},
		{"a directory in prose was taken for the file", edit +
			"Now the helpers in `src/utilities`, and then:\n" + three, ""},
		{"a directory in prose is no name", edit + "In `src/` nothing changes, but here:\n" + three, ""},
		{"a heading of a directory is no name", edit + "## src\n\nThe other line:\n" + three, ""},
		{"a directory ~ came into the tree", "~/x.py\n" + create, `"~" means another directory`},
		{"a directory $HOME came into the tree", "$HOME/x.py\n" + create, `"$HOME" means another directory`},
		{"the profile was passed over for the file before", edit + "%USERPROFILE%\\x.py\n" + three,
			`"%USERPROFILE%" means another directory`},
		{"a route's parameter is a file name", "$slug/route.tsx\n" + create, ""},
		{"a file was made where another block made a directory", "n.py/w.py\n" + create +
			"\nn.py\n" + create, "block 1 and this one need n.py as a file"},
		{"a directory was made where another block made a file", "n.py\n" + create +
			"\nn.py/v/w.py\n" + create, "block 1 and this one need n.py as a file"},
		{"a file was moved below one that is made",
			"*** Begin Patch\n*** Add File: z\n+x\n*** Update File: a.py\n*** Move to: z/a.py\n*** End Patch\n", "block 1 and this one need z as a file"},
		{"a sentence in bold became a file", "**Run setup.py**\n" + create, "the block names no file"},
		{"a sentence in quotes became a file", "\"Fix the test.py\"\n" + create, "the block names no file"},
		{"a path with a blank in bold is a name", "**docs/my notes.md**\n" + create, ""},
		{"a name with a blank in code is a name", "`my notes.md`\n" + create, ""},
		{"two files in a directory that is new", "n/v.py\n" + create + "\nn/w.py\n" + create, ""},
		{"a file that is there is not overwritten",
			"{\"file_path\": \"a.py\", \"content\": \"x = 1\\n\"}\n", "the file exists and is not empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := apply.Files{"a.py": []byte("one\ntwo\nthree\n"), "src/b.py": []byte("three\n"),
				"src/utilities/c.py": []byte("x\n"), "src/utils/d.py": []byte("x\n")}
			plan := planned(t, tree, parser.Parse([]byte(c.reply)), apply.Options{})
			var failed string
			for _, b := range plan.Blocks {
				if b.Status == apply.BlockFailed {
					failed += b.Message + "\n"
				}
			}
			if c.want == "" && failed != "" || !strings.Contains(failed, c.want) {
				t.Errorf("%s\ngot %q, want %q", c.reply, failed, c.want)
			}
		})
	}
}

// TestWhatUsersSawOfFiles holds down which file a block without a name of its own reaches, below
// one for report.py and the given text. Its SEARCH occurs in each of report.py, store.py and
// src/cache.py, or, where the text is about x, in report.py alone. want is "" for a refusal.
func TestWhatUsersSawOfFiles(t *testing.T) {
	const first = "report.py\n```python\n<<<<<<< SEARCH\nw = 0\n=======\nw = 1\n>>>>>>> REPLACE\n```\n\n"
	const second = "\n```python\n<<<<<<< SEARCH\nimport os\n=======\nimport sys\n>>>>>>> REPLACE\n```\n"
	tree := apply.Files{"report.py": []byte("import os\nw = 0\nx = 1\n"), "store.py": []byte("import os\ny = 2\n"),
		"src/cache.py": []byte("import os\nz = 3\n"), "Makefile": []byte("import os\n"),
		"my store.py": []byte("import os\n")}
	for _, c := range []struct{ text, want string }{
		// a short line names another file
		{"### Add import to store.py\n", "store.py"},
		{"Now store.py\n", "store.py"},
		{"Next: src/cache.py\n", "src/cache.py"},
		{"Same in store.py.\n", "store.py"},
		{"Datei store.py:\n", "store.py"},
		{"Now store.py gets it as well.\n", "store.py"},
		{"Now the Makefile:\n", "Makefile"},
		{"my store.py\n", "my store.py"},
		// in other spellings
		{"<summary>store.py</summary>\n", "store.py"},
		{"<details><summary><b>store.py</b></summary>\n", "store.py"},
		{"<code>store.py</code>\n", "store.py"},
		{"[store.py](store.py#L1)\n", "store.py"},
		{"Modified: store.py\n", "store.py"},
		{"Modified: cache.py\n", "src/cache.py"},
		{"+++ b/store.py\n", "store.py"},
		{"--- store.py\n", "store.py"},
		{"filename=store.py\n", "store.py"},
		{"* [ ] store.py\n", "store.py"},
		{"store.py<br>\n", "store.py"},
		{"store.py:1:1\n", "store.py"},
		{"store.py(1)\n", "store.py"},
		{"Step 2 - store.py\n", "store.py"},
		{"<store.py>\n", "store.py"},
		{"file:///store.py\n", ""},
		{"«store.py»\n", "store.py"},
		{"文件 store.py：\n", "store.py"},
		{"文件：store.py\n", "store.py"},
		{"在store.py中\n", "store.py"},
		{"{\"path\": \"store.py\"}\n", "store.py"},
		{"${workspace}/store.py\n", ""},
		{"store.py\u200b\n", "store.py"},
		// the next block inherits it
		{"Now store.py\n" + strings.Replace(second, "import os", "y = 2", 1) + "\nAnd at the top:\n", "store.py"},
		{"Now store.py\n" + strings.Replace(second, "import os", "y = 2", 1) + "\nBack in report.py:\n", "report.py"},
		// a heading is over text that names none
		{"### Add import to store.py\n\nIt goes to the top.\n", "store.py"},
		{"### Add import to store.py\n\none\n\ntwo\n\nthree\n\nfour\n\nfive\n", "store.py"},
		{"### Add import to store.py\n\nThis matches what report.py does with it, and then some.\n", ""},
		// the end of a path names another file
		{"In cache.py do the same\n", ""},
		{"Now `cache.py`:\n", ""},
		// a long sentence mentions another file, and SEARCH occurs in both
		{"Next I go on with the file that is called store.py, which needs the same import as well:\n", ""},
		{"As store.py does it already, the same import is what this module needs at its top, too:\n", ""},
		{"The same for store.py and src/cache.py:\n", ""},
		{"Also in report.py, like store.py does:\n", ""},
		// a remark in brackets is between a name and its block
		{"store.py\n(imported by src/cache.py)\n", "store.py"},
		{"(store.py)\n", "store.py"},
		// a list names several files
		{"Files:\n- store.py\n- src/cache.py\n", ""},
		{"- store.py\n", "store.py"},
		// a short one compares with it
		{"Like store.py, it needs this:\n", ""},
		{"It matches store.py.\n", ""},
		// nothing names another file
		{"And at the top:\n", "report.py"},
		{"Use os.path instead of tmp.file, e.g. in v1.2:\n", "report.py"},
		{"See https://example.org/store.py for more\n", "report.py"},
		{"Then cache.pyc is rebuilt by new.py:\n", "report.py"},
	} {
		plan := planned(t, tree, parser.Parse([]byte(first+c.text+second)), apply.Options{})
		last, got := plan.Blocks[len(plan.Blocks)-1], ""
		if last.Status == apply.BlockApplied {
			got = last.Path
		}
		if got != c.want || c.want == "" && last.Reason != apply.NoName && last.Reason != apply.OutsideRoot {
			t.Errorf("%q: %q, not %q\n%s", c.text, got, c.want, reports(plan))
		}
	}
}

// A block below the base name of a file in prose was refused without a word of that file.
func TestBaseNameInProseIsOffered(t *testing.T) {
	tree := apply.Files{"src/utils/helpers.py": []byte("shout = 1\n"), "a.py": []byte("x\n")}
	reply := "Now let me fix `helpers.py` so shout works:\n\n```\n<<<<<<< SEARCH\nshout = 1\n=======\nshout = 2\n>>>>>>> REPLACE\n```\n"
	plan := planned(t, tree, parser.Parse([]byte(reply)), apply.Options{})
	if b := plan.Blocks[0]; b.Reason != apply.NoName ||
		!strings.Contains(b.Message, "SEARCH is in src/utils/helpers.py:1") {
		t.Error(reports(plan))
	}
}

// A line that mentions another file was taken to name it although SEARCH is in the file of the
// block before alone.
func TestFileOfTheBlockBeforeHoldsSearchAlone(t *testing.T) {
	tree := apply.Files{"src/a.py": []byte("X = 1\n"), "src/b.py": []byte("X = 1\nW = 2\n")}
	const block = "src/b.py\n```\n<<<<<<< SEARCH\nX = 1\n=======\nX = 3\n>>>>>>> REPLACE\n```\n"
	const below = "\n```\n<<<<<<< SEARCH\nW = 2\n=======\nW = 4\n>>>>>>> REPLACE\n```\n"
	for _, text := range []string{"This mirrors src/a.py.\n",
		"Then drop the import from `src/a.py`:\n", "Also (see src/a.py):\n", "> **Note:** `src/a.py` must agree.\n"} {
		plan := planned(t, tree, parser.Parse([]byte(block+text+below)), apply.Options{})
		if last := plan.Blocks[len(plan.Blocks)-1]; last.Path != "src/b.py" ||
			last.Status != apply.BlockApplied || len(last.Warnings) != 1 {
			t.Errorf("%q\n%s", text, reports(plan))
		}
	}
}

// TestWrappedSides holds that a fence, or an end of one, or the file's name, within the sides of a
// block is not taken for text of the file, unless the file has such lines. An empty want is a
// refusal.
func TestWrappedSides(t *testing.T) {
	const file = "def f():\n    return 1\n"
	for _, c := range []struct{ name, file, search, replace, want string }{
		{"a fence", file, "```python\n    return 1\n```\n", "```python\n    return 2\n```\n",
			"def f():\n    return 2\n"},
		{"a longer fence", file, "````\n    return 1\n````\n", "````\n    return 2\n````\n",
			"def f():\n    return 2\n"},
		{"another indentation", file, "```\nreturn 1\n```\n", "```\nreturn 2\n```\n", "def f():\n    return 2\n"},
		{"the name", file, "src/f.txt\n    return 1\n", "src/f.txt\n    return 2\n", "def f():\n    return 2\n"},
		{"the name and a fence", file, "f.txt\n```\n    return 1\n```\n",
			"f.txt\n```\n    return 2\n```\n", "def f():\n    return 2\n"},
		{"a deletion", file, "```\n    return 1\n```\n", "```\n```\n", "def f():\n"},
		{"one side only", file, "```\n    return 1\n```\n", "    return 2\n", "def f():\n    return 2\n"},
		{"replace only", file, "    return 3\n", "```\n    return 2\n```\n", ""},
		{"a name that is another file's", file, "g.txt\n    return 1\n", "g.txt\n    return 2\n", ""},
		{"an open fence", file, "```\n    return 1\n", "```\n    return 2\n", "def f():\n    return 2\n"},
		{"the file has fences", "# T\n\n```sh\nls\n```\n\ntext\n", "```\ntext\n```\n", "```\nmore\n```\n", ""},
		{"the file has this fence", "# T\n\n```sh\nls\n```\n", "```sh\nls\n```\n",
			"```sh\nll\n```\n", "# T\n\n```sh\nll\n```\n"},
		{"the file has this name", "f.txt\none\ntwo\n", "f.txt\ntwo\n", "f.txt\nTWO\n", ""},
		{"applied before", "import os\nprint(os.name)\nprint(os.path.sep)\n", "```\nimport os\nprint(os.name)\n\n```\n",
			"```\nimport os\nprint(os.name)\nprint(os.path.sep)\n```\n",
			"import os\nprint(os.name)\nprint(os.path.sep)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "src/f.txt", Search: []byte(c.search),
				Replace: []byte(c.replace)}
			plan := planned(t, apply.Files{"src/f.txt": []byte(c.file)}, one(b), apply.Options{})
			got := ""
			switch {
			case len(plan.Files) > 0:
				got = string(plan.Files[0].After)
			case plan.Status == apply.Applied:
				got = c.file
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s\n%s", got, c.want, reports(plan))
			}
		})
	}
}

// TestMentionsInPassing holds that prose which mentions other files does not lead a block away from
// the one file in which its SEARCH occurs.
func TestMentionsInPassing(t *testing.T) {
	tree := apply.Files{"report.py": []byte("w = 0\nx = 1\n"), "store.py": []byte("y = 2\n"),
		"src/cache.py": []byte("z = 3\n")}
	for _, c := range []struct{ text, search, want string }{
		{"This makes it work together with what store.py does when it has been loaded once:\n", "x = 1", "report.py"},
		{"Both store.py and src/cache.py call it:\n", "y = 2", "store.py"},
		{"The tests in store.py use it.\nSo does src/cache.py.\n\nHence the change:\n", "x = 1", "report.py"},
		{"The tests in store.py use it.\nSo does src/cache.py.\n\nHence the change:\n", "z = 3", "src/cache.py"},
		{"The loop is the same as in cache.py:\n", "x = 1", "report.py"},
		{"The value has to fit what store.py expects when it is loaded:\n```\n<<<<<<< SEARCH\nw = 0\n=======\nw = 5\n>>>>>>> REPLACE\n```\nAnd here:\n", "x = 1", "report.py"},
	} {
		reply := "report.py\n```\n<<<<<<< SEARCH\nw = 0\n=======\nw = 5\n>>>>>>> REPLACE\n```\n\n" + c.text +
			"```\n<<<<<<< SEARCH\n" + c.search + "\n=======\nv = 9\n>>>>>>> REPLACE\n```\n"
		plan := planned(t, tree, parser.Parse([]byte(reply)), apply.Options{})
		last, got := plan.Blocks[len(plan.Blocks)-1], ""
		if last.Status == apply.BlockApplied {
			got = last.Path
		}
		if got != c.want {
			t.Errorf("%q: %q, not %q\n%s", c.text, got, c.want, reports(plan))
		}
	}
}

// TestPasteOverMoreLinesThanSearched holds that a verbatim splice survives a place with more lines
// than SEARCH, and as many as REPLACE.
func TestPasteOverMoreLinesThanSearched(t *testing.T) {
	const file = "def total(items):\n    result = 0\n    check(items)\n    for item in items:\n        result += item.price\n    return result\n"
	search := strings.Replace(file, "    check(items)\n", "", 1)
	replace := strings.Replace(search, "item.price\n", "item.price * item.count\n        count += 1\n", 1)
	b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.py", Search: []byte(search), Replace: []byte(replace)}
	plan := planned(t, apply.Files{"f.py": []byte(file)}, one(b), apply.Options{Splice: apply.Verbatim})
	if len(plan.Files) != 1 || string(plan.Files[0].After) != replace {
		t.Error(reports(plan))
	}
}

// TestWhatUsersSawOfCounts holds that a number of occurrences which the reply states has to be that
// of the file. want is the message of the refused block, or a part of it; "" if it is applied.
func TestWhatUsersSawOfCounts(t *testing.T) {
	for _, c := range []struct {
		name, file, old string
		expected        int
		want            string
	}{
		{"two were replaced of three", "a = x\nb = x\n", "x", 3,
			"expects to replace 3 occurrences, and the file has 2"},
		{"three were replaced of two", "x x x\n", "x", 2, "expects to replace 2 occurrences, and the file has 3"},
		{"two are two", "a = x\nb = x\n", "x", 2, ""},
		{"none is stated", "a = x\nb = x\n", "x", 0, ""},
		{"overlapping ones count once", "aaaa\n", "aa", 2, ""},
		{"lines were replaced at one place of two", "if a:\n  run(x)\nend\n",
			"if a:\n    run(x)\nend\n", 2, "and the file has 1"},
		{"lines are at two places", "if a:\n  run(x)\nend\n\nif a:\n  run(x)\nend\n",
			"if a:\n    run(x)\nend\n", 2, ""},
		{"lines were replaced at two places of three",
			"if a:\n  run(x)\nend\n\nif a:\n  run(x)\nend\n", "if a:\n    run(x)\nend\n", 3, "and the file has 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.py", Substring: true,
				ReplaceAll: true, Expected: c.expected,
				Search: []byte(c.old),
				Replace: []byte(strings.Replace(c.old, "x", "y", 1) +
					strings.Repeat("z", 1-min(1, strings.Count(c.old, "x"))))}
			plan := planned(t, apply.Files{"f.py": []byte(c.file)}, one(b), apply.Options{})
			got := plan.Blocks[0]
			if c.want == "" && got.Status == apply.BlockFailed || !strings.Contains(got.Message, c.want) {
				t.Errorf("%s\n%s", got.Message, reports(plan))
			}
			if c.want == "" && len(plan.Files) != 1 || c.want != "" && len(plan.Files) > 0 {
				t.Errorf("%d files are changed\n%s", len(plan.Files), reports(plan))
			}
		})
	}
}

// TestEveryOccurrenceIsReplacedHoweverMany: of 2,500 occurrences the first thousand were replaced,
// and the block counted as applied.
func TestEveryOccurrenceIsReplacedHoweverMany(t *testing.T) {
	const many = 2500
	for _, c := range []struct {
		name, line string
		text       bool
	}{
		{"lines", "call(x)\n", false},
		{"lines indented otherwise", "  call(x)\n", false},
		{"text", "call(x); f(x)\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.c", Substring: c.text,
				ReplaceAll: true, Search: []byte("call(x)\n"), Replace: []byte("done(x)\n")}
			if c.text {
				b.Search, b.Replace = []byte("call"), []byte("done")
			}
			plan := planned(t, apply.Files{"f.c": bytes.Repeat([]byte(c.line), many)}, one(b), apply.Options{})
			if want := strings.Repeat(strings.Replace(c.line, "call", "done", 1),
				many); len(plan.Files) != 1 || string(plan.Files[0].After) != want {
				t.Error(plan.Blocks[0].Message, plan.Blocks[0].Warnings)
			}
		})
	}
}

// A file of nothing but occurrences must not take all memory there is.
func TestMoreOccurrencesThanAreReplaced(t *testing.T) {
	b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "f.c", Substring: true, ReplaceAll: true,
		Search: []byte("x"), Replace: []byte("y")}
	plan := planned(t, apply.Files{"f.c": bytes.Repeat([]byte("x"), 1_000_001)}, one(b), apply.Options{})
	if got := plan.Blocks[0]; got.Reason != apply.TooLarge {
		t.Error(got.Status, got.Reason, got.Message)
	}
}

// TestMorePlacesThanAreDistinguished: of places beyond the first thousand nothing was known, or of
// similar ones beyond the first 24, so that one of these was taken as the nearest to the hint, as
// the only one between the blocks around, or as the only one of whole lines. want is the first line
// of the place; 0 for a refusal.
func TestMorePlacesThanAreDistinguished(t *testing.T) {
	const more = 1500
	same := strings.Repeat("x = 1\n", more)
	edit := parser.Block{ID: 2, Op: parser.OpEdit, Path: "f.py", Search: []byte("x = 1\n"), Replace: []byte("x = 2\n")}
	around := func(id int, line string) parser.Block {
		return parser.Block{ID: id, Op: parser.OpEdit, Path: "f.py", Search: []byte(line + "\n"),
			Replace: []byte(line + " or so\n")}
	}
	hinted, text := edit, edit
	hinted.StartLine = 1001
	hintedText := hinted
	hintedText.Substring, hintedText.Search, hintedText.Replace = true, []byte("x"), []byte("y")
	const twin = "def handle(request):\n    value = compute(request)\n    result = transform(value)\n    return result\n\n"
	slipped := parser.Block{ID: 2, Op: parser.OpEdit, Path: "f.py", StartLine: 121,
		Search:  []byte("def handle(request):\n    value = compute(request)\n    result = trnasform(value)\n    return result\n"),
		Replace: []byte("def handle(request):\n    value = compute(request)\n    result = trnasform(value)\n    return result or None\n")}
	unhinted := slipped
	unhinted.StartLine = 0
	text.Substring, text.Search, text.Replace = true, []byte("a\nb"), []byte("a\nc")
	elided := edit
	elided.Search, elided.Replace = []byte("x = 1\n# ...\nend()\n"), []byte("x = 2\n# ...\nend()\n")
	for _, c := range []struct {
		name, file string
		blocks     []parser.Block
		block      int
		want       int
	}{
		{"the hint names a later one", same, []parser.Block{hinted}, 0, 1001},
		{"the hint names the text of a later one", same, []parser.Block{hintedText}, 0, 1001},
		{"the hint names a later similar one", strings.Repeat(twin, 60), []parser.Block{slipped}, 0, 121},
		{"similar ones are between the blocks around",
			strings.Repeat(twin, 23) + "the first\n" + strings.Repeat(twin, 30) + "the last\n",
			[]parser.Block{around(1, "the first"), unhinted, around(3, "the last")}, 1, 0},
		{"later ones are between the blocks around",
			same[:999*len("x = 1\n")] + "the first\n" + same[999*len("x = 1\n"):] + "the last\n",
			[]parser.Block{around(1, "the first"), edit, around(3, "the last")}, 1, 0},
		{"later ones are whole lines", "a\nb\n" + strings.Repeat("-a\nb-\n", more) + "a\nb\n",
			[]parser.Block{text}, 0, 0},
		{"a later one is nearer to the rest of the block", same + "end()\n", []parser.Block{elided}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := planned(t, apply.Files{"f.py": []byte(c.file)}, &parser.Reply{Blocks: c.blocks}, apply.Options{})
			switch got := plan.Blocks[c.block]; {
			case got.Status == apply.BlockFailed:
				if c.want > 0 {
					t.Error(got.Message)
				}
			case got.Lines[0] != c.want:
				t.Errorf("%s in lines %v", got.Status, *got.Lines)
			case c.block == 0 && c.want == 1001 &&
				!slices.Contains(got.Warnings, "chosen: more than 20 places fit; chose the one at the line hint"):
				t.Error(got.Warnings)
			}
		})
	}
}
