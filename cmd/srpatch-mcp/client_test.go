package main

//lint:file-ignore SA1019 Clients name their trees as roots, see roots.go.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asServer makes the test's binary the server, which exits when it is done and runs no test.
const asServer = "SRPATCH_MCP_SERVER"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asServer) == "":
		os.Exit(m.Run())
	case slices.ContainsFunc(os.Args[1:], func(arg string) bool { return strings.HasPrefix(arg, "-test.") }):
		fmt.Fprintf(os.Stderr, "%s is set: tests that start servers do not run below a server\n", asServer)
		os.Exit(2)
	default:
		main()
		os.Exit(0)
	}
}

// Tests below a server would start servers that run tests, without end.
func TestNoTestsBelowAServer(t *testing.T) {
	process := exec.Command(os.Args[0], "-test.run=^$")
	process.Env = append(os.Environ(), asServer+"=1")
	out, err := process.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 || !strings.Contains(string(out), asServer) {
		t.Errorf("%v: %s; want exit status 2 and a message", err, out)
	}
}

// home is a place for one test's journals and settings. Servers of a test share it.
func home(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	env := []string{asServer + "=1"}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") && !strings.HasPrefix(kv, "XDG_") && !strings.HasPrefix(kv, "HOME=") {
			env = append(env, kv)
		}
	}
	return append(env, "HOME="+dir, "XDG_STATE_HOME="+filepath.Join(dir, "state"),
		"GIT_CONFIG_SYSTEM="+filepath.Join(dir, "no-system"))
}

// client is a client of a server in a process of its own.
type client struct {
	*mcp.ClientSession
	t       *testing.T
	client  *mcp.Client
	process *exec.Cmd
	schemas map[string]*jsonschema.Resolved
}

// connect starts a server with the arguments, whose client has the roots. version is that of the
// protocol, "" for the newest.
func connect(t *testing.T, env []string, version string, roots []string, args ...string) *client {
	t.Helper()
	c := &client{t: t, schemas: map[string]*jsonschema.Resolved{}}
	opt := &mcp.ClientOptions{}
	if roots == nil {
		opt.Capabilities = &mcp.ClientCapabilities{}
	}
	c.client = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opt)
	for _, dir := range roots {
		c.client.AddRoots(&mcp.Root{URI: uriOf(dir)})
	}
	c.process = exec.Command(os.Args[0], args...)
	c.process.Env, c.process.Stderr = env, os.Stderr
	session, err := c.client.Connect(t.Context(), &mcp.CommandTransport{Command: c.process},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	c.ClientSession = session
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.OutputSchema != nil {
			c.schemas[tool.Name] = resolved(t, tool.OutputSchema)
		}
	}
	return c
}

func uriOf(dir string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(dir), "/")}).String()
}

// resolved is a schema that is ready for use.
func resolved(t *testing.T, from any) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// answer is what a call came to.
type answer struct {
	words    string
	isError  bool
	report   map[string]any
	size     int // of the report, in JSON
	original *mcp.CallToolResult
}

// call calls a tool. What it answers is valid by the tool's schema.
func (c *client) call(tool string, args map[string]any) answer {
	c.t.Helper()
	a, err := c.try(c.t.Context(), tool, args)
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	return a
}

func (c *client) try(ctx context.Context, tool string, args map[string]any) (a answer, err error) {
	r, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return a, err
	}
	a.original, a.isError = r, r.IsError
	for _, content := range r.Content {
		a.words += content.(*mcp.TextContent).Text
	}
	if r.StructuredContent == nil {
		return a, nil
	}
	a.report = r.StructuredContent.(map[string]any)
	text, err := json.Marshal(a.report)
	if err != nil {
		return a, err
	}
	a.size = len(text)
	if err := c.schemas[tool].Validate(a.report); err != nil {
		return a, fmt.Errorf("the report is not valid: %w\n%.2000s", err, text)
	}
	return a, nil
}

// get is a value in a report: get("error", "code").
func (a answer) get(path ...any) any {
	var v any = a.report
	for _, key := range path {
		switch key := key.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[key]
		case int:
			l, _ := v.([]any)
			if key >= len(l) {
				return nil
			}
			v = l[key]
		}
	}
	return v
}

// treeOf is a directory with files.
func treeOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
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

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// block is an edit.
func block(path, search, replace string) string {
	return path + "\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n"
}
