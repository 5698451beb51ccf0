package workspace

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// TestDeniedListDeniesNothing: '.git/**,.github/**' was one glob, of a directory whose name holds a
// comma.
func TestDeniedListDeniesNothing(t *testing.T) {
	for _, c := range []struct {
		lists    []string
		yes, no  []string
		allowing bool
	}{
		{lists: []string{".git/**,.github/**"}, yes: []string{".github/workflows/ci.yml"}, no: []string{"a"}},
		{lists: []string{"a, b ", "c/[de],f"}, yes: []string{"a", "b", "c/d", "f"},
			no: []string{"d", "e", "c/x"}},
		{lists: []string{`a\,b`}, yes: []string{"a,b"}, no: []string{"a", "b"}},
		{lists: []string{"@exec,x"},
			yes: []string{"x", ".envrc", "sub/.envrc", "web/package.json",
				".github/workflows/a.yml", ".vscode/tasks.json", "lib/BUILD", "go.mod"},
			no: []string{"main.go", "build/a.go", ".github/FUNDING.yml"}},

		// Whatever case a file system would find them by, and whatever form of accents.
		{lists: []string{"Private/,.env,caf\u00e9"},
			yes: []string{"private/key", "PRIVATE/x", "sub/.ENV", "cafe\u0301"}, no: []string{"privates/x"}},
		{lists: []string{"@exec"},
			yes: []string{"JENKINSFILE", "jenkinsfile.deploy", ".GitHub/Workflows/x.yml", "Pac\u212aage.json"}},
		{lists: []string{"src"}, yes: []string{"src/a"}, no: []string{"SRC/a"}, allowing: true},
	} {
		opt := Options{Deny: c.lists}
		if c.allowing {
			opt = Options{Allow: c.lists}
		}
		w := openTest(t, t.TempDir(), opt)
		for _, name := range c.yes {
			if _, err := w.ReadFile(name); (reasonOf(err) == apply.Denied) == c.allowing {
				t.Errorf("%q (allowing: %v) does not fit %s: %v", c.lists, c.allowing, name, err)
			}
		}
		for _, name := range c.no {
			if _, err := w.ReadFile(name); (reasonOf(err) == apply.Denied) != c.allowing {
				t.Errorf("%q (allowing: %v) fits %s: %v", c.lists, c.allowing, name, err)
			}
		}
	}
}

// TestGuardThatGuardsNothing: what a glob cannot say was taken by the letter, and fitted nothing
// that anybody meant.
func TestGuardThatGuardsNothing(t *testing.T) {
	for _, opt := range []Options{
		{Deny: []string{"x,!keep"}}, {Deny: []string{"[!a]*"}}, {Deny: []string{"[[:digit:]]*"}},
		{Deny: []string{"@exce"}}, {Deny: []string{"x,,y"}},
		{Deny: []string{"x,{a,b}"}},
	} {
		if _, err := Open(t.TempDir(), opt); err == nil {
			t.Errorf("deny %q, allow %q is accepted", opt.Deny, opt.Allow)
		} else if _, ok := errors.AsType[*GlobError](err); !ok {
			t.Errorf("deny %q, allow %q: %v", opt.Deny, opt.Allow, err)
		}
	}
}

// TestUntrustedReply: a reply of unknown origin changes what the code says, and nothing that acts
// by itself.
func TestUntrustedReply(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.go": "old\n", ".editorconfig": "old\n",
		".config/x": "old\n", "package.json": "{}\n"})
	opt := testOptions(t)
	opt.Untrusted = true
	w := openTest(t, dir, opt)
	old, now := []byte("old\n"), []byte("new\n")
	for _, c := range []struct {
		change apply.FileChange
		want   apply.Reason
	}{
		{change("a.go", old, now), ""},
		{change("sub/b.go", nil, now), ""},
		{change(".editorconfig", old, now), apply.Denied},
		{change(".config/x", old, now), apply.Denied},
		{change("package.json", []byte("{}\n"), now), apply.Denied},
		{change(".envrc", nil, now), apply.Denied},
		{change(".prettierrc", nil, now), apply.Denied},
		{change("sub/.cache/x", nil, now), apply.Denied},
		{change(".config/new", nil, now), apply.Denied},
		{change("a.go", old, nil), apply.Denied},
		{apply.FileChange{Path: "b.go", From: "a.go", Action: apply.Move, Before: old, After: old}, apply.Denied},
	} {
		if err := w.CanWrite(&c.change); reasonOf(err) != c.want {
			t.Errorf("CanWrite(%s %s): %v, want %q", c.change.Action, c.change.Path, err, c.want)
		}
		if _, err := w.Commit(t.Context(), planOf(c.change)); reasonOf(err) != c.want || c.want == "" && err != nil {
			t.Errorf("Commit(%s %s): %v, want %q", c.change.Action, c.change.Path, err, c.want)
		}
		if _, err := w.Undo(t.Context(), "", UndoOptions{}); c.want == "" && err != nil {
			t.Errorf("Undo: %v", err)
		}
	}
}

// TestHooksElsewhere: hooks run by themselves wherever the repository keeps them.
func TestHooksElsewhere(t *testing.T) {
	dir := t.TempDir()
	gitHere(t, dir, "init", "-q")
	gitHere(t, dir, "config", "core.hooksPath", "tools/on*commit")
	writeFiles(t, dir, map[string]string{"tools/on*commit/pre-commit": "x\n",
		"tools/on a commit": "x\n", "tools/other": "x\n"})
	opt := testOptions(t)
	opt.Deny = []string{"x,@exec"}
	for root, names := range map[string][]string{
		".":     {"tools/on*commit/pre-commit", "tools/on*commit/post-merge"},
		"tools": {"on*commit/pre-commit"}, "tools/on*commit": {"pre-commit"},
	} {
		w := openTest(t, filepath.Join(dir, root), opt)
		for _, name := range names {
			if _, err := w.ReadFile(name); reasonOf(err) != apply.Denied {
				t.Errorf("%s below %s is read: %v", name, root, err)
			}
		}
	}
	w := openTest(t, dir, opt)
	for _, name := range []string{"tools/on a commit", "tools/other"} {
		if _, err := w.ReadFile(name); err != nil {
			t.Error(err)
		}
	}
}

// Each glob of the list @exec is good, and there once.
func TestExecList(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(execGlobs) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for glob := range strings.FieldsSeq(strings.Replace(line, "files:", "", 1)) {
			if _, err := cleanGlob(glob, nil); err != nil || seen[anyCase(glob)] {
				t.Errorf("%s: there twice, or %v", glob, err)
			}
			seen[anyCase(glob)] = true
		}
	}
}

// A glob with many ** matches in steps that the lengths of glob and name multiply to, not in all
// ways to divide the name.
func TestGlobWithManyStars(t *testing.T) {
	name := strings.Repeat("a/", 60) + "c"
	for glob, want := range map[string]bool{
		strings.Repeat("**/a/", 30) + "b":      false,
		strings.Repeat("**/a/", 30) + "c":      true,
		strings.Repeat("**/a/", 30) + "**":     true,
		strings.Repeat("**/a/", 61) + "c":      false,
		strings.Repeat("a/**/", 30) + "a/**/c": true,
	} {
		g, err := compileGlobs([]string{glob}, asWritten)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := g.match(name); got != want {
			t.Errorf("%s: %t, want %t", glob, got, want)
		}
	}
}
