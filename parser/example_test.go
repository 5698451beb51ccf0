package parser_test

import (
	"fmt"
	"os"

	"github.com/srpatch/srpatch/parser"
)

const reply = "The limit doubles:\n\nsrc/limit.go\n```go\n<<<<<<< SEARCH\nconst limit = 10\n=======\nconst limit = 20\n" +
	">>>>>>> REPLACE\n```\n\n```sh\ngo test ./...\n```\n\nsrc/other.go\n```go\n<<<<<<< SEARCH\nuse(limit)\n>>>>>>> REPLACE\n```\n"

func ExampleParse() {
	r := parser.Parse([]byte(reply))
	for _, b := range r.Blocks {
		fmt.Printf("%s, lines %d to %d: %q becomes %q\n", b.Path, b.Lines[0], b.Lines[1], b.Search, b.Replace)
	}
	for _, s := range r.Shell {
		fmt.Printf("not run: %q\n", s.Text)
	}
	for _, d := range r.Diagnostics {
		fmt.Printf("line %d: %s\n", d.Line, d.Code)
	}
	// Output:
	// src/limit.go, lines 5 to 9: "const limit = 10\n" becomes "const limit = 20\n"
	// not run: "go test ./...\n"
	// line 18: missing-divider
}

func ExampleFormat() {
	blocks := []parser.Block{{
		Op: parser.OpEdit, Path: "docs/edits.md", Dialect: "aider", StartLine: 12,
		Search:  []byte("Blocks begin with\n<<<<<<< SEARCH\n"),
		Replace: []byte("Blocks begin with their opener.\n"),
	}}
	text, err := parser.Format(blocks)
	if err != nil {
		fmt.Println(err)
	}
	os.Stdout.Write(text)
	// Output:
	// docs/edits.md
	// ```
	// <<<<<<<< SEARCH line:12
	// Blocks begin with
	// <<<<<<< SEARCH
	// ========
	// Blocks begin with their opener.
	// >>>>>>>> REPLACE
	// ```
}
