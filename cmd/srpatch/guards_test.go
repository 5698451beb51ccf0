package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// guard is a row of the table of guards in docs/security.md: a run that the guard ends when git
// works.
type guard struct {
	repository string // "KEY VALUE" to set in its configuration
	args       []string
	reply      string
	plain      bool   // not in a repository
	ends       string // what is printed when the guard holds
}

const editsA = "a.txt\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n"

const ignored = "the password of the database\nis not in the repository\n"

func guards() map[string]guard {
	hook := strings.ReplaceAll(editsA, "a.txt", "tools/pre-commit")
	return map[string]guard{
		"`--deny`, `--allow`, `--no-create`, `--expect`": {args: []string{"--deny=a.txt"},
			ends: "denied by a.txt"},
		"`--untrusted`, `--deny=@exec`": {args: []string{"--untrusted"},
			reply: strings.ReplaceAll(editsA, "a.txt", "Makefile"), ends: "denied by @exec"},
		"`@exec` for `core.hooksPath`": {repository: "core.hooksPath tools",
			args: []string{"--deny=@exec"}, reply: hook, ends: "denied by @exec (core.hooksPath)"},
		"`--untrusted`, `--deny=@exec`, outside of a repository": {plain: true,
			args: []string{"--untrusted"}, reply: strings.ReplaceAll(editsA, "a.txt", "Makefile"),
			ends: "denied by @exec"},
		"`--verify`": {args: []string{"--verify=false"}, ends: "false failed"},
		"`--commit`": {repository: "core.hooksPath ../hooks",
			args: []string{"--commit"}, ends: "the hook objects"},
		"git's own files": {reply: strings.ReplaceAll(editsA, "a.txt", ".git/config"),
			ends: "git's own files"},
		"no plan makes a repository": {reply: strings.NewReplacer("a.txt", "File: `x/HEAD`",
			"one\n", "").Replace(editsA), ends: "may make a git repository"},
		"no wrong name is taken for a file that `.gitignore` names": {reply: "ignored.txt\n<<<<<<< SEARCH\n" + ignored + "=======\nuno\n>>>>>>> REPLACE\n", ends: "no-such-file"},
	}
}

// TestGuardsWithoutGit runs each row of the table in docs/security.md: what a guard does when git
// is missing, when it fails, and when it refuses the repository of another owner.
func TestGuardsWithoutGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks, and the command of --verify, are for a shell of POSIX")
	}
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("there is no " + program + ", which the rows are about")
		}
	}
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	all, repository := guards(), guarded(t)
	rows := regexp.MustCompile(`(?m)^\| (.+) \| (\w+) \| (\w+) \| (\w+) \| (\w+) \|$`).FindAllStringSubmatch(string(page), -1)
	if len(rows) != len(all) {
		t.Errorf("the table has %d rows, and the test knows %d", len(rows), len(all))
	}
	for _, row := range rows {
		g, ok := all[row[1]]
		if !ok {
			t.Errorf("the test has no run for the row %q", row[1])
			continue
		}
		for i, git := range []string{"works", "missing", "fails", "refuses"} {
			t.Run(row[1]+" when git "+git, func(t *testing.T) {
				if got := g.outcome(t, repository, git); got != row[i+2] {
					t.Errorf("%q, and the page says %q", got, row[i+2])
				}
			})
		}
	}
}

