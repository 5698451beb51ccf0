package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// edited returns the report of one block for one file.
func edited(t *testing.T, name, file, search, replace string) apply.BlockReport {
	t.Helper()
	b := parser.Block{ID: 1, Op: parser.OpEdit, Path: name, Search: []byte(search), Replace: []byte(replace)}
	tree := apply.Files{name: []byte(file)}
	if search == "" {
		b.Op, tree = parser.OpCreate, apply.Files{}
	}
	return planned(t, tree, one(b), apply.Options{}).Blocks[0]
}

func isPlaceholder(t *testing.T, r apply.BlockReport) {
	t.Helper()
	if r.Status != apply.BlockFailed || r.Reason != apply.Placeholder {
		t.Errorf("%s %s %q, want it refused as a placeholder", r.Status, r.Reason, r.Warnings)
	}
}

func isApplied(t *testing.T, r apply.BlockReport) {
	t.Helper()
	if r.Status != apply.BlockApplied {
		t.Errorf("%s %s: %s", r.Status, r.Reason, r.Message)
	}
}

const cartPy = `class Cart:
    def total(self, rate):
        amount = 0
        for item in self.items:
            amount += item.price
        return amount * rate

    def clear(self):
        self.items = []
        self.save()
`

const shopJS = `export function total(items, rate) {
  let amount = 0;
  for (const item of items) {
    amount += item.price;
  }
  return amount * rate;
}
`

// wordingsSeen are the wordings that once lost code without a warning.
func wordingsSeen() []string {
	return []string{
		"rest of the code remains the same", "existing code remains unchanged",
		"TODO: rest of implementation", "existing methods remain unchanged",
		"keep the rest as is", "your existing code here", "[...]", "snipped here",
		"code omitted for brevity", "(rest of methods ...)", "rest unchanged",
		"... existing code ...", "... rest of the function", "same as before", "same columns as before",
	}
}

func TestRemarkInThePlaceOfAFunctionsBodyDeletedIt(t *testing.T) {
	search := strings.Join(strings.SplitAfter(cartPy, "\n")[1:6], "")
	for _, wording := range wordingsSeen() {
		for _, form := range []string{"        # %s\n", "        pass  # %s\n",
			"        \"\"\"%s\"\"\"\n", "        \"\"\"\n        %s\n        \"\"\"\n", "        (%s)\n"} {
			t.Run(wording+strings.ReplaceAll(form, "\n", "|"), func(t *testing.T) {
				isPlaceholder(t,
					edited(t, "cart.py", cartPy, search,
						"    def total(self, rate, currency):\n"+fmt.Sprintf(form, wording)))
				isPlaceholder(t,
					edited(t, "cart.py", cartPy, search, "    def total(self, rate):\n"+fmt.Sprintf(form, wording)))
			})
		}
	}
}

func TestRemarkThatNamesWhatItLeavesOutDeletedIt(t *testing.T) {
	body := strings.Join(strings.SplitAfter(shopJS, "\n")[1:5], "")
	for _, wording := range []string{"loop unchanged", "error handling unchanged", "existing loop",
		"... summing up ...", "Same as above", "the loop stays the same", "... loop", "loop..."} {
		isPlaceholder(t, edited(t, "shop.js", shopJS, shopJS, strings.NewReplacer(body, "  // "+wording+"\n",
			"amount * rate", "round(amount * rate)").Replace(shopJS)))
	}
	isPlaceholder(t, edited(t, "cart.py", cartPy, cartPy,
		"class Cart:\n    # __init__ and total are unchanged\n    def clear(self):\n        self.save()\n"))
}

func TestRemarkInEmptyBracesDeletedTheirBody(t *testing.T) {
	body := strings.Join(strings.SplitAfter(shopJS, "\n")[1:5], "")
	for _, line := range []string{"  for (const i of items) { /* existing code */ }", "  while (next()) {} // unchanged"} {
		isPlaceholder(t, edited(t, "shop.js", shopJS, shopJS, strings.ReplaceAll(shopJS, body, line+"\n")))
	}
}

func TestRemarkBetweenNewLinesDeletedCode(t *testing.T) {
	search := strings.Join(strings.SplitAfter(cartPy, "\n")[1:6], "")
	for _, wording := range []string{"same as before", "existing code", "unchanged", "<snip>"} {
		isPlaceholder(t, edited(t, "cart.py", cartPy, search,
			"    def total(self, rate):\n        # "+wording+"\n        log('done')\n"))
	}
}

