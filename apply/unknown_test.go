package apply_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// countingTree counts the files that are opened and the names that are gone through.
type countingTree struct {
	apply.Files
	opened, named int
}

func (t *countingTree) ReadFile(path string) ([]byte, error) {
	t.opened++
	return t.Files.ReadFile(path)
}

func (t *countingTree) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for p := range t.Files.Paths() {
			if t.named++; !yield(p) {
				return
			}
		}
	}
}

// A thousand blocks for files that are not there went through all names and all files of the tree a
// thousand times.
func TestAThousandUnknownNamesAreLookedUpOnce(t *testing.T) {
	files := apply.Files{}
	for i := range 2_000 {
		files[fmt.Sprintf("src/d%d/f%d.py", i%40, i)] = []byte(fmt.Sprintf("def f%d():\n    return %d\n", i, i))
	}
	work := func(names int) (opened, named int, plan *apply.Plan) {
		var reply parser.Reply
		for i := range names {
			b := parser.Block{ID: i + 1, Op: parser.OpEdit, Path: fmt.Sprintf("lib/gone%d.py", i),
				Search: []byte(fmt.Sprintf("def f%d():\n    return %d\n", i, i)), Replace: []byte("x = 1\n")}
			reply.Blocks = append(reply.Blocks, b)
		}
		tree := &countingTree{Files: files}
		plan, err := apply.New(tree, apply.Options{}).Plan(context.Background(), &reply)
		if err != nil {
			t.Fatal(err)
		}
		return tree.opened, tree.named, plan
	}
	opened, named, _ := work(1)
	openedAll, namedAll, plan := work(1_000)
	// Each name is tried as it is, besides.
	if openedAll-1_000 > 3*opened || namedAll > 3*named {
		t.Errorf("1,000 names open %d files and go through %d names, one %d and %d", openedAll, namedAll, opened, named)
	}
	for i, r := range plan.Blocks[:20] {
		if want := fmt.Sprintf("SEARCH is in src/d%d/f%d.py", i%40,
			i); r.Reason != apply.NoSuchFile || !strings.Contains(r.Message, want) {
			t.Fatalf("block %d: %s %s, want %s", i+1, r.Reason, r.Message, want)
		}
	}
}
