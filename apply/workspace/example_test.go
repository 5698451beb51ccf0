package workspace_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/workspace"
	"github.com/srpatch/srpatch/parser"
)

// A reply is planned, written and undone.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	tree := filepath.Join(dir, "tree")
	if err := os.Mkdir(tree, 0o777); err != nil {
		log.Fatal(err)
	}
	name := filepath.Join(tree, "hello.txt")
	if err := os.WriteFile(name, []byte("Hello,\nworld.\n"), 0o666); err != nil {
		log.Fatal(err)
	}

	w, err := workspace.Open(tree, workspace.Options{StateDir: filepath.Join(dir, "state")})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	ctx := context.Background()
	if _, err := w.Begin(ctx); err != nil {
		log.Fatal(err)
	}
	reply := parser.Parse([]byte("hello.txt\n<<<<<<< SEARCH\nworld.\n=======\nreader.\n>>>>>>> REPLACE\n"))
	plan, err := apply.New(w, apply.Options{}).Plan(ctx, reply)
	if err != nil {
		log.Fatal(err)
	}
	run, err := w.Commit(ctx, plan)
	if err != nil {
		log.Fatal(err)
	}
	text, _ := os.ReadFile(name)
	fmt.Printf("run %s: %q\n", run, text)

	run, err = w.Undo(ctx, "", workspace.UndoOptions{})
	if err != nil {
		log.Fatal(err)
	}
	text, _ = os.ReadFile(name)
	fmt.Printf("run %s: %q\n", run, text)
	// Output:
	// run 1: "Hello,\nreader.\n"
	// run 2: "Hello,\nworld.\n"
}
