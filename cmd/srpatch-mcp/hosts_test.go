package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// What docs/mcp.md says that hosts are to be told is what they read, and starts the server.
func TestHosts(t *testing.T) {
	text, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string][][]string{}
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		switch language, snippet := m[1], m[2]; language {
		case "json", "toml":
			var settings map[string]map[string]struct {
				Command string
				Args    []string
			}
			unmarshal := json.Unmarshal
			if language == "toml" {
				unmarshal = toml.Unmarshal
			}
			if err := unmarshal([]byte(snippet), &settings); err != nil {
				t.Errorf("%v\n%s", err, snippet)
			}
			for key, servers := range settings {
				for _, server := range servers {
					commands[key] = append(commands[key], append([]string{server.Command}, server.Args...))
				}
			}
		case "sh":
			for line := range strings.Lines(snippet) {
				words := strings.Fields(line)
				at := slices.IndexFunc(words, func(w string) bool { return w == "--" || w == "--cli" })
				if at < 0 {
					t.Errorf("nothing shows where the server's command begins: %s", line)
					continue
				}
				end := slices.Index(words, "--method")
				if end < 0 {
					end = len(words)
				}
				commands[words[0]] = append(commands[words[0]], words[at+1:end])
			}
		default:
			t.Errorf("nothing starts the server by this, in %s:\n%s", language, snippet)
		}
	}
	keys := []string{"claude", "codex", "npx", "mcpServers", "mcp_servers", "servers", "context_servers"}
	for key := range commands {
		if !slices.Contains(keys, key) {
			t.Errorf("nothing is known of the host that is told by %s", key)
		}
	}
	for _, key := range keys {
		if len(commands[key]) != 1 {
			t.Errorf("%s starts the server by %q", key, commands[key])
			continue
		}
		t.Run(key, func(t *testing.T) {
			command, dir := commands[key][0], treeOf(t, map[string]string{"f.txt": "one\n"})
			if command[0] != "srpatch-mcp" {
				t.Fatalf("it starts %q", command)
			}
			var roots, args []string
			for _, arg := range command[1:] {
				if !slices.Contains([]string{".", "${workspaceFolder}", "/home/me/src/project"}, arg) {
					t.Errorf("the argument %q is none that a host or its user puts a directory in the place of", arg)
				}
				args = append(args, dir)
			}
			if len(args) == 0 {
				roots = []string{dir}
			}
			c := connect(t, home(t), "", roots, args...)
			if a := c.call("check",
				map[string]any{"reply": block("f.txt", "one\n", "two\n")}); a.get("blocks", 0, "status") != "ready" {
				t.Errorf("%+v", a)
			}
		})
	}
}
