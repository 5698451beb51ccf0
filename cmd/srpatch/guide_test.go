package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const guide = "../../GUIDE.md"

var (
	guideFile    = regexp.MustCompile("(?ms)Save this as `([a-z.]+)`:\n\n^~~~[a-z]*\n(.*?)^~~~$")
	guideConsole = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
)

// TestGuide follows GUIDE.md: it saves the files and types the commands, in their order, and what comes out is what stands there. With -update
// that is written anew.
func TestGuide(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skipf("the guide's commands are for a POSIX shell: %v", err)
	}
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	dir, state := t.TempDir(), t.TempDir()
	var out []byte
	at, files, commands := 0, 0, 0
	for {
		file, console := guideFile.FindSubmatchIndex(text[at:]), guideConsole.FindSubmatchIndex(text[at:])
		if console == nil {
			break
		}
		if file != nil && file[0] < console[0] {
			name := string(text[at+file[2] : at+file[3]])
			if err := os.WriteFile(filepath.Join(dir, name), text[at+file[4]:at+file[5]], 0o666); err != nil {
				t.Fatal(err)
			}
			out, at, files = append(out, text[at:at+file[1]]...), at+file[1], files+1
			continue
		}
		out = append(out, text[at:at+console[2]]...)
		for line := range strings.Lines(string(text[at+console[2] : at+console[3]])) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				out, commands = append(append(out, line...), typed(t, dir, state, command)...), commands+1
			}
		}
		out, at = append(out, "```"...), at+console[1]
	}
	out = append(out, text[at:]...)
	if files == 0 || commands == 0 {
		t.Fatalf("%d files and %d commands are in %s", files, commands, guide)
	}
	if *update {
		err = os.WriteFile(guide, out, 0o666)
	} else if !bytes.Equal(out, text) {
		t.Errorf("what is typed says:\n%s", out)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// typed is what a command prints.
func typed(t *testing.T, dir, state, command string) []byte {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SRPATCH_SCHEMA=", "XDG_STATE_HOME="+state, "GIT_CONFIG_GLOBAL="+os.DevNull, "FORCE_COLOR=")
	out, _ := cmd.CombinedOutput() // the text says how it ends
	return out
}
