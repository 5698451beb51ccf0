package apply_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// planOf returns the plan of a reply that the examples share: a block that fits, one that doesn't,
// and a new file.
func planOf(opt apply.Options) *apply.Plan {
	tree := apply.Files{"greet.py": []byte("# 😀 greets\r\ndef greet(name):\r\n    print('hi', name)")}
	reply := parser.Parse([]byte("greet.py\n" +
		"<<<<<<< SEARCH\n    print('hi', name)\n=======\n    print('hello', name)\n>>>>>>> REPLACE\n\n" +
		"greet.py\n" +
		"<<<<<<< SEARCH\ndef part(name):\n=======\ndef leave(name):\n>>>>>>> REPLACE\n\n" +
		"bye.py\n" +
		"<<<<<<< SEARCH\n=======\nprint('bye')\n>>>>>>> REPLACE\n"))
	plan, err := apply.New(tree, opt).Plan(context.Background(), reply)
	if err != nil {
		log.Fatal(err)
	}
	return plan
}

// Shows the changes of a plan in the format of git diff.
func ExamplePlan_Diff() {
	fmt.Printf("%q", planOf(apply.Options{Partial: true}).Diff())
	// Output:
	// "diff --git a/greet.py b/greet.py\n--- a/greet.py\n+++ b/greet.py\n@@ -1,3 +1,3 @@\n # 😀 greets\r\n def greet(name):\r\n-    print('hi', name)\n\\ No newline at end of file\n+    print('hello', name)\n\\ No newline at end of file\ndiff --git a/bye.py b/bye.py\nnew file mode 100644\n--- /dev/null\n+++ b/bye.py\n@@ -0,0 +1 @@\n+print('bye')\n"
}

// Shows a change as byte ranges, for a program that holds the file's text.
func ExampleFileChange_Edits() {
	change := planOf(apply.Options{Partial: true}).Files[0]
	for _, e := range change.Edits() {
		fmt.Printf("%d to %d, %q becomes %q\n", e.Start, e.End, change.Before[e.Start:e.End], e.Text)
	}
	// Output:
	// 33 to 54, "    print('hi', name)" becomes "    print('hello', name)"
}

// Shows a change as an editor expects it: lines and UTF-16 characters, as counted by the Language
// Server Protocol.
func ExampleFileChange_TextEdits() {
	change := planOf(apply.Options{Partial: true}).Files[0]
	edits, err := json.Marshal(change.TextEdits())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", edits)
	// Output:
	// [{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":21}},"newText":"    print('hello', name)"}]
}
