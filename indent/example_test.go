package indent_test

import (
	"fmt"

	"github.com/srpatch/srpatch/indent"
)

// A block written with two spaces goes into a file that uses four.
func ExampleMap_Apply() {
	m := indent.Learn([]indent.Pair{
		{Line: 0, Search: []byte("  "), File: []byte("    ")},
		{Line: 1, Search: []byte("    "), File: []byte("        ")},
	}, 2)
	fmt.Printf("%q\n", m.Apply([]byte("    "), 1))
	// Output: "        "
}

// The first line of both sides was copied without its margin.
func ExampleBlock_Choose() {
	b := indent.Block{
		Pairs: []indent.Pair{
			{Line: 0, Search: []byte(""), File: []byte("    ")},
			{Line: 1, Search: []byte("        "), File: []byte("        ")},
		},
		Search: [][]byte{[]byte(""), []byte("        ")},
		Replace: []indent.Line{
			{Text: []byte("if x and y:"), For: 0},
			{Text: []byte("        call()"), Near: 1, For: 1, Same: true},
		},
		Unit: func() []byte { return []byte("    ") },
	}
	fmt.Printf("%q\n", b.Choose().Margins)
	// Output: ["    " "        "]
}
