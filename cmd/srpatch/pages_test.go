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

// pageFile is the line above a file to save.
var pageFile = regexp.MustCompile("Save this as `([a-z.]+)`:$")

// fenceOf is the fence that a line opens, and its info string; "" of any other line.
func fenceOf(line string) (fence, info string) {
	info = strings.TrimLeft(line, line[:min(len(line), 1)])
	if fence = line[:len(line)-len(info)]; len(fence) < 3 || strings.Trim(fence, "`~") != "" {
		return "", ""
	}
	return fence, info
}

// TestPages follows the pages with commands to type: it saves their files and types the commands, in their order, each page in a directory of its own,
// and what comes out is what stands there. With -update that is written anew, and what the recorded model is asked.
func TestPages(t *testing.T) {
	for _, page := range []string{"GUIDE.md", "docs/loop.md"} {
		t.Run(page, func(t *testing.T) {
			for _, program := range []string{"sh", "python3"} {
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("the commands are for a POSIX shell, and some for Python: %v", err)
				}
			}
			follow(t, filepath.Join("../..", filepath.FromSlash(page)))
		})
	}
}

func follow(t *testing.T, page string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := os.ReadFile("../../examples/agent/main.go")
	if err != nil {
		t.Fatal(err)
	}
	r := readerOf(t)
	var out bytes.Buffer
	name, commands := "", 0
	lines := strings.SplitAfter(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\n")
		out.WriteString(lines[i])
		fence, info := fenceOf(line)
		if fence == "" {
			if m := pageFile.FindStringSubmatch(line); m != nil {
				name = m[1]
			} else if line != "" {
				name = ""
			}
			continue
		}
		begin := i + 1
		for i++; i < len(lines) && lines[i] != fence+"\n"; i++ {
		}
		if i == len(lines) {
			t.Fatalf("line %d: the fence is not closed", begin)
		}
		inside := lines[begin:i]
		switch {
		case info == "console":
			inside, commands = r.typesAll(inside), commands+1
		case info == "go" && !strings.Contains(string(agent), strings.Join(inside, "")):
			t.Errorf("line %d: examples/agent/main.go has no such lines", begin)
		case name != "":
			r.save(name, strings.Join(inside, ""))
		}
		out.WriteString(strings.Join(inside, ""))
		out.WriteString(lines[i])
	}
	if commands == 0 {
		t.Fatal("there are no commands")
	}
	if *update {
		err = os.WriteFile(page, out.Bytes(), 0o666)
	} else if !bytes.Equal(out.Bytes(), text) {
		t.Errorf("what is typed says:\n%s", &out)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// reader is somebody who does what a page says.
type reader struct {
	*testing.T
	dir string
	env []string
}

func readerOf(t *testing.T) *reader {
	recorded, err := filepath.Abs("../../testdata/model")
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	env := append(os.Environ(), "SRPATCH_SCHEMA=", "XDG_STATE_HOME="+state, "GIT_CONFIG_GLOBAL="+os.DevNull, "FORCE_COLOR=",
		modelRecorded+"="+recorded, modelState+"="+filepath.Join(state, "turn"))
	if *update {
		env = append(env, modelUpdate+"=1")
	}
	return &reader{t, t.TempDir(), env}
}

func (r *reader) save(name, text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666); err != nil {
		r.Fatal(err)
	}
}

// typesAll types the commands of a console block. It returns the block with what they print.
func (r *reader) typesAll(console []string) (out []string) {
	r.Helper()
	for _, line := range console {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out = append(out, line, r.types(command))
		}
	}
	return out
}

// types is what a command prints.
func (r *reader) types(command string) string {
	r.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, _ := cmd.CombinedOutput() // the text says how it ends
	return string(out)
}
