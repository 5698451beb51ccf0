package apply_test

import (
	"reflect"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TestFilesTake checks that a plan changes the files in memory, and that a refused plan leaves them
// unchanged.
func TestFilesTake(t *testing.T) {
	files := apply.Files{"edited": []byte("a\n"), "moved": []byte("b\n"), "gone": []byte("c\n"), "kept": []byte("d\n")}
	const patch = "*** Begin Patch\n*** Add File: new\n+n\n*** Delete File: gone\n*** Update File: edited\n@@\n-a\n+A\n" +
		"*** Update File: moved\n*** Move to: there\n@@\n-b\n+B\n*** End Patch\n"
	plan := planned(t, files, parser.Parse([]byte(patch)), apply.Options{})
	files.Take(plan)
	want := apply.Files{"edited": []byte("A\n"), "there": []byte("B\n"), "new": []byte("n\n"), "kept": []byte("d\n")}
	if !reflect.DeepEqual(files, want) {
		t.Errorf("%q, want %q", files, want)
	}
	files.Take(planned(t, files, parser.Parse([]byte(patch)), apply.Options{}))
	if !reflect.DeepEqual(files, want) {
		t.Errorf("after a refused plan: %q", files)
	}
}
