package apply_test

import (
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/text"
	"github.com/srpatch/srpatch/parser"
)

// A corrected block passes through a terminal, a clipboard or a model, which lose some characters.
// It has none of these characters, and still makes the intended change.
func TestCorrectedBlocksHaveNoCharacterThatIsLost(t *testing.T) {
	for name, c := range map[string]struct{ file, search, replace, want string }{
		"an escape above the first of two places": {
			"\x1b[1m\nb = 3\nc = 4\nb = 3\nc = 5\n", "b = 3\n", "b = 4\n",
			"\x1b[1m\nb = 4\nc = 4\nb = 3\nc = 5\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tree := apply.Files{"f.txt": []byte(c.file)}
			refused := planned(t, tree, one(asking(c.search, c.replace)), apply.Options{})
			corrected := refused.Blocks[0].Corrected
			if len(corrected) == 0 {
				t.Fatalf("nothing is offered\n%s", reports(refused))
			}
			if at := text.FirstLost([]byte(corrected[0])); at >= 0 {
				t.Errorf("a character is lost: %q", corrected[0])
			}
			if after := changed(t, tree,
				planned(t, tree, parser.Parse([]byte(corrected[0])),
					apply.Options{})); string(after["f.txt"]) != c.want {
				t.Errorf("the corrected block\n%s\nmakes %q, want %q", corrected[0], after["f.txt"], c.want)
			}
		})
	}
}

// The work for reports is bounded, and proving each block takes some of it.
func TestOffersEndWithTheWorkForReports(t *testing.T) {
	file := strings.Repeat("log(1)\n", 200) + "a = 1\nb = 2\na = 1\nc = 2\n"
	offered := func(budget int64) int {
		plan := planned(t, apply.Files{"f.txt": []byte(file)}, one(asking("a = 1\n", "a = 2\n")),
			apply.Options{RunBudget: budget})
		return len(plan.Blocks[0].Corrected)
	}
	if few, all := offered(10), offered(0); few != 0 || all != 2 {
		t.Errorf("%d blocks are offered without work left for them, and %d with it, want 0 and 2", few, all)
	}
}
