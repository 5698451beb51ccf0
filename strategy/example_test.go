package strategy_test

import (
	"fmt"

	"github.com/srpatch/srpatch/strategy"
)

// A block was written with the wrong indentation and without the file's line ends. The first
// strategy that finds a place says where it is; what is done about it is decided elsewhere.
func ExampleStrategies() {
	doc := strategy.NewDocument([]byte("func f() {\r\n\tif ok {\r\n\t\treturn\r\n\t}\r\n}\r\n"))
	pat := strategy.NewPattern([]byte("if ok {\n  return\n}\n"), 0)
	for _, s := range strategy.Strategies() {
		for c := range s.Candidates(doc, pat) {
			first, last := doc.LineAt(c.Start)+1, doc.LineAt(c.End)+1
			fmt.Printf("%s: lines %d to %d, bytes %d to %d\n", s.Name(), first, last, c.Start, c.End)
		}
	}
	// Output:
	// line-trimmed: lines 2 to 4, bytes 12 to 34
	// block-anchor: lines 2 to 4, bytes 12 to 34
	// whitespace-normalized: lines 2 to 4, bytes 12 to 34
	// context-aware: lines 2 to 4, bytes 12 to 34
}

func ExampleReplace() {
	content := []byte("total  =  0\nfor x in xs:\n    total += x\n")
	result, name, err := strategy.Replace(content, []byte("total = 0"), []byte("total = 1"), false)
	fmt.Printf("%s %v\n%s", name, err, result)
	// Output:
	// whitespace-normalized <nil>
	// total = 1
	// for x in xs:
	//     total += x
}

func ExampleReplaceError() {
	_, _, err := strategy.Replace([]byte("a\na\n"), []byte("a"), []byte("b"), false)
	if err == strategy.ErrAmbiguous {
		fmt.Println(err)
	}
	// Output:
	// old text found in several places: add the lines around the place that is meant, or replace all
}
