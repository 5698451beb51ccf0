package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clientsDir has the scripts of foreign clients; npm ci puts what they need there.
const clientsDir = "testdata/clients"

// foreign is the path of a file of a package from npm; a test that needs one that is not there is
// skipped.
func foreign(t *testing.T, file string) string {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run clients that are not ours")
	}
	path, err := filepath.Abs(filepath.Join(clientsDir, "node_modules", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		t.Skip("our own client drives the same server")
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("the packages of foreign clients are not installed: npm --prefix cmd/srpatch-mcp/" + clientsDir + " ci")
	}
	return path
}

// The SDK for TypeScript understands the server, its roots and its reports.
func TestTypeScriptClient(t *testing.T) {
	foreign(t, "@modelcontextprotocol/sdk/package.json")
	dir := treeOf(t, map[string]string{"f.txt": "one\ntwo\n"})
	process := exec.Command("node", "sdk.mjs", os.Args[0], dir)
	process.Dir, process.Env = clientsDir, home(t)
	out, err := process.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), "ok\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The inspector, on its command line, lists the tools and calls them.
func TestInspector(t *testing.T) {
	inspector := foreign(t, "@modelcontextprotocol/inspector/cli/build/cli.js")
	dir := treeOf(t, map[string]string{"f.txt": "one\ntwo\n"})
	env := home(t)
	inspect := func(args ...string) (answer struct {
		Tools   []struct{ Name string }
		Content []struct{ Text string }
		Report  map[string]any `json:"structuredContent"`
	}) {
		t.Helper()
		process := exec.Command("node", append([]string{inspector, "--cli", os.Args[0], dir}, args...)...)
		process.Env = env
		var errs bytes.Buffer
		process.Stderr = &errs
		out, err := process.Output()
		if err != nil {
			t.Fatalf("%v\n%s%s", err, out, errs.Bytes())
		}
		if err := json.Unmarshal(out, &answer); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return answer
	}
	if got := inspect("--method", "tools/list").Tools; len(got) != 5 {
		t.Errorf("the tools are %v", got)
	}
	edit := block("f.txt", "one\n", "three\n")
	if got := inspect("--method", "tools/call", "--tool-name", "apply", "--tool-arg",
		"reply="+edit); got.Report["status"] != "applied" || read(t, dir, "f.txt") != "three\ntwo\n" {
		t.Errorf("apply: %+v", got)
	}
	if got := inspect("--method", "tools/call", "--tool-name",
		"undo"); got.Report["kind"] != "undo" || read(t, dir, "f.txt") != "one\ntwo\n" {
		t.Errorf("undo: %+v", got)
	}
	if got := inspect("--method", "tools/call", "--tool-name", "prompt"); len(got.Content) != 1 ||
		!strings.Contains(got.Content[0].Text, "SEARCH") {
		t.Errorf("prompt: %+v", got)
	}
}
