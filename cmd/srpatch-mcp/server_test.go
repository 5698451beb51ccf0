package main

//lint:file-ignore SA1019 Clients name their trees as roots, see roots.go.

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const shop = "def total(items):\n    return sum(items)\n\ndef tax(items):\n    return total(items) * RATE\n"

// versions are those of the protocol that differ in how the server asks for roots: in a request of
// its own, or as the answer to a call.
func versions() []string { return []string{"2025-06-18", ""} }

// Each tool does what it is for, and its report is valid.
func TestTools(t *testing.T) {
	for _, version := range versions() {
		t.Run("protocol "+version, func(t *testing.T) {
			dir := treeOf(t, map[string]string{"shop.py": shop})
			c := connect(t, home(t), version, []string{dir})
			edit := block("shop.py", "    return sum(items)\n", "    return round(sum(items), 2)\n")
			after := strings.Replace(shop, "sum(items)", "round(sum(items), 2)", 1)

			a := c.call("check", map[string]any{"reply": edit})
			if a.isError || a.get("status") != "applied" ||
				a.get("blocks", 0, "status") != "ready" ||
				a.get("files", 0, "action") != "modify" || read(t, dir, "shop.py") != shop {
				t.Errorf("check: %+v", a)
			}
			a = c.call("apply", map[string]any{"reply": edit})
			if a.isError || a.get("blocks", 0, "status") != "applied" || a.get("run") == nil ||
				!strings.Contains(a.words, "shop.py:2") || read(t, dir, "shop.py") != after {
				t.Errorf("apply: %+v", a)
			}
			if a = c.call("apply", map[string]any{"reply": edit, "root": dir}); a.isError ||
				a.get("blocks", 0, "status") != "already-applied" || read(t, dir, "shop.py") != after {
				t.Errorf("apply again: %+v", a)
			}
			if a = c.call("why",
				map[string]any{"reply": edit, "block": 1, "root": uriOf(dir)}); a.isError ||
				a.get("report", "status") != "already-applied" || !strings.Contains(a.words, "verdict") {
				t.Errorf("why: %+v", a)
			}
			a = c.call("undo", nil)
			if a.isError || a.get("status") != "applied" || a.get("of") == nil ||
				!strings.Contains(a.words, "shop.py  put back") || read(t, dir, "shop.py") != shop {
				t.Errorf("undo: %+v", a)
			}
			if a = c.call("undo", nil); !a.isError || a.get("error", "code") != "no-such-run" {
				t.Errorf("undo of nothing: %+v", a)
			}
			if a = c.call("prompt", nil); a.isError || !strings.Contains(a.words, "<<<<<<< SEARCH") {
				t.Errorf("prompt: %+v", a)
			}
			if a = c.call("prompt", map[string]any{"format": "v4a"}); a.isError ||
				!strings.Contains(a.words, "*** Begin Patch") {
				t.Errorf("prompt of another format: %+v", a)
			}
		})
	}
}

// Hosts decide by the annotations what they ask a person about.
func TestAnnotations(t *testing.T) {
	c := connect(t, home(t), "", nil, t.TempDir())
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	reads := map[string]bool{"check": true, "why": true, "prompt": true, "apply": false, "undo": false}
	for _, tool := range tools.Tools {
		read, known := reads[tool.Name]
		a := tool.Annotations
		if !known || a.ReadOnlyHint != read || *a.DestructiveHint == read || *a.OpenWorldHint ||
			a.IdempotentHint != (tool.Name != "undo") {
			t.Errorf("%s: %+v", tool.Name, a)
		}
		delete(reads, tool.Name)
	}
	if len(reads) > 0 {
		t.Errorf("missing: %v", reads)
	}
	c = connect(t, home(t), "", nil, "--read-only", t.TempDir())
	if tools, err = c.ListTools(t.Context(), nil); err != nil ||
		slices.ContainsFunc(tools.Tools, func(t *mcp.Tool) bool { return !t.Annotations.ReadOnlyHint }) {
		t.Errorf("--read-only: %v, %v", tools.Tools, err)
	}
}

