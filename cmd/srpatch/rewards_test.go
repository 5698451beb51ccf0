package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/srpatch/srpatch/parser"
)

// sweRL is what SWE-RL's rules make of a reply on files: "format" for a fault, which it scores with
// -1, else "changed". The rules are those that docs/filter.md tells.
func sweRL(files map[string]string, reply string) string {
	block := regexp.MustCompile("(?s)```[^\n]*\n### ([^\n]*)\n<<<<<<< SEARCH\n(.*?)\n=======\n(.*?)\n>>>>>>> REPLACE\n```")
	found := block.FindAllStringSubmatch(reply, -1)
	texts := map[string]string{}
	for _, m := range found {
		text, known := texts[m[1]]
		if !known {
			text = "\n" + files[m[1]]
		}
		search, replace := "\n"+m[2], "\n"+m[3]
		if search == replace || !strings.Contains(text, search) {
			return "format"
		}
		texts[m[1]] = strings.ReplaceAll(text, search, replace)
	}
	if len(found) == 0 {
		return "format"
	}
	return "changed"
}

// agentless is what Agentless's rules make of it: blocks in fences of python, duplicates left out,
// and what does not fit passed over.
func agentless(files map[string]string, reply string) string {
	fence := regexp.MustCompile("(?s)```python\\n(.*?)\\n```")
	block := regexp.MustCompile(`(?s)^### ([^\n]*)\n<<<<<<< SEARCH\n(.*?)\n=======\n(.*?)\n>>>>>>> REPLACE`)
	texts, seen := map[string]string{}, map[string]bool{}
	for path, text := range files {
		texts[path] = "\n" + text
	}
	for _, f := range fence.FindAllStringSubmatch(reply, -1) {
		if m := block.FindStringSubmatch(f[1]); m != nil && !seen[f[1]] {
			seen[f[1]] = true
			texts[m[1]] = strings.Replace(texts[m[1]], "\n"+m[2], "\n"+m[3], 1)
		}
	}
	for path, text := range texts {
		if text != "" && text != "\n"+files[path] {
			return "changed"
		}
	}
	return "no-op"
}

// textTree are the files below a folder.
func textTree(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(folder, path))
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// inTheirForm are the blocks of a reply as SWE-RL and Agentless ask for them: each in a fence of
// its own, below the name of its file.
func inTheirForm(reply string) string {
	var b strings.Builder
	r := parser.Parse([]byte(reply))
	for i := range r.Blocks {
		fmt.Fprintf(&b, "```python\n### %s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n```\n",
			r.Blocks[i].Path, r.Blocks[i].Search, r.Blocks[i].Replace)
	}
	return b.String()
}

// Answers of a model to tasks on the trees of testdata, by the same rules: as they came, and with
// the name of each block's file where these rules look for it.
func TestRewardsOfRealReplies(t *testing.T) {
	archive, err := txtar.ParseFile("../../testdata/parse/real.txtar")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[strings.TrimSuffix(f.Name, ".noeol")] = string(f.Data)
	}
	example, err := os.ReadFile("../../testdata/example/reply.md")
	if err != nil {
		t.Fatal(err)
	}
	parts["example/reply"] = string(example)
	trees := textTree(t, "../../testdata/trees")
	s := newScorer(t)
	for name, c := range map[string]struct {
		asItCame, inForm              string
		sweRLDiffers, agentlessDiffer bool // in form
	}{
		"accounts-two-blocks-one-fence": {"changed", "changed", false, false},
		"cut-off":                       {"format", "format", false, false},
		"display-name-as-apply-diff":    {"changed", "changed", false, false},
		"example":                       {"not-found", "not-found", false, false}, // the indentation of a class is lost
		"explanation-without-an-edit":   {"format", "format", false, false},
		"healthcheck-as-patch":          {"changed", "changed", false, false},
		"image-in-original-updated":     {"changed", "changed", false, false},
		"kinds-as-unified-diff":         {"changed", "changed", false, false},
		"money-in-blocks":               {"not-found", "not-found", true, false}, // SEARCH ends with a part of a line
		"numbered-list":                 {"path", "path", false, false},          // the file is named in the text alone
		"rename-as-tool-calls": {"changed", "format", false,
			false}, // texts within lines have no such form
		"step-by-step":             {"changed", "changed", false, false},
		"workers-in-cline-markers": {"changed", "changed", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			reply, ok := parts[name+"/reply"]
			if !ok {
				t.Fatal("no such reply")
			}
			files := trees
			if name == "example" {
				files = textTree(t, "../../testdata/example/tree")
			}
			score := func(reply string, partial bool) scored {
				return s.score(t, map[string]any{
					"files": files, "reply": reply, "partial": partial,
					"policy": "strict", "splice": "verbatim", "names": "exact", "bytes": "exact", "replace_all": true,
				})
			}
			if got := score(reply, false).Outcome; got != c.asItCame {
				t.Errorf("as it came: %s, want %s", got, c.asItCame)
			}
			if got := sweRL(files, reply); got != "format" {
				t.Errorf("as it came, SWE-RL: %s", got)
			}
			reply = inTheirForm(reply)
			got := score(reply, false).Outcome
			if differs := (got == "changed") != (sweRL(files,
				reply) == "changed"); got != c.inForm || differs != c.sweRLDiffers {
				t.Errorf("in form: %s, want %s; differs from SWE-RL: %v", got, c.inForm, differs)
			}
			if differs := score(reply,
				true).Changed != (agentless(files, reply) == "changed"); differs != c.agentlessDiffer {
				t.Errorf("in form: differs from Agentless: %v", differs)
			}
		})
	}
}

