package parser

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// If one format is requested, deletions and moves are still read, and edits in other formats become
// notices, even those in a patch that also moves a file.
func TestOtherFormats(t *testing.T) {
	const reply = `a.py
<<<<<<< SEARCH
x = 1
=======
x = 2
>>>>>>> REPLACE

*** Begin Patch
*** Delete File: old.py
*** End Patch

--- a/b.py
+++ b/b.py
@@ -1 +1 @@
-y = 1
+y = 2

*** Begin Patch
*** Update File: c.py
*** Move to: d.py
@@
-z = 1
+z = 2
*** End Patch

<<<<<<< ORIGINAL
cut off
`
	type seen struct {
		Op    Op
		Code  string
		Path  string
		Lines [2]int
	}
	want := []seen{
		{Op: OpEdit, Path: "a.py", Lines: [2]int{2, 6}}, {Op: OpDelete, Path: "old.py", Lines: [2]int{9, 9}},
		{Code: "other-format", Path: "b.py", Lines: [2]int{14, 16}},
		{Code: "other-format", Path: "c.py", Lines: [2]int{21, 23}},
		{Code: "other-format", Path: "c.py", Lines: [2]int{19, 20}}, {Code: "other-format", Lines: [2]int{26, 26}},
	}
	r := Parse([]byte(reply), WithFormat("aider"))
	var got []seen
	for _, b := range r.Blocks {
		got = append(got, seen{Op: b.Op, Path: b.Path, Lines: b.Lines})
	}
	for _, n := range r.Noticed {
		got = append(got, seen{Code: n.Code, Path: n.Path, Lines: n.Lines})
	}
	if d := cmp.Diff(want, got); d != "" || len(r.Diagnostics) > 0 {
		t.Errorf("%s%+v", d, r.Diagnostics)
	}
}
