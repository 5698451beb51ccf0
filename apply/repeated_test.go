package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// A block that does not occur costs one search, however often a model writes it, and is refused each time.
func TestRepeatedBlocksAreLookedForOnce(t *testing.T) {
	var file strings.Builder
	for i := range 500 {
		fmt.Fprintf(&file, "value_%d = compute(%d)\n", i, i*7)
	}
	absent := func(path, more string) string {
		return markers(path, "valu_17 = computed(19, 1)\nother_1 = something(3)\n", "x"+more+"\n")
	}
	work := func(reply string) int64 {
		plan := planned(t, apply.Files{"f.py": []byte(file.String()), "g.py": []byte(file.String())}, parser.Parse([]byte(reply)), apply.Options{Partial: true})
		for i, b := range plan.Blocks {
			if b.ID != i+1 || b.Status != apply.BlockFailed || b.Reason != apply.NotFound || b.Block == nil || b.Block.ID != i+1 {
				t.Fatalf("block %d: %+v", i+1, b)
			}
		}
		return plan.Work
	}
	once := work(absent("f.py", ""))
	if all := work(strings.Repeat(absent("f.py", ""), 300)); all != once || once == 0 {
		t.Errorf("%d units of work for 300 blocks, %d for one", all, once)
	}
	unlike := markers("f.py", "Nothing of this is there.\nNor of that.\n", "x\n")
	if one, all := work(unlike), work(strings.Repeat(unlike, 300)); all != one {
		t.Errorf("%d units of work for 300 blocks that resemble nothing, %d for one", all, one)
	}
	if other := work(absent("f.py", "") + absent("f.py", "y") + absent("g.py", "")); other < 3*once {
		t.Errorf("%d units of work for three blocks that are not the same, %d for one", other, once)
	}
}

// Blocks that occur are bound one by one, and one that an earlier block makes possible is looked for again.
func TestRepeatedBlocksThatOccur(t *testing.T) {
	for name, c := range map[string]struct{ file, reply, want string }{
		"in order":           {"a\nb\na\n", strings.Repeat(markers("f.py", "a\n", "c\n"), 2), "c\nb\nc\n"},
		"with another space": {"  aa = 1\nb\n  aa = 1\n", strings.Repeat(markers("f.py", "aa = 1\n", "cc = 1\n"), 2), "  cc = 1\nb\n  cc = 1\n"},
		"made possible": {"alpha = 1\nbeta = 2\n",
			markers("f.py", "gamma_line = 3\n", "delta_line = 4\n") + markers("f.py", "beta = 2\n", "gamma_line = 3\n") + markers("f.py", "gamma_line = 3\n", "delta_line = 4\n"),
			"alpha = 1\ndelta_line = 4\n"},
	} {
		plan := planned(t, apply.Files{"f.py": []byte(c.file)}, parser.Parse([]byte(c.reply)), apply.Options{Partial: true})
		if len(plan.Files) != 1 || string(plan.Files[0].After) != c.want {
			t.Errorf("%s: %+v", name, plan.Files)
		}
	}
}