func TestRemarkOfAnyLanguageInThePlaceOfCodeDeletedIt(t *testing.T) {
	for _, c := range []struct{ name, form string }{
		{"a.js", "  // %s"}, {"a.js", "  /// %s"}, {"a.js", "  /* %s */"},
		{"a.js", "  /*\n   * %s\n   */"}, {"a.js", "  /**\n   * %s\n   **/"}, {"a.js", "  /*\n     %s\n  */"},
		{"a.jsx", "  {/* %s */}"}, {"a.html", "  <!-- %s -->"}, {"a.html", "  <!--\n  %s\n  -->"},
		{"a.py", "  # %s"}, {"a.py", "  #%s"}, {"a.py", "  ''' %s '''"},
		{"a.sql", "  -- %s"}, {"a.lua", "  --[[ %s ]]"}, {"a.ini", "  ; %s"}, {"a.el", "  ;; %s"},
		{"a.tex", "  %% %s"}, {"a.ml", "  (* %s *)"}, {"a.hs", "  {- %s -}"},
		{"a.bat", "  REM %s"}, {"a.bas", "  rem %s"}, {"a.vim", "  \" %s"}, {"a.vb", "  ' %s"},
		{"a.j2", "  {# %s #}"}, {"a.erb", "  <%%# %s %%>"}, {"a.jsp", "  <%%-- %s --%%>"},
		{"a.php", "  {{-- %s --}}"}, {"a.hbs", "  {{!-- %s --}}"}, {"a.c", "  [%s]"},
		{"a.c", "  (%s)"}, {"a.c", "  ... %s"}, {"a.c", "  <%s>"},
		{"a.c", "  return 0;  // ... %s"}, {"a.c", "  {  /* %s */"}, {"a.md", "<!-- %s -->"}, {"a.rs", "  //! %s"},
	} {
		for _, wording := range []string{"rest of the code remains the same",
			"existing code remains unchanged", "keep the rest as is", "code omitted for brevity",
			"... existing code ..."} {
			t.Run(strings.ReplaceAll(c.form, "\n", "|")+wording, func(t *testing.T) {
				lines := strings.SplitAfter(shopJS, "\n")
				replace := lines[0] + fmt.Sprintf(c.form, wording) + "\n" + lines[6]
				isPlaceholder(t, edited(t, c.name, shopJS, shopJS, replace))
			})
		}
	}
}

func TestShortCommentOnRewrittenCodeWasTakenForARemark(t *testing.T) {
	const old = "def sync(store, name):\n    base = store.base_of(name)\n    size = measure(base)\n    log.debug(size)\n    flush(size)\n    return base\n"
	for _, words := range []string{"version mismatch", "current version", "keep a copy",
		"copy the original file", "see section above", "remaining items", "existing file",
		"Rest API", "Existing URL", "Remaining TTL", "test suite", "the same line",
		"keep previous lines", "omitted fields"} {
		t.Run(words, func(t *testing.T) {
			isApplied(t, edited(t, "a.py", old, old,
				"def sync(store, name):\n    # "+words+"\n    entry = self.read_entry()\n    if entry.checksum != self.checksum:\n        raise SyncError(entry)\n    return base\n"))
			if words != "omitted fields" {
				isApplied(t, edited(t, "new.py", "", "", "import os\n\n# "+words+"\nx = 1\n"))
			}
		})
	}
	for _, heading := range []string{"Remaining items", "Existing tests", "Omitted fields",
		"Unchanged files", "No changes", "The rest"} {
		t.Run(heading, func(t *testing.T) {
			isApplied(t, edited(t, "new.py", "", "", "import os\n\n# "+heading+"\nx = 1\n"))
		})
	}
	t.Run("on the line that follows", func(t *testing.T) {
		const old = "func run() {\n\tcount := 0\n\tjobs := load()\n\tstart()\n\twg.Wait()\n}\n"
		isApplied(t, edited(t, "a.go", old, old,
			"func run() {\n\ttotal := 0\n\tqueue := loadAll()\n\tlaunch()\n\t// wait for the remaining workers\n\twg.Wait()\n}\n"))
	})
}

func TestNewFileHeldARemarkInThePlaceOfCode(t *testing.T) {
	for _, wording := range []string{
		"... existing code ...", "...", "rest of the code remains the same",
		"existing methods remain unchanged", "TODO: rest of implementation", "keep the rest as is",
		"your existing code here", "code omitted for brevity", "(rest of methods ...)", "rest unchanged",
		"... other imports ...",
	} {
		for _, form := range []string{"# %s\n", "def f():\n    pass  # %s\n", "// %s\n",
			"/* %s */\n", "<!-- %s -->\n"} {
			if wording == "..." && strings.Contains(form, "pass") {
				continue
			}
			t.Run(wording+form, func(t *testing.T) {
				isPlaceholder(t, edited(t, "new.py", "", "", "import os\n\n"+fmt.Sprintf(form, wording)))
			})
		}
	}
}