// What is refused is kept, and its answer has to have the refused edits only.
func TestRetry(t *testing.T) {
	dir := treeOf(t, map[string]string{"shop.py": shop})
	c := connect(t, home(t), "", []string{dir})
	good := block("shop.py", "    return sum(items)\n", "    return round(sum(items), 2)\n")
	a := c.call("apply", map[string]any{"reply": good +
		block("shop.py", "def duty(items):\n    return 0\n", "def duty(items):\n    return 1\n")})
	if !a.isError || a.get("status") != "refused" || a.get("blocks", 0, "status") != "ready" ||
		a.get("blocks", 1, "reason") != "not-found" || read(t, dir, "shop.py") != shop {
		t.Fatalf("%+v", a)
	}
	if !strings.Contains(a.words, "with retry set to true") || a.get("feedback") != a.words {
		t.Errorf("the model is told\n%s", a.words)
	}
	if a = c.call("why", map[string]any{"block": 2}); a.isError || a.get("report", "reason") != "not-found" {
		t.Errorf("why, of the refused reply: %+v", a)
	}
	a = c.call("apply", map[string]any{"retry": true,
		"reply": block("shop.py", "def tax(items):\n    return total(items) * RATE\n",
			"def duty(items):\n    return total(items) * RATE\n")})
	if a.isError || !strings.Contains(read(t, dir, "shop.py"), "round(sum") ||
		!strings.Contains(read(t, dir, "shop.py"), "def duty") {
		t.Errorf("%+v\n%s", a, read(t, dir, "shop.py"))
	}
	if a = c.call("apply", map[string]any{"retry": true, "reply": good}); a.get("error", "code") != "nothing-to-retry" {
		t.Errorf("a second answer: %+v", a)
	}
	c.call("apply", map[string]any{"reply": block("shop.py", "nothing like it\n", "x\n")})
	if a = c.call("apply", map[string]any{"reply": block("new.py", "", "x = 1\n")}); a.isError ||
		!strings.Contains(a.words, "was not retried") {
		t.Errorf("a refused reply is forgotten without a word: %+v", a)
	}
}

// An answer may give edits up, and a block of a reply that has answers is explained as it is by
// now.
func TestAnswers(t *testing.T) {
	dir := treeOf(t, map[string]string{"shop.py": shop})
	c := connect(t, home(t), "", []string{dir})
	good, bad := block("shop.py", "    return sum(items)\n", "    return round(sum(items), 2)\n"),
		block("shop.py", "nothing like it\n", "x\n")
	c.call("apply", map[string]any{"reply": good + bad})
	if a := c.call("apply", map[string]any{"reply": "I cannot say more.",
		"retry": true}); a.get("error", "code") != "no-edits" {
		t.Errorf("an answer without edits: %+v", a)
	}
	other := block("shop.py", "nothing at all like it\n", "x\n")
	if a := c.call("apply", map[string]any{"reply": other,
		"retry": true}); a.get("status") != "refused" || a.get("blocks", 1, "id") != 2.0 {
		t.Errorf("an answer that is refused as well: %+v", a)
	}
	if a := c.call("why", map[string]any{"block": 2}); a.isError ||
		a.get("report", "reason") != "not-found" || !strings.Contains(a.words, "block 2") {
		t.Errorf("why, of the answer: %+v", a)
	}
	if a := c.call("why", map[string]any{"block": 1}); a.isError || a.get("report", "status") != "ready" {
		t.Errorf("why, of what is kept: %+v", a)
	}
	if a := c.call("why", map[string]any{"block": 3}); a.get("error", "code") != "usage" {
		t.Errorf("why, of a block that is not there: %+v", a)
	}
	if a := c.call("apply", map[string]any{"reply": "skip block 2\n", "retry": true}); a.isError ||
		!strings.Contains(read(t, dir, "shop.py"), "round(sum") {
		t.Errorf("an edit is given up: %+v", a)
	}
	c.call("apply", map[string]any{"reply": bad})
	if a := c.call("apply", map[string]any{"reply": "skip block 1\n", "retry": true}); a.isError ||
		a.get("run") != nil {
		t.Errorf("all is given up: %+v", a)
	}
}

