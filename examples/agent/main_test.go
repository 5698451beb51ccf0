package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/golden"
)

// The agent prints output.txt, and leaves the files unchanged.
func TestAgent(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if err := run(t.Context(), dir, &out); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "output.txt", out.String())
	err := fs.WalkDir(recorded, "recorded/tree", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		was, err := recorded.ReadFile(name)
		is, lost := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(name, "recorded/")))
		if err != nil || lost != nil || !bytes.Equal(was, is) {
			t.Errorf("%s is %q (%v, %v), and was %q", name, is, err, lost, was)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// The agent is short, and imports only public packages.
func TestAgentIsAnExample(t *testing.T) {
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(source, []byte("\n")); n > 120 {
		t.Errorf("it has %d lines", n)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		if strings.Contains(i.Path.Value, "internal") {
			t.Errorf("it imports %s", i.Path.Value)
		}
	}
}
