package workspace

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// gitHere runs git in a directory, or skips the test where git is not installed.
func gitHere(t *testing.T, dir string, args ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and the test is about what it takes for a repository")
	}
	git := exec.Command("git",
		append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c",
			"protocol.file.allow=always"}, args...)...)
	git.Dir = dir
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v, %s", args, err, out)
	}
}

// TestReplyPlantsARepository: whoever asked git for the status in docs ran what the reply had put
// into docs/config.
func TestReplyPlantsARepository(t *testing.T) {
	create := func(names ...string) *apply.Plan {
		plan := planOf()
		for _, name := range names {
			plan.Files = append(plan.Files, change(name, nil, []byte("ref: refs/heads/main\n")))
		}
		return plan
	}
	move := func(from, to string) apply.FileChange {
		return apply.FileChange{Path: to, From: from, Action: apply.Move, Before: []byte("x\n"), After: []byte("x\n")}
	}
	for name, c := range map[string]struct {
		there []string
		plan  *apply.Plan
		want  apply.Reason
	}{
		"at once":            {nil, create("docs/HEAD", "docs/config", "docs/objects/x", "docs/refs/x"), apply.Denied},
		"in the tree itself": {nil, create("HEAD", "objects/x", "refs/x"), apply.Denied},
		"bit by bit: HEAD":   {[]string{"docs/objects/x", "docs/refs/heads/x"}, create("docs/HEAD"), apply.Denied},
		"bit by bit: refs":   {[]string{"docs/HEAD", "docs/objects/x"}, create("docs/refs/heads/x"), apply.Denied},
		"objects elsewhere":  {nil, create("docs/HEAD", "docs/commondir", "x/objects/x", "x/refs/x"), apply.Denied},
		"other case":         {nil, create("docs/head", "Docs/Objects/x", "docs/REFS/x"), apply.Denied},
		"other letters":      {nil, create("docs/HEAD", "docs/object\u017f/x", "docs/ref\u200cs/x"), apply.Denied},
		"by moves": {[]string{"docs/HEAD", "a", "b"},
			planOf(move("a", "docs/objects"), move("b", "docs/refs")), apply.Denied},
		"through a link":   {[]string{"docs/objects/x", "docs/refs/x"}, create("link/HEAD"), apply.Denied},
		"no HEAD, in part": {[]string{"docs/refs/x"}, create("docs/objects/x", "docs/config"), ""},
		"beside a head":    {[]string{"docs/HEAD"}, create("docs/objects/x"), apply.Denied},
		"no HEAD":          {nil, create("docs/objects/x", "docs/refs/x", "docs/config"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, f := range c.there {
				writeFiles(t, dir, map[string]string{f: "x\n"})
			}
			writeFiles(t, dir, map[string]string{"docs/readme": "x\n"})
			if name == "through a link" {
				symlink(t, "docs", filepath.Join(dir, "link"))
			}
			w := openTest(t, dir, testOptions(t))
			before := readTree(t, dir)
			if _, err := w.Commit(context.Background(), c.plan); reasonOf(err) != c.want || c.want == "" && err != nil {
				t.Errorf("Commit: %v, want %q", err, c.want)
			}
			if c.want != "" {
				compareTrees(t, readTree(t, dir), before)
			}
		})
	}
}

