package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// typed runs a command as a page has it, in a shell: typed PAGE 'COMMAND' [WORD=TEXT] [WORD]... In
// it a WORD becomes TEXT, so that a number is smaller or a name another one, and what has no =
// comes at its end. A program of several lines goes by the first.
func typed(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: typed PAGE COMMAND [WORD=TEXT] [WORD]...")
	}
	_, command := findCommand(ts, args[0], args[1])
	shell := "sh"
	if strings.HasPrefix(command, "# bash") {
		shell = "bash"
	}
	for _, arg := range args[2:] {
		word, text, ok := strings.Cut(arg, "=")
		if !ok {
			command += " " + arg
			continue
		}
		found := false
		command = regexp.MustCompile(`[^\s;|()<>=]+`).ReplaceAllStringFunc(command, func(w string) string {
			if w != word {
				return w
			}
			found = true
			return text
		})
		if !found {
			ts.Fatalf("%s: there is no %q in %q", args[0], word, command)
		}
	}
	ts.Logf("[%s] %s", shell, command)
	if err := ts.Exec(shell, "-c", command); neg && err == nil {
		ts.Fatalf("it does not fail")
	} else if !neg {
		ts.Check(err)
	}
}

// copyBlock writes the commands of a block that has COMMAND to a file, one a line, for a program
// that is no shell: copy-block PAGE 'COMMAND' FILE.
func copyBlock(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: copy-block PAGE COMMAND FILE")
	}
	block, _ := findCommand(ts, args[0], args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Join(block, "\n")+"\n"), 0o666))
}

// findCommand is the command of a page that has this first line, and all commands of its block.
func findCommand(ts *testscript.TestScript, name, first string) (block []string, command string) {
	page, err := readPage(name)
	ts.Check(err)
	for _, block := range commandsOf(page) {
		for _, command := range block {
			if firstLine(command) == first {
				return block, command
			}
		}
	}
	ts.Fatalf("%s has no command %q", name, first)
	return nil, ""
}

// commandsOf are the commands of a page, block by block, and what stands between backquotes as
// blocks of one.
func commandsOf(page []byte) [][]string {
	var all [][]string
	for _, b := range codeBlocks(page) {
		all = append(all, b.commands())
	}
	for _, span := range codeSpans(page) {
		all = append(all, []string{span})
	}
	return all
}

// unrun is code on a page that no test types.
type unrun struct {
	page, begins string
	why          string
	held         string // FILE: TEXT, what does it instead, where something does
}

func notRun() []unrun {
	const (
		picture = "a picture, not a command"
		record  = "the form of a record, not a command"
		host    = "a host is told so"
		hosts   = "cmd/srpatch-mcp/hosts_test.go: docs/mcp.md"
		npm     = "packages/npm/test.sh: docs/agents.md"
	)
	return []unrun{
		{"CONTRIBUTING.md", "gofmt -l . && go vet", "it takes half a minute", ".ci/run: go -C $module vet ./..."},
		{"CONTRIBUTING.md", "go run golang.org/x/tools/cmd/deadcode@", "it fetches a program", ""},
		{"CONTRIBUTING.md", ".ci/run", "it runs this test", ""},
		{"CONTRIBUTING.md", ".ci/nightly", "it takes minutes a step", ""},
		{"CONTRIBUTING.md", "git worktree add ../before", "it changes the repository", ""},
		{"docs/accuracy.md", "go -C internal/eval run ./cmd/eval --n 780 --applier all", "it takes ten minutes", ""},
		{"docs/accuracy.md", "go -C internal/eval run ./cmd/eval --n 780 --applier 'python3", "there is no such program", ""},
		{"docs/accuracy.md", `{"id": `, record, ""},
		{"docs/agents.md", "import { apply", "it needs the package for npm", npm},
		{"docs/agents.md", "import { load", "it needs the package for npm", npm},
		{"docs/architecture.md", "reply -> fsm", picture, ""},
		{"docs/journal.md", "$XDG_STATE_HOME/srpatch/", picture, ""},
		{"docs/journal.md", `{"format":"srpatch-journal"`, record, ""},
		{"docs/mcp.md", "go install github.com", "it fetches a version", ""},
		{"docs/mcp.md", "claude mcp add", host, hosts},
		{"docs/mcp.md", "codex mcp add", host, hosts},
		{"docs/mcp.md", "npx @modelcontextprotocol/inspector", "it fetches a program", hosts},
		{"docs/mcp.md", "{", host, hosts},
		{"docs/mcp.md", "[mcp_servers.srpatch]", host, hosts},
		{"docs/packaging.md", "- uses: ", "GitHub runs it",
			"internal/release/release_test.go: packages/action/install.sh"},
		{"docs/packaging.md", "go -C internal/release run .", "it takes a clone at a tag",
			`.ci/package: /internal/release" run . "linux/`},
		{"docs/packaging.md", "SOURCE_DATE_EPOCH=", "another module has it",
			"internal/release/release_test.go: docs/packaging.md"},
		{"docs/wire.md", `{"id": any,`, record, ""},
	}
}