// A run whose files have changed since is taken back where that leaves the changes alone, and else
// not in part.
func TestUndoOfChangedFiles(t *testing.T) {
	dir := treeOf(t, map[string]string{"shop.py": shop, "f.txt": "one\n"})
	c := connect(t, home(t), "", []string{dir})
	c.call("apply", map[string]any{"reply": block("shop.py", "    return sum(items)\n",
		"    return 0\n") + block("f.txt", "one\n", "two\n")})
	write(t, filepath.Join(dir, "shop.py"), strings.Replace(read(t, dir, "shop.py"), "RATE", "0.2", 1))
	if a := c.call("undo", nil); !a.isError || a.get("error", "code") != "stale" ||
		a.get("status") != "error" || read(t, dir, "f.txt") != "two\n" {
		t.Errorf("%+v", a)
	}
	if a := c.call("undo", map[string]any{"paths": []string{"f.txt"}}); a.isError || read(t, dir, "f.txt") != "one\n" {
		t.Errorf("of one file: %+v", a)
	}
	if a := c.call("undo", map[string]any{"paths": []string{"f.txt"}}); a.get("error", "code") != "no-such-run" {
		t.Errorf("of one file, again: %+v", a)
	}
	if a := c.call("undo", map[string]any{"merge": true}); a.isError ||
		read(t, dir, "shop.py") != strings.Replace(shop, "RATE", "0.2", 1) {
		t.Errorf("by merge: %+v", a)
	}
	c.call("apply", map[string]any{"reply": block("f.txt", "one\n", "two\n")})
	write(t, filepath.Join(dir, "f.txt"), "three\n")
	if a := c.call("undo", map[string]any{"merge": true}); a.get("error", "code") != "conflict" ||
		read(t, dir, "f.txt") != "three\n" {
		t.Errorf("by merge, of the same line: %+v", a)
	}
	write(t, filepath.Join(dir, "f.txt"), "one\n")
	if a := c.call("undo", map[string]any{"merge": true}); a.isError {
		t.Errorf("of what is as before: %+v", a)
	}
}

// A call that cannot be meant is answered, not served.
func TestBadArguments(t *testing.T) {
	dir := treeOf(t, map[string]string{"shop.py": shop, "sub/x": "x\n"})
	c := connect(t, home(t), "", []string{dir})
	edit := block("shop.py", "    return sum(items)\n", "    return 0\n")
	for name, bad := range map[string]struct {
		tool string
		args map[string]any
		code string // "" where the arguments are not of the tool's form
	}{
		"no reply":            {"apply", nil, ""},
		"another type":        {"apply", map[string]any{"reply": 1}, ""},
		"an unknown argument": {"apply", map[string]any{"reply": edit, "force": true}, ""},
		"a looser policy":     {"apply", map[string]any{"reply": edit, "policy": "loose"}, ""},
		"no edit":             {"apply", map[string]any{"reply": "Done."}, "no-edits"},
		"an empty reply":      {"check", map[string]any{"reply": ""}, "no-edits"},
		"a root that is none": {"apply",
			map[string]any{"reply": edit, "root": filepath.Dir(dir)}, "outside-root"},
		"a directory below a root": {"apply",
			map[string]any{"reply": edit, "root": filepath.Join(dir, "sub")}, "outside-root"},
		"a root out of a root": {"apply", map[string]any{"reply": edit, "root": dir + "/.."}, "outside-root"},
		"a root of another machine": {"apply",
			map[string]any{"reply": edit, "root": "file://example.org" + dir}, "outside-root"},
		"a relative root":           {"apply", map[string]any{"reply": edit, "root": "."}, "outside-root"},
		"no block":                  {"why", map[string]any{"reply": edit}, ""},
		"a block that is not there": {"why", map[string]any{"reply": edit, "block": 2}, "usage"},
		"nothing was refused":       {"why", map[string]any{"block": 1}, "nothing-to-retry"},
		"an unknown run":            {"undo", map[string]any{"run": "99"}, "no-such-run"},
		"a path out of the root":    {"undo", map[string]any{"paths": []string{"../x"}}, "outside-root"},
		"an unknown format":         {"prompt", map[string]any{"format": "xml"}, ""},
	} {
		a := c.call(bad.tool, bad.args)
		code, _ := a.get("error", "code").(string)
		if !a.isError || code != bad.code || a.words == "" || (a.report == nil) != (bad.code == "") {
			t.Errorf("%s: %q; %+v", name, code, a)
		}
	}
	if a := c.call("apply", map[string]any{"reply": block("../out.py", "", "x\n")}); !a.isError ||
		a.get("blocks", 0, "reason") != "outside-root" {
		t.Errorf("an edit out of the root: %+v", a)
	}
	if read(t, dir, "shop.py") != shop {
		t.Error("the file is another one")
	}
}

