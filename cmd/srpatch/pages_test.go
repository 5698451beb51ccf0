package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/golden"
)

var (
	// pageFile is the line above a file to save.
	pageFile = regexp.MustCompile("Save this as `([a-z.]+)`:$")
	// commitName and duration are what is another one each time.
	commitName = regexp.MustCompile(`(?m)^committed [0-9a-f]{7,}`)
	duration   = regexp.MustCompile(`(?m)\([0-9.]+m?s\)$`)
)

// indented is what lines of code begin with.
const indented = "    "

// fenceOf is the fence that a line opens, and its info string; "" of any other line.
func fenceOf(line string) (fence, info string) {
	info = strings.TrimLeft(line, line[:min(len(line), 1)])
	if fence = line[:len(line)-len(info)]; len(fence) < 3 || strings.Trim(fence, "`~") != "" {
		return "", ""
	}
	return fence, info
}

// TestPages follows the pages with commands to type or Go: it saves their files and types the
// commands, in their order, each page in a directory of its own, and what comes out is what stands
// there. With -update that is written anew, and what the recorded model is asked.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("each command is typed by itself; scripts try what is done at the same time")
	}
	for _, program := range []string{"sh", "git", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("the commands are for a POSIX shell, and some for git and Python: %v", err)
		}
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(codeBlocks(text), codeBlock.followed) {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			r := readerOf(t)
			if filepath.Base(page) == "README.md" {
				r.hasExample()
			}
			r.follows(page, text)
		})
	}
}

// pages are those with something to type.
func pages(t *testing.T) []string {
	t.Helper()
	all := []string{"../../README.md", "../../GUIDE.md", "../../CONTRIBUTING.md", "../../SECURITY.md"}
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	return append(all, docs...)
}

// reader is somebody who does what a page says.
type reader struct {
	*testing.T
	dir string
	env []string
	// page is how the page would have to be, as far as it is read.
	page bytes.Buffer
}

func readerOf(t *testing.T) *reader {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	env := append(os.Environ(), "SRPATCH_SCHEMA=", "XDG_STATE_HOME="+state,
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"PYTHONPATH="+filepath.Join(root, "packages/python/src"), "SRPATCH_BINARY=srpatch",
		"PYTHONDONTWRITEBYTECODE=1", modelRecorded+"="+filepath.Join(root, "testdata/model"),
		modelState+"="+filepath.Join(state, "turn"))
	if golden.Update() {
		env = append(env, modelUpdate+"=1")
	}
	return &reader{T: t, dir: t.TempDir(), env: env}
}

// hasExample gives the reader the example's tree, and its reply.
func (r *reader) hasExample() {
	const example = "../../testdata/example/"
	reply, err := os.ReadFile(example + "reply.md")
	if err == nil {
		err = os.CopyFS(r.dir, os.DirFS(example+"tree"))
	}
	if err != nil {
		r.Fatal(err)
	}
	r.save("reply.md", string(reply))
}

// follows reads a page, and holds it to be as it would have to be.
func (r *reader) follows(page string, text []byte) {
	name, lines := "", strings.SplitAfter(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		r.page.WriteString(lines[i])
		line := strings.TrimSuffix(lines[i], "\n")
		fence, info := fenceOf(line)
		if command, ok := strings.CutPrefix(line, indented+"$ "); ok {
			for said := range strings.Lines(r.types(command)) {
				r.page.WriteString(indented + said)
			}
			for i+1 < len(lines) && strings.HasPrefix(lines[i+1], indented) &&
				!strings.HasPrefix(lines[i+1], indented+"$ ") {
				i++
			}
		}
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
			r.Fatalf("line %d: the fence is not closed", begin)
		}
		r.does(info, name, lines[begin:i])
		r.page.WriteString(lines[i])
		name = ""
	}
	golden.Check(r, page, r.page.String())
}

// does is what a reader does with the lines between fences: they are typed, or saved if there is a
// name for them, or else they are Go.
func (r *reader) does(info, name string, inside []string) {
	r.Helper()
	text := strings.Join(inside, "")
	switch {
	case info == "console":
		for _, line := range inside {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				r.page.WriteString(line)
				r.page.WriteString(r.types(command))
			}
		}
		return
	case name != "":
		r.save(name, text)
	case info == "go":
		r.compiles(text)
	}
	r.page.WriteString(text)
}

// compiles holds Go to be of the agent, or to be a function's body that can be compiled.
func (r *reader) compiles(text string) {
	r.Helper()
	agent, err := os.ReadFile("../../examples/agent/main.go")
	if err != nil {
		r.Fatal(err)
	}
	if bytes.Contains(agent, []byte(text)) {
		return
	}
	file := filepath.Join(r.TempDir(), "body.go")
	const module = "github.com/srpatch/srpatch/"
	source := "package body\n\nimport (\n\t\"context\"\n\n\t\"" + module + "apply\"\n\t\"" +
		module + "apply/workspace\"\n\t\"" + module + "parser\"\n)\n\n" +
		"func body(ctx context.Context, reply []byte) error {\n" + text + "\t_ = run\n\treturn err\n}\n"
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		r.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		r.Errorf("%v\n%s", err, out)
	}
}

func (r *reader) save(name, text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o666); err != nil {
		r.Fatal(err)
	}
}

// types is what a command prints.
func (r *reader) types(command string) string {
	r.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, _ := cmd.CombinedOutput() // the text says how it ends
	out = commitName.ReplaceAll(out, []byte("committed 1a2b3c4"))
	return string(duration.ReplaceAll(out, []byte("(100ms)")))
}
