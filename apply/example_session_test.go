package apply_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Blocks are placed while the model still writes; an answer that goes wrong can be stopped at its first block.
func ExampleSession() {
	model, answer := io.Pipe()
	go func() {
		for _, token := range []string{
			"Two changes:\n\nlimits.ini\n<<<<<<< SEARCH\nfiles = 10\n", "=======\nfiles = 20\n>>>>>>> REP", "LACE\n\nand\n\n",
			"limits.ini\n<<<<<<< SEARCH\nfiles = 20\nlines = 1\n=======\nfiles = 20\nlines = 2\n>>>>>>> REPLACE\n",
		} {
			io.WriteString(answer, token)
		}
		answer.Close()
	}()

	ctx := context.Background()
	tree := apply.Files{"limits.ini": []byte("[limits]\nfiles = 10\nlines = 1\n")}
	session := apply.New(tree, apply.Options{}).Session()
	reply := parser.NewScanner(model)
	for reply.Scan() {
		report, err := session.Add(ctx, reply.Item())
		if err != nil {
			log.Fatal(err)
		}
		if report != nil {
			fmt.Printf("block %d: %s, lines %v\n", report.ID, report.Status, *report.Lines)
		}
	}
	if err := reply.Err(); err != nil {
		log.Fatal(err)
	}
	plan, err := session.Plan(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %q\n", plan.Status, plan.Files[0].After)
	// Output:
	// block 1: applied, lines [2 2]
	// block 2: applied, lines [2 3]
	// applied: "[limits]\nfiles = 20\nlines = 2\n"
}
