package apply

import (
	"testing"

	"github.com/srpatch/srpatch/parser"
)

// TestAbsoluteNameInOtherCase checks that on Windows a path that spells the root in another case is
// inside the root.
func TestAbsoluteNameInOtherCase(t *testing.T) {
	for _, c := range []struct{ root, name, want string }{
		{`C:\Users\Me\tree`, `c:\users\me\Tree\src\a.go`, "src/a.go"},
		{`C:\Users\Me\tree`, `C:/Users/Me/tree/src/a.go`, "src/a.go"},
		{`C:\Users\Me\tree`, `C:\Users\Me\trees\src\a.go`, ""},
		{"/home/me/tree", "/home/me/tree/src/a.go", "src/a.go"},
		{"/home/me/tree", "/home/me/Tree/src/a.go", ""},
	} {
		block := parser.Block{ID: 1, Op: parser.OpEdit, Path: c.name, Search: []byte("one\n"), Replace: []byte("two\n")}
		plan, err := New(Files{"src/a.go": []byte("one\n")},
			Options{Root: c.root}).Plan(t.Context(), &parser.Reply{Blocks: []parser.Block{block}})
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Blocks[0]; (got.Status == BlockApplied) != (c.want != "") || c.want != "" &&
			got.Path != c.want || c.want == "" && got.Reason != OutsideRoot {
			t.Errorf("%s below %s: %+v", c.name, c.root, got)
		}
	}
}