// TestEveryCommandOfThePagesIsRun holds each command of each page to be typed by TestPages, by a
// script, or to select tests that go test runs; what is not has a row in notRun.
func TestEveryCommandOfThePagesIsRun(t *testing.T) {
	scripted, copied := scriptedCommands(t, "typed"), scriptedCommands(t, "copy-block")
	for name, block := range copied {
		scripted[name] = append(scripted[name], block...)
	}
	for name, commands := range scripted {
		page, err := readPage(name)
		if err != nil {
			t.Fatal(err)
		}
		onPage := slices.Concat(commandsOf(page)...)
		for _, c := range commands {
			if !slices.ContainsFunc(onPage, func(p string) bool { return firstLine(p) == c }) {
				t.Errorf("a script types %q, which is not in %s", c, name)
			}
		}
	}
	rows := notRun()
	used := make([]bool, len(rows))
	for _, path := range pages(t) {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range codeBlocks(page) {
			wholly := func(command string) bool { return slices.Contains(copied[name], firstLine(command)) }
			if b.followed() || slices.ContainsFunc(b.commands(), wholly) {
				continue
			}
			for _, command := range b.commands() {
				at := fmt.Sprintf("%s:%d: %s", name, b.line, firstLine(command))
				if slices.Contains(scripted[name], firstLine(command)) || isGoTest(command) {
					continue
				}
				i := slices.IndexFunc(rows,
					func(r unrun) bool { return r.page == name && strings.HasPrefix(command, r.begins) })
				if i < 0 {
					t.Errorf("%s\nnothing runs it: let a script of testdata/script type it, or say in notRun why none can", at)
					continue
				}
				used[i] = true
			}
		}
	}
	for i, r := range rows {
		if !used[i] {
			t.Errorf("%s has no %q any more", r.page, r.begins)
		}
		if file, text, ok := strings.Cut(r.held, ": "); ok {
			if held, err := readPage(file); err != nil || !strings.Contains(string(held), text) {
				t.Errorf("%q of %s is not held by %s: %v", r.begins, r.page, r.held, err)
			}
		}
	}
}

// scriptedCommands are the first lines of the commands that the scripts take from pages by a verb,
// page by page.
func scriptedCommands(t *testing.T, verb string) map[string][]string {
	t.Helper()
	scripts, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	call := regexp.MustCompile(`(?m)^(?:! |\[[^\]]*\] )*` + verb + ` (\S+) '((?:[^'\n]|'')*)'`)
	commands := map[string][]string{}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllSubmatch(text, -1) {
			page := string(m[1])
			commands[page] = append(commands[page], strings.ReplaceAll(string(m[2]), "''", "'"))
		}
	}
	return commands
}