// outcome makes the guard's run with git as it is said to be: the guard "holds", the run "refuses"
// since git is needed, or it is "open".
func (g *guard) outcome(t *testing.T, repository, state string) string {
	dir := g.tree(t, repository)
	srpatch := func(reply string, args ...string) (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), append(args, "-d", dir), strings.NewReader(reply), &out, &out, os.Getenv)
		return code, out.String()
	}
	switch state {
	case "missing":
		programs := t.TempDir()
		sh, err := exec.LookPath("sh")
		if err == nil {
			err = os.Symlink(sh, filepath.Join(programs, "sh"))
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", programs)
	case "fails":
		if g.plain {
			write(t, os.Getenv("GIT_CONFIG_GLOBAL"), "[broken")
			break
		}
		config := filepath.Join(dir, ".git/config")
		write(t, config, read(t, config)+"[broken")
	case "refuses":
		t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // for whoever may not give files away
		if os.Getuid() != 0 {
			break
		}
		os.Unsetenv("GIT_TEST_ASSUME_DIFFERENT_OWNER")
		t.Setenv("SUDO_UID", "") // whose owner counts as well
		os.Unsetenv("SUDO_UID")
		if out, err := exec.Command("chown", "-R", "12345", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	reply := g.reply
	if reply == "" {
		reply = editsA
	}
	code, out := srpatch(reply, g.args...)
	switch {
	case code != 0 && strings.Contains(out, g.ends):
		return "holds"
	case code != 0 && strings.Contains(out, "git"):
		if read(t, filepath.Join(dir, "a.txt")) != "one\n" {
			t.Error("the run is refused, and a file is changed")
		}
		if state == "refuses" && !strings.Contains(out, "safe.directory") {
			t.Errorf("no remedy: %s", out)
		}
		return "refuses"
	case code == 0:
		return "open"
	}
	t.Fatalf("%d: %s", code, out)
	return ""
}

// guarded is a directory with what the guards are about, in tree a repository.
func guarded(t *testing.T) string {
	top := t.TempDir()
	dir := filepath.Join(top, "tree")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(top, "global"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for name, text := range map[string]string{
		"global": "", "hooks/pre-commit": "#!/bin/sh\necho the hook objects\nexit 1\n",
		"tree/a.txt": "one\n", "tree/Makefile": "one\n", "tree/tools/pre-commit": "one\n",
		"tree/.gitignore": "ignored.txt\n", "tree/lib/ignored.txt": ignored,
		"tree/x/objects/o": "", "tree/x/refs/r": "",
	} {
		write(t, filepath.Join(top, name), text)
	}
	if err := os.Chmod(filepath.Join(top, "hooks/pre-commit"), 0o777); err != nil {
		t.Fatal(err)
	}
	said(t, dir, "init", "-q", "--template=")
	said(t, dir, "config", "user.name", "N")
	said(t, dir, "config", "user.email", "n@example.com")
	said(t, dir, "add", ".")
	said(t, dir, "commit", "-q", "-m", "one")
	return top
}

// tree is a directory like the one that is given, with the guard's settings.
func (g *guard) tree(t *testing.T, like string) string {
	top := t.TempDir()
	dir, global := filepath.Join(top, "tree"), filepath.Join(top, "global")
	if err := os.CopyFS(top, os.DirFS(like)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("XDG_STATE_HOME", filepath.Join(top, "state"))
	if key, value, ok := strings.Cut(g.repository, " "); ok {
		said(t, top, "config", "--file", filepath.Join(dir, ".git/config"), key, value)
	}
	if g.plain {
		if err := os.RemoveAll(filepath.Join(dir, ".git")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFilesThatProgramsRunOrObey: these were not on the list.
func TestFilesThatProgramsRunOrObey(t *testing.T) {
	names := strings.Fields(`dev-requirements.txt test-requirements.txt requirements/dev.txt mise/config.toml mise-tasks/a
		codebuff.json CODEBUDDY.md CRUSH.local.md OpenCode.md AGENT.local.md truffle-config.js foundry.toml Anchor.toml user.clj
		pom.rb package.mill tox.toml pytest.toml ember-cli-build.js testem.js cypress.json codefresh.yml screwdriver.yaml Package@swift-5.9.swift
		gradle/verification-metadata.xml local.properties Scarb.toml dfx.json process-compose.yaml mprocs.yaml knexfile.js wallaby.js Brocfile.js Cakefile
		stryker.conf.json electron-builder.yml config.xml pavement.py startup.m ci_scripts/a.sh bin/post_compile jitpack.yml
		buildkite.yml buddy.yml moon.yml app.yaml bower.json dub.selections.json gradle.lockfile .github/CODEOWNERS`)
	var reply strings.Builder
	for _, name := range names {
		reply.WriteString("File: `" + name + "`\n<<<<<<< SEARCH\n=======\nuno\n>>>>>>> REPLACE\n\n")
	}
	var out bytes.Buffer
	args := []string{"check", "--deny=@exec", "--partial", "-v", "-d", t.TempDir()}
	run(t.Context(), args, strings.NewReader(reply.String()), &out, &out, os.Getenv)
	for _, name := range names {
		if !strings.Contains(out.String(), name+": denied: denied by @exec (") {
			t.Errorf("%s is not denied:\n%s", name, &out)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
