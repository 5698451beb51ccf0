package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSettingsOfAnotherOwner: the repository denies a file, and git, which passes over repositories of other users, says nothing of that.
func TestSettingsOfAnotherOwner(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git, which is to refuse the repository")
	}
	dir, env := treeOf(t, map[string]string{"f.txt": "one\n"}), home(t)
	for _, args := range [][]string{{"init", "-q"}, {"config", "srpatch.deny", "f.txt"}} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = dir, env
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if os.Getuid() != 0 {
		env = append(env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=1")
	} else if out, err := exec.Command("chown", "-R", "12345", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	env = append(env, "SUDO_UID=0") // whose owner counts as well
	try := func(env []string, code, says string) {
		t.Helper()
		a := connect(t, env, "", nil, dir).call("apply", map[string]any{"reply": block("f.txt", "one\n", "two\n")})
		if !a.isError || read(t, dir, "f.txt") != "one\n" {
			t.Errorf("it is applied: %+v", a)
		}
		if got, _ := a.get("error", "code").(string); got != code || !strings.Contains(a.words, says) {
			t.Errorf("code %q, want %q; %s", got, code, a.words)
		}
	}
	try(env, "unguarded", "git config --global --add safe.directory "+dir)
	try(append(env, "PATH="+filepath.Join(dir, "none")), "unguarded", "install git")
	try(append(env, "GIT_TEST_ASSUME_DIFFERENT_OWNER=", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0="+dir), "", "this file may not be changed")
}
