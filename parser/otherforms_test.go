package parser

import (
	"bytes"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// Under one format deletions and moves are read, and edits in others are noticed, those in a patch that also moves a file among them.
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
		{Code: "other-format", Path: "b.py", Lines: [2]int{14, 16}}, {Code: "other-format", Path: "c.py", Lines: [2]int{21, 23}},
		{Code: "other-format", Path: "c.py", Lines: [2]int{19, 20}}, {Code: "other-format", Lines: [2]int{26, 26}},
	}
	look := func(s *Scanner) (got []seen) {
		for it := range s.Items() {
			switch {
			case it.Block != nil:
				got = append(got, seen{Op: it.Block.Op, Path: it.Block.Path, Lines: it.Block.Lines})
			case it.Noticed != nil:
				got = append(got, seen{Code: it.Noticed.Code, Path: it.Noticed.Path, Lines: it.Noticed.Lines})
			default:
				t.Errorf("%+v", it.Diagnostic)
			}
		}
		return got
	}
	if d := cmp.Diff(want, look(NewScanner(iotest.OneByteReader(bytes.NewReader([]byte(reply))), WithFormat("aider")))); d != "" {
		t.Error(d)
	}
	r := Parse([]byte(reply), WithFormat("aider"))
	if len(r.Blocks) != 2 || len(r.Noticed) != 4 || len(r.Diagnostics) != 0 {
		t.Errorf("%+v", r)
	}
}