func TestNewFileWithAStubWasTakenForARemark(t *testing.T) {
	for _, text := range []string{
		"def f():\n    # TODO: implement\n    raise NotImplementedError\n",
		"// TODO: implementation\n", "def f():\n    ...\n", "# Others\nx = 1\n", "# keep\nx = 1\n",
		"# Check for existing users\nx = 1\n", "# same as above\nx = 1\n",
		"enum State { Changed, // changed\n Kept, // unchanged\n}\n", "# Loading...\nload()\n",
		"f(...args)\n// ...args\n", "# Handle the rest of the file\nx = 1\n", "# 1, 2, 3, ...\nx = 1\n",
		"# Sort the names; all others\n# remain unchanged.\nx = 1\n",
		"Use of the software is free;\nthe rest\nremains as is.\n",
		"# Keep the existing\n# order of names.\nx = 1\n", "#!/bin/sh\n#include <rest.h>\n",
	} {
		t.Run(text, func(t *testing.T) { isApplied(t, edited(t, "new.py", "", "", text)) })
	}
	isApplied(t, edited(t, "README.md", "", "",
		"# Existing\n\nThe rest of the file is unchanged.\n\n- and so on ...\n\n```js\n// ... existing code ...\n```\n"))
}

func TestSampleInADocumentWasTakenForARemark(t *testing.T) {
	for _, c := range []struct{ name, path, text string }{
		{"fence", "a.md", "```ts\nf();\n// ... existing code ...\n```\n"},
		{"fence in a list", "a.md", "- so:\n\n  ~~~ts\n  // ... other related functions ...\n  ~~~\n"},
		{"fence that begins with a bullet", "a.md", "- ```\n  // ...\n  ```\n"},
		{"fence in a quotation", "a.md", "> ```\n> ...\n> ```\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const old = "Use the first way to do it.\nUse the second way to do it.\n"
			isApplied(t, edited(t, c.path, "Intro\n\n"+old, old, c.text))
			isApplied(t, edited(t, c.path, "", "", c.text))
		})
	}
	t.Run("lines of a fence that is there", func(t *testing.T) {
		file := "```js\nreadAll();\nwriteAll();\ncloseAll();\n```\n"
		isApplied(t, edited(t, "a.md", file, "readAll();\nwriteAll();\ncloseAll();\n", "// ... existing code ...\n"))
	})
	t.Run("after a fence", func(t *testing.T) {
		file := "```js\nreadAll();\n```\nThe first thing to say.\nThe second thing to say.\n"
		isPlaceholder(t, edited(t, "a.md", file,
			"The first thing to say.\nThe second thing to say.\n", "<!-- ... rest of the text ... -->\n"))
	})
}

func TestPairedElisionsKeepWhatTheyStandFor(t *testing.T) {
	r := edited(t, "a.js", shopJS,
		"export function total(items, rate) {\n  // ... existing code ...\n  return amount * rate;\n", "export function total(items, rate) {\n  // ... existing code ...\n  return amount;\n")
	isApplied(t, r)
}

func TestRefusalNamesTheRemark(t *testing.T) {
	r := edited(t, "a.js", "// head\n"+shopJS, shopJS,
		"export function total(items, rate) {\n  // rest of the function unchanged\n}\n")
	isPlaceholder(t, r)
	for _, want := range []string{"// rest of the function unchanged", "write them out, or put the same line into SEARCH"} {
		if !strings.Contains(r.Message, want) {
			t.Errorf("%q does not say %q", r.Message, want)
		}
	}
}

func TestRemarkInTextOfAnEditTool(t *testing.T) {
	b := parser.Block{ID: 1, Op: parser.OpEdit, Path: "a.js", Substring: true,
		Search: []byte("let amount = 0;\n  for (const item of items) {\n    amount += item.price;\n  }\n  return amount * rate;"), Replace: []byte("// existing code remains unchanged")}
	tree := apply.Files{"a.js": []byte(shopJS)}
	isPlaceholder(t, planned(t, tree, one(b), apply.Options{}).Blocks[0])
	b.ReplaceAll = true
	isPlaceholder(t, planned(t, tree, one(b), apply.Options{}).Blocks[0])
	if r := planned(t, tree, one(b), apply.Options{AllowPlaceholders: true}).Blocks[0]; r.Status != apply.BlockApplied {
		t.Errorf("on request: %s %s", r.Status, r.Message)
	}
}
