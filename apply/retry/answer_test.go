package retry_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/parser"
)

// What the blocks of an answer are for: by the numbers above them, by their lines, and as a last
// resort by the file. No kept edit goes because a new one is near it.
func TestAnswer(t *testing.T) {
	first := block("a.txt", "one = 1\n", "one = 11\n")
	second := block("a.txt", "two == 2\n", "two = 22\n")
	third := block("b.txt", "three == 3\n", "three = 33\n")
	fixed := block("a.txt", "two = 2\n", "two = 22\n")
	other := block("a.txt", "x = 1\n", "y = 2\n")
	cut := "c.txt\n<<<<<<< SEARCH\nfour = 4\nfour = 44\n>>>>>>> REPLACE\n\n"
	for name, c := range map[string]struct {
		reply   string
		refused []int
		answer  string
		want    string // the first lines of SEARCH by number, what is open, and the attempts that are left
	}{
		"a number decides": {first + second, []int{2}, "## Block 2, `a.txt`\n\n" + other,
			"1 one = 1, 2 x = 1"},
		"in a list": {first + second + third, []int{2, 3}, "1. **Block 2**\n\n" +
			other, "1 one = 1, 2 x = 1, 3 three == 3 open"},
		"the model counts its own": {first + second + third, []int{2, 3}, "Block 1\n" + fixed,
			"1 one = 1, 2 two = 2, 3 three == 3 open"},
		"counted, and another open": {first + second + third, []int{1, 2}, "Block 1\n" + fixed,
			"1 one = 1 open, 2 two = 2, 3 three == 3"},
		"its lines decide": {first + second + third, []int{2, 3}, fixed,
			"1 one = 1, 2 two = 2, 3 three == 3 open"},
		"its REPLACE decides, although its SEARCH is like another's": {
			block("a.txt", "lost\n", "def f(x: int):\n y = x\n z = y\n") +
				block("a.txt", "def g(x) or\n y = x\n z = y\n", "def g(x: int):\n y = x\n z = y\n"),
			[]int{1, 2}, block("a.txt", "def f(x):\n y = x\n z = y\n", "def f(x: int):\n y = x\n z = y\n"),
			"1 def f(x):, 2 def g(x) or open"},
		"with nothing in common it is new": {first + second, []int{2}, other, "1 one = 1, 2 two == 2 open, 3 x = 1"},
		"its words decide": {block("a.txt", "def drop(k):\n", "def drop(k, quiet=0):\n") +
			block("a.txt", "def fetch(k):\n", "def fetch(k, strict=0):\n"), []int{1, 2},
			block("a.txt", "def get(k):\n", "def get(k, strict=0):\n") + other,
			"1 def drop(k): open, 2 def get(k):, 3 x = 1"},
		"not of two": {first + second, []int{1, 2}, other, "1 one = 1 open, 2 two == 2 open, 3 x = 1"},
		"another file is new": {first + second, []int{2}, block("n.txt", "", "x\n"),
			"1 one = 1, 2 two == 2 open, 3 "},
		"what is kept is repeated": {first + second, []int{2}, first + fixed, "1 one = 1, 2 two = 2"},
		"with other lines around": {first + second, []int{2},
			block("a.txt", "zero = 0\none = 1\n", "zero = 0\none = 11\n") + fixed,
			"1 one = 1, 2 two = 2"},
		"what is kept is rewritten": {first + second, []int{2},
			block("a.txt", "one = 1\n", "one = 1.5\n") + fixed, "1 one = 1, 2 two = 2"},
		"another line below the same": {block("a.txt", "import a\n", "import a\nimport b\n") + second, []int{2},
			block("a.txt", "import a\n", "import a\nimport c\n") + fixed, "1 import a, 2 two = 2, 3 import a"},
		"the same change elsewhere": {block("a.txt", "def f\n log\n", "def f\n warn\n") + second, []int{2},
			block("a.txt", "def g\n log\n", "def g\n warn\n") + fixed, "1 def f, 2 two = 2, 3 def g"},
		"an attempt": {first + cut, nil,
			block("c.txt", "four = 4\n", "four = 44\n"), "1 one = 1, 2 four = 4"},
		"an attempt that is not answered": {first + second + cut, []int{2}, fixed,
			"1 one = 1, 2 two = 2, attempt four = 4"},
		"given up": {first + second + cut, []int{2},
			"skip block 2\nskip line 16\n", "1 one = 1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := retry.New([]byte(c.reply))
			r.Refused = c.refused
			stored, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			again := &retry.Reply{}
			if err := json.Unmarshal(stored, again); err != nil {
				t.Fatal(err)
			}
			if _, err := again.Answer([]byte(c.answer)); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, shown(again)); d != "" {
				t.Error(d)
			}
		})
	}
}

func shown(r *retry.Reply) string {
	var out []string
	for _, b := range r.Blocks {
		line, _, _ := strings.Cut(string(b.Search), "\n")
		if slices.Contains(r.Refused, b.ID) {
			line += " open"
		}
		out = append(out, fmt.Sprint(b.ID, " ", line))
	}
	for _, a := range r.Attempts {
		line := strings.Split(string(a.Text), "\n")
		out = append(out, "attempt "+line[slices.Index(line, "<<<<<<< SEARCH")+1])
	}
	return strings.Join(out, ", ")
}

// A reply of ten thousand blocks that were all refused, and as many in the answer, are matched
// soon.
func TestAnswerOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about time, which the race detector takes")
	}
	r := &retry.Reply{}
	var answer strings.Builder
	for i := range 10_000 {
		r.Blocks = append(r.Blocks, parser.Block{ID: i + 1, Op: parser.OpEdit, Path: "a.txt",
			Search: fmt.Appendf(nil, "value_%d == compute(%d)\n", i, i), Replace: fmt.Appendf(nil, "x%d\n", i)})
		r.Refused = append(r.Refused, i+1)
		answer.WriteString(block("a.txt", fmt.Sprintf("value_%d = compute(%d)\n", i, i), fmt.Sprintf("x%d\n", i)))
	}
	if _, err := r.Answer([]byte(answer.String())); err != nil || len(r.Blocks) != 10_000 || len(r.Refused) > 0 {
		t.Fatal(err, len(r.Blocks), len(r.Refused))
	}
}
