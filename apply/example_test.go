package apply_test

import (
	"context"
	"fmt"
	"log"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// A reply is planned in memory. The caller decides what to write where.
func ExampleEngine_Plan() {
	tree := apply.Files{"greet.go": []byte("func greet() {\n\tprintln(\"hello\")\n}\n")}
	reply := parser.Parse([]byte("Let us be polite.\n\n" +
		"greet.go\n" +
		"<<<<<<< SEARCH\n" +
		"println(\"hello\")\n" +
		"=======\n" +
		"println(\"hello, world\")\n" +
		"println(\"how are you?\")\n" +
		">>>>>>> REPLACE\n"))

	plan, err := apply.New(tree, apply.Options{}).Plan(context.Background(), reply)
	if err != nil {
		log.Fatal(err)
	}
	b := plan.Blocks[0]
	fmt.Printf("%s %s, found as %s in lines %v\n", b.Path, b.Status, b.Strategy, *b.Lines)
	for _, f := range plan.Files {
		fmt.Printf("%s %s:\n%s", f.Action, f.Path, f.After)
	}
	// Output:
	// greet.go applied, found as line-trimmed in lines [2 2]
	// modify greet.go:
	// func greet() {
	// 	println("hello, world")
	// 	println("how are you?")
	// }
}

// A block that fits two places is refused. The report offers a corrected block for each place.
func ExampleEngine_Plan_refused() {
	tree := apply.Files{"f.py": []byte("def one():\n    return 1\ndef two():\n    return 1\n")}
	reply := parser.Parse([]byte("f.py\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n"))

	plan, err := apply.New(tree, apply.Options{}).Plan(context.Background(), reply)
	if err != nil {
		log.Fatal(err)
	}
	b := plan.Blocks[0]
	fmt.Println(plan.Status, len(plan.Files), "files")
	fmt.Printf("%s: %s\n", b.Reason, b.Message)
	fmt.Print(b.Corrected[1])
	// Output:
	// refused 0 files
	// ambiguous: SEARCH fits 2 places (lines 2, 4); add lines around it that only one of them has
	// f.py
	// ```
	// <<<<<<< SEARCH
	// def two():
	//     return 1
	// =======
	// def two():
	//     return 2
	// >>>>>>> REPLACE
	// ```
}

// A block indented with two spaces is applied to a file that uses four. The lines that it adds get
// the file's indentation of eight spaces.
func ExampleEngine_Plan_indentation() {
	tree := apply.Files{"total.py": []byte("    def calculate_total(items):\n        return sum(items)\n")}
	reply := parser.Parse([]byte(`total.py
<<<<<<< SEARCH
  def calculate_total(items):
    return sum(items)
=======
  def calculate_total(items):
    """Calculate sum"""
    return sum(item * 1.1 for item in items)
>>>>>>> REPLACE
`))

	plan, err := apply.New(tree, apply.Options{}).Plan(context.Background(), reply)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", plan.Files[0].After)
	// Output:
	//     def calculate_total(items):
	//         """Calculate sum"""
	//         return sum(item * 1.1 for item in items)
}

// Partial applies the blocks that fit and leaves out the rest.
func ExampleOptions_partial() {
	tree := apply.Files{"f.txt": []byte("one\ntwo\n")}
	reply := parser.Parse([]byte("f.txt\n" +
		"<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n" +
		"<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n"))

	for _, partial := range []bool{false, true} {
		plan, err := apply.New(tree, apply.Options{Partial: partial}).Plan(context.Background(), reply)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s, %s; %d changed\n", plan.Status, plan.Blocks[0].Status, plan.Blocks[1].Status, len(plan.Files))
	}
	// Output:
	// refused: ready, failed; 0 changed
	// partial: applied, failed; 1 changed
}
