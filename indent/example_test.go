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
