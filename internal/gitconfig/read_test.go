package gitconfig

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettingsAreFoundWhereGitFindsThem holds that the search for a section, which decides whether git is asked, passes over none that
// git knows, wherever it is.
func TestSettingsAreFoundWhereGitFindsThem(t *testing.T) {
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program + ", and the test holds our search to what git finds")
		}
	}
	const section = "[srpatch]\n\tpolicy = loose\n"
	for name, c := range map[string]struct {
		files map[string]string // below the directory that holds home and the repository
		run   string            // by a shell, there
		dir   string            // the tree; "" for the repository
		env   map[string]string
		want  int // settings
	}{
		"none":                     {files: map[string]string{"home/.gitconfig": "[user]\n\tname = srpatch\n[remote \"x\"]\n\turl = git@x:srpatch\n"}},
		"the user's":               {files: map[string]string{"home/.gitconfig": section}, want: 1},
		"the user's other file":    {files: map[string]string{"home/.config/git/config": section}, want: 1},
		"in XDG_CONFIG_HOME":       {files: map[string]string{"xdg/git/config": section}, env: map[string]string{"XDG_CONFIG_HOME": "xdg"}, want: 1},
		"a named file":             {files: map[string]string{"named": section, "home/.gitconfig": section}, env: map[string]string{"GIT_CONFIG_GLOBAL": "named"}, want: 1},
		"the system's":             {files: map[string]string{"system": section}, env: map[string]string{"GIT_CONFIG_SYSTEM": "system"}, want: 1},
		"in capitals":              {files: map[string]string{"home/.gitconfig": strings.ToUpper(section)}, want: 1},
		"in one line":              {files: map[string]string{"home/.gitconfig": "[core]\n[srpatch] policy = loose\n"}, want: 1},
		"the repository's":         {run: "git -C repo config srpatch.policy loose", want: 1},
		"from a directory below":   {run: "git -C repo config srpatch.policy loose && mkdir -p repo/a/b", dir: "repo/a/b", want: 1},
		"through a link":           {run: "git -C repo config srpatch.policy loose && mkdir -p repo/a && ln -s repo/a link", dir: "link", want: 1},
		"a worktree's":             {run: "git -C repo config extensions.worktreeConfig true && git -C repo worktree add -q ../tree && git -C tree config --worktree srpatch.policy loose", dir: "tree", want: 1},
		"that a worktree shares":   {run: "git -C repo config srpatch.policy loose && git -C repo worktree add -q ../tree", dir: "tree", want: 1},
		"a separate directory's":   {run: "git init -q --separate-git-dir apart tree && git -C tree config srpatch.policy loose", dir: "tree", want: 1},
		"outside of a repository":  {files: map[string]string{"home/.gitconfig": section, "plain/x": ""}, dir: "plain", want: 1},
		"another repository's":     {run: "git -C repo config srpatch.policy loose && mkdir plain", dir: "plain"},
		"included":                 {files: map[string]string{"home/.gitconfig": "[include]\n\tpath = more\n", "home/more": section}, want: 1},
		"included, in one line":    {files: map[string]string{"home/.gitconfig": "[include] path=more\n", "home/more": section}, want: 1},
		"included twice over":      {files: map[string]string{"home/.gitconfig": "[include]\npath = a\npath = b\n", "home/a": "[core]\n", "home/b": "[include]\npath = c\n", "home/c": section}, want: 1},
		"included from home":       {files: map[string]string{"home/.gitconfig": "[include]\n\tpath = ~/more\n", "home/more": section}, want: 1},
		"included in quotes":       {files: map[string]string{"home/.gitconfig": "[include]\n\tpath = \"mo re\"\n", "home/mo re": section}, want: 1},
		"included with a remark":   {files: map[string]string{"home/.gitconfig": "[include]\n\tpath = more # of it\n", "home/more": section}, want: 1},
		"included with an escape":  {files: map[string]string{"home/.gitconfig": "[include]\n\tpath = \"mo\\\"re\"\n", "home/mo\"re": section}, want: 1},
		"included on condition":    {files: map[string]string{"home/.gitconfig": "[includeIf \"gitdir:**/repo/\"]\n\tPATH = more\n", "home/more": section}, want: 1},
		"not included":             {files: map[string]string{"home/.gitconfig": "[includeIf \"gitdir:**/other/\"]\n\tpath = more\n", "home/more": section}},
		"on git's command line":    {env: map[string]string{"GIT_CONFIG_PARAMETERS": "'srpatch.policy'='loose'"}, want: 1},
		"in the environment":       {env: map[string]string{"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "srpatch.policy", "GIT_CONFIG_VALUE_0": "loose"}, want: 1},
		"where a hook is at work":  {run: "git -C repo config srpatch.policy loose && git init -q other", env: map[string]string{"GIT_DIR": "other/.git"}, want: 1},
		"of a section in sections": {files: map[string]string{"home/.gitconfig": "[srpatch \"old\"]\n\tpolicy = loose\n"}, want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			for _, key := range []string{"GIT_DIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "XDG_CONFIG_HOME"} {
				t.Setenv(key, "")
				os.Unsetenv(key)
			}
			t.Setenv("HOME", filepath.Join(top, "home"))
			t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(top, "no-system"))
			shell := exec.Command("sh", "-ec", "mkdir -p home; git init -q repo; git -C repo -c user.name=x -c user.email=x@x commit -q --allow-empty -m x; "+c.run)
			shell.Dir = top
			if out, err := shell.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for file, text := range c.files {
				file = filepath.Join(top, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for key, value := range c.env {
				if !strings.HasPrefix(key, "GIT_CONFIG_") || key == "GIT_CONFIG_GLOBAL" || key == "GIT_CONFIG_SYSTEM" {
					value = filepath.Join(top, value)
				}
				t.Setenv(key, value)
			}
			dir := filepath.Join(top, "repo")
			if c.dir != "" {
				dir = filepath.Join(top, c.dir)
			}
			got, err := Read(dir, os.Getenv)
			if err != nil || len(got) != c.want {
				t.Fatalf("%d settings, want %d; error %v", len(got), c.want, err)
			}
			for _, s := range got {
				if !strings.EqualFold(s.Value, "loose") || !strings.HasPrefix(s.Key, "srpatch.") || s.File == "" {
					t.Errorf("a setting is %+v", s)
				}
			}
		})
	}
}

// TestGitIsNotAskedForNothing holds that no process is started where nothing is set, and that one is missed where something is.
func TestGitIsNotAskedForNothing(t *testing.T) {
	top := t.TempDir()
	t.Setenv("HOME", top)
	t.Setenv("PATH", "")
	t.Setenv("GIT_CONFIG_SYSTEM", filepath.Join(top, "no-system"))
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(top, ".gitconfig"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("[include]\n\tpath = more\n[alias]\n\tst = status\n[core]\n\thooksPath = /hooks\n\texcludesFile = [srpatch\n")
	if _, err := Read(top, os.Getenv); err == nil {
		t.Error("what looks like a section is passed over")
	}
	write("[include]\n\tpath = more\n[alias]\n\tst = status\n[core]\n\thooksPath = /hooks\n")
	if got, err := Read(top, os.Getenv); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	write("[srpatch]\n\tdeny = x\n")
	if _, err := Read(top, os.Getenv); err == nil || !strings.Contains(err.Error(), "install git") {
		t.Errorf("without git: %v", err)
	}
}
