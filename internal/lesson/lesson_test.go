package lesson

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TestPromptsTeachWhatIsRead checks that the examples in each prompt are read as exactly the edits
// that they teach, and are applied, both if all formats are read and if only the taught format is.
func TestPromptsTeachWhatIsRead(t *testing.T) {
	for _, format := range append(Formats(), "") {
		t.Run(format, func(t *testing.T) {
			text, err := In(format)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(text) {
				if len(line) > 121 && line[0] != '{' {
					t.Errorf("a line of %d columns: %s", len(line)-1, line)
				}
			}
			only := parser.Parse([]byte(text), parser.WithFormat(format))
			reply := parser.Parse([]byte(text))
			if d := cmp.Diff(reply, only, cmpopts.IgnoreUnexported(parser.Reply{})); d != "" {
				t.Errorf("under --format it is read in another way:\n%s", d)
			}
			if len(reply.Diagnostics)+len(reply.Shell)+len(reply.Noticed) > 0 {
				t.Errorf("the prompt has more than edits: %+v %+v %+v", reply.Diagnostics, reply.Shell, reply.Noticed)
			}
			for i := range reply.Blocks {
				b := &reply.Blocks[i]
				if want := format; b.Dialect != want && want != "" &&
					(b.Op == parser.OpEdit || b.Op == parser.OpCreate) {
					t.Errorf("block %d is read as %s", b.ID, b.Dialect)
				}
			}
			const before = "class Box:\n    pass\n\ndef area(self):\n    return self.w + self.h\n"
			plan, err := apply.New(apply.Files{
				"path/to/file.py": []byte(before), "path/to/old.py": []byte("old\n"),
				"path/to/name.py": []byte("name\n"),
			}, apply.Options{}).Plan(context.Background(), reply)
			if err != nil || plan.Status != apply.Applied {
				t.Fatalf("status %v, error %v\n%s", plan.Status, err, text)
			}
			got := map[string]string{}
			for _, f := range plan.Files {
				got[string(f.Action)+" "+f.From+" "+f.Path] = string(f.After)
			}
			want := map[string]string{
				"modify  path/to/file.py":                     strings.Replace(before, "+", "*", 1),
				"create  path/to/new.py":                      "SIDES = 4\n",
				"delete  path/to/old.py":                      "",
				"move path/to/name.py path/to/better_name.py": "name\n",
			}
			if !maps.Equal(got, want) {
				t.Errorf("the files become\n%q\nwant\n%q\n%s", slices.Sorted(maps.Keys(got)),
					slices.Sorted(maps.Keys(want)), text)
			}
		})
	}
}