// The rewards of others by the outcomes of filter, with the differences that docs/filter.md names.
func TestRewardsOfOthers(t *testing.T) {
	const path, content = "a.py", "def f():\n    x = 1\n    y = 2\n    return x\n"
	block := func(path, search, replace string) string {
		return "```python\n### " + path + "\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace +
			"\n>>>>>>> REPLACE\n```\n"
	}
	for name, c := range map[string]struct {
		content, reply                string
		filter, partial               string
		sweRLDiffers, agentlessDiffer bool
	}{
		"one change": {content, block(path, "    x = 1", "    x = 3"), "changed", "changed", false, false},
		"two changes": {content, block(path, "    x = 1", "    x = 3") +
			block(path, "    y = 2", "    y = 4"), "changed", "changed", false, false},
		"prose alone": {content, "I would change x.\n", "format", "format", false, false},
		"not there": {content, block(path, "    z = 1", "    z = 3"), "not-found",
			"not-found", false, false},
		"one of two not there": {content, block(path, "    x = 1", "    x = 3") +
			block(path, "    z = 1", "    z = 3"), "not-found", "not-found", false, false},
		"no such file":      {content, block("b.py", "    x = 1", "    x = 3"), "path", "path", false, false},
		"same sides":        {content, block(path, "    x = 1", "    x = 1"), "no-op", "no-op", false, false},
		"other indentation": {content, block(path, "x = 1", "x = 3"), "not-found", "not-found", false, false},
		"two places": {content + content, block(path, "    x = 1", "    x = 3"),
			"changed", "changed", false, false},
		"twice the same block": {content, strings.Repeat(block(path, "    x = 1", "    x = 3"), 2),
			"changed", "changed", true, false},
		"empty REPLACE": {content,
			"```python\n### a.py\n<<<<<<< SEARCH\n    y = 2\n=======\n>>>>>>> REPLACE\n```\n",
			"changed", "changed", true, true},
		"no fence": {content,
			strings.ReplaceAll(strings.ReplaceAll(block(path, "    x = 1", "    x = 3"),
				"```python\n", ""), "```\n", ""), "changed", "changed", true, true},
		"begin of a line": {content, block(path, "    x =", "    z ="), "not-found", "not-found", true, true},
		"CRLF in the file": {strings.ReplaceAll(content, "\n", "\r\n"),
			block(path, "    x = 1\n    y = 2", "    x = 3\n    y = 2"), "not-found", "not-found", false, false},
	} {
		s := newScorer(t)
		t.Run(name, func(t *testing.T) {
			files := map[string]string{path: c.content}
			request := map[string]any{
				"files": files, "reply": c.reply,
				"policy": "strict", "splice": "verbatim", "names": "exact", "bytes": "exact", "replace_all": true,
			}
			got := s.score(t, request)
			if got.Outcome != c.filter {
				t.Errorf("outcome %s, want %s", got.Outcome, c.filter)
			}
			if differs := (got.Outcome == "changed") != (sweRL(files,
				c.reply) == "changed"); differs != c.sweRLDiffers {
				t.Errorf("differs from SWE-RL: %v", differs)
			}
			request["partial"] = true
			got = s.score(t, request)
			if got.Outcome != c.partial {
				t.Errorf("in part: outcome %s, want %s", got.Outcome, c.partial)
			}
			if differs := got.Changed != (agentless(files, c.reply) == "changed"); differs != c.agentlessDiffer {
				t.Errorf("differs from Agentless: %v", differs)
			}
		})
	}
}
