package apply_test

import (
	"errors"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// TestBlockWithoutOp checks that the operation of a block that a caller made follows from its
// sides.
func TestBlockWithoutOp(t *testing.T) {
	tree := apply.Files{"f.txt": []byte("one\ntwo\n")}
	reply := &parser.Reply{Blocks: []parser.Block{
		{ID: 1, Path: "f.txt", Search: []byte("two\n"), Replace: []byte("TWO\n")},
		{ID: 2, Path: "new.txt", Replace: []byte("new\n")},
	}}
	plan := planned(t, tree, reply, apply.Options{})
	if plan.Err() != nil || len(plan.Files) != 2 || string(plan.Files[0].After) != "one\nTWO\n" ||
		string(plan.Files[1].After) != "new\n" {
		t.Errorf("%v: %s", plan.Err(), reports(plan))
	}
	reply.Blocks[0].Op = "replace"
	_, err := apply.New(tree, apply.Options{}).Plan(t.Context(), reply)
	if e, ok := errors.AsType[*apply.OptionError](err); !ok || e.Option != "Block.Op" || e.Value != "replace" {
		t.Errorf("an operation that there is not: %v", err)
	}
}

// TestExactNames checks that a name that is a plain word or contains a blank is accepted if exactly
// that file exists.
func TestExactNames(t *testing.T) {
	const edit = "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n"
	for name, c := range map[string]struct {
		files []string
		want  apply.Reason
	}{
		"bin/tool":     {[]string{"bin/tool"}, ""},
		"a b.py":       {[]string{"a b.py", "b.py"}, ""},
		"x":            {[]string{"x"}, ""},
		"x or y":       {[]string{"x", "y"}, apply.NoName},
		"tool":         {[]string{"bin/tool"}, apply.NoName},
		"a.py or b.py": {[]string{"a.py", "b.py"}, apply.NoName},
	} {
		tree := apply.Files{}
		for _, f := range c.files {
			tree[f] = []byte("one\n")
		}
		plan := planned(t, tree, parser.Parse([]byte(name+"\n"+edit)), apply.Options{ExactNames: true})
		if b := plan.Blocks[0]; b.Reason != c.want || c.want == "" && b.Path != name {
			t.Errorf("%s: %+v", name, b)
		}
	}
}