// TestRepositoryUnderAnotherName: a bare clone, a separate git directory, that of a submodule and
// that of a worktree were files like others.
func TestRepositoryUnderAnotherName(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "tree")
	gitHere(t, base, "init", "-q", "--separate-git-dir", filepath.Join(base, "tree", "store"), "tree")
	gitHere(t, dir, "commit", "-q", "--allow-empty", "-m", "x")
	gitHere(t, dir, "clone", "-q", "--bare", ".", "mirror")
	gitHere(t, dir, "worktree", "add", "-q", "wt")
	gitHere(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./mirror", "module")
	writeFiles(t, dir, map[string]string{"config": "ours\n"})
	symlink(t, "mirror", filepath.Join(dir, "link"))
	symlink(t, "store/config", filepath.Join(dir, "settings"))
	w := openTest(t, dir, testOptions(t))
	for _, name := range []string{
		"mirror/config", "mirror/hooks/post-update", "mirror/new/deep/file", "link/config",
		"settings", "store/config", "store/HEAD",
		"store/worktrees/wt/config.worktree", "store/modules/module/config", "wt/.git", "module/.git", ".git",
	} {
		if text, err := w.ReadFile(name); reasonOf(err) != apply.Denied {
			t.Errorf("%s is read: %.20q, %v", name, text, err)
		}
		c := change(name, nil, []byte("[core]\n\tfsmonitor = touch pwned\n"))
		if err := w.CanWrite(&c); reasonOf(err) != apply.Denied {
			t.Errorf("%s can be written: %v", name, err)
		}
	}
	if got, want := slices.Collect(w.Paths()), []string{".gitmodules", "config"}; !slices.Equal(got, want) {
		t.Errorf("names are bound to %q, want %q only", got, want)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
		t.Fatal(err)
	}
	w = openTest(t, dir, testOptions(t))
	if got, want := slices.Collect(w.Paths()), []string{".gitmodules", "config"}; !slices.Equal(got, want) {
		t.Errorf("without git, names are bound to %q, want %q only", got, want)
	}
	if _, err := Open(filepath.Join(dir, "mirror"), testOptions(t)); reasonOf(err) != apply.Denied {
		t.Errorf("a bare clone is opened: %v", err)
	}
}

// The hooks of a repository were edited where they were the tree itself.
func TestTreeInsideARepositoryOfGit(t *testing.T) {
	base := t.TempDir()
	gitHere(t, base, "init", "-q", "tree")
	gitHere(t, filepath.Join(base, "tree"), "commit", "-q", "--allow-empty", "-m", "x")
	gitHere(t, base, "clone", "-q", "--bare", "tree", "bare")
	gitHere(t, filepath.Join(base, "bare"), "worktree", "add", "-q", "wt")
	for dir, denied := range map[string]bool{"tree/.git/hooks": true, "tree/.git/info": true,
		"bare/hooks": true, "bare/wt": false, "tree": false} {
		dir := filepath.Join(base, dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		w, err := Open(dir, testOptions(t))
		if (reasonOf(err) == apply.Denied) != denied {
			t.Errorf("%s: %v, denied should be %v", dir, err, denied)
		}
		if w != nil {
			w.Close()
		}
	}
}

// TestGitFindsNoRepository asks git itself after every run, whatever parts of a repository were
// tried, in whatever order.
func TestGitFindsNoRepository(t *testing.T) {
	parts := []struct{ name, content string }{
		{"HEAD", "ref: refs/heads/main\n"}, {"commondir", "../store\n"}, {"objects/x", "x\n"},
		{"refs/x", "x\n"}, {"config", "[core]\n"},
	}
	gitHere(t, t.TempDir(), "--version")
	refused := 0
	for mask := range 1 << len(parts) {
		dir := memoryDir(t)
		writeFiles(t, dir, map[string]string{"docs/x": "", "store/objects/x": "", "store/refs/x": ""})
		w := openTest(t, dir, Options{StateDir: filepath.Join(memoryDir(t), "state")})
		for i := range parts {
			part := parts[(i+mask)%len(parts)]
			if mask>>((i+mask)%len(parts))&1 == 0 {
				continue
			}
			switch _, err := w.Commit(t.Context(), planOf(change("docs/"+part.name, nil, []byte(part.content)))); {
			case reasonOf(err) == apply.Denied:
				refused++
			case err != nil:
				t.Fatal(err)
			}
		}
		git := exec.Command("git", "rev-parse", "--git-dir")
		git.Dir = filepath.Join(dir, "docs")
		git.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+dir)
		if out, err := git.CombinedOutput(); err == nil {
			t.Errorf("parts %05b: git takes docs for a repository: %s", mask, out)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