// Text that is no Unicode would be written as U+FFFD.
func TestBrokenUnicodeIsRefused(t *testing.T) {
	for raw, broken := range map[string]bool{
		`{"reply":"\ud83d\ude00"}`: false, `{"reply":"\ufffd"}`: false, `{"reply":"` + "\uFFFD" + `"}`: false,
		`{"reply":"\ud83d"}`: true, `{"reply":"\ude00x"}`: true, `{"reply":"` + "\uFFFD" +
			`\ud83d"}`: true, `{"reply":"` + "\xff" + `"}`: true,
	} {
		req := &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: []byte(raw)}}
		_, err := (&server{}).answer(req, []root{{dir: "d"}}, "", func(*call) (result, error) { return result{}, nil })
		if refused := err != nil; refused != broken {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

// Guards of the command line hold, whatever a call says.
func TestGuards(t *testing.T) {
	dir := treeOf(t, map[string]string{"b.key": "b\n", "c.txt": "c\n"})
	c := connect(t, home(t), "", nil, "--deny", "*.key", dir)
	a := c.call("apply", map[string]any{"reply": block("b.key", "b\n", "x\n") + block("c.txt", "c\n", "x\n")})
	if a.get("blocks", 0, "reason") != "denied" || a.get("blocks", 1, "status") != "ready" {
		t.Errorf("%+v", a)
	}
}

// A call is about the roots that the client has then.
func TestRootsChange(t *testing.T) {
	for _, version := range versions() {
		t.Run("protocol "+version, func(t *testing.T) {
			one, other, given := treeOf(t, map[string]string{"f.txt": "one\n"}),
				treeOf(t, map[string]string{"f.txt": "other\n"}), treeOf(t, map[string]string{"f.txt": "given\n"})
			c := connect(t, home(t), version, []string{one})
			to := func(dir string) map[string]any {
				return map[string]any{"root": dir, "reply": block("f.txt", "", "x\n")}
			}
			reason := func(dir string) any { return c.call("check", to(dir)).get("error", "code") }
			if reason(one) != nil || reason(other) != "outside-root" {
				t.Error("before")
			}
			c.client.AddRoots(&mcp.Root{URI: uriOf(other), Name: "the other"})
			if reason(one) != nil || reason(other) != nil || reason("the other") != nil || reason("") != "usage" {
				t.Error("with both")
			}
			c.client.RemoveRoots(uriOf(one))
			if reason(one) != "outside-root" || reason(other) != nil || reason("") != nil {
				t.Error("after")
			}
			c.client.RemoveRoots(uriOf(other))
			c.client.AddRoots(&mcp.Root{URI: "https://example.org/f"})
			if reason("") != "outside-root" {
				t.Error("without any")
			}
			c = connect(t, home(t), version, []string{one}, given)
			if reason(one) != nil || reason(given) != nil || reason(other) != "outside-root" {
				t.Error("with one of the command line")
			}
			c = connect(t, home(t), version, nil, given)
			if reason("") != nil || reason(one) != "outside-root" {
				t.Error("with one of the command line alone")
			}
		})
	}
}
