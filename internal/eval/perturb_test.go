package eval

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

const perturbed = `import math

def area(r):
    """The area of a circle."""
    square = r * r
    return 3 * square

def length(r):
    return 6 * r
`

// perturb returns the cases made from a reply.
func perturb(t *testing.T, reply string) []*Case {
	t.Helper()
	line, err := json.Marshal(map[string]any{"id": "x", "files": map[string]string{"a.py": perturbed}, "reply": reply})
	if err != nil {
		t.Fatal(err)
	}
	qs, err := ReadQuestions(line)
	if err != nil {
		t.Fatal(err)
	}
	return Perturb(qs, 1)
}

const areaAndLength = `a.py
<<<<<<< SEARCH
def area(r):
    """The area of a circle."""
    square = r * r
    return 3 * square
=======
def area(r):
    """The area of a circle."""
    square = r * r
    return math.pi * square
>>>>>>> REPLACE

<<<<<<< SEARCH
    return 6 * r
=======
    return 2 * math.pi * r
>>>>>>> REPLACE
`

func TestEveryPerturbationIsMadeAndPasses(t *testing.T) {
	cases := perturb(t, areaAndLength)
	n := map[string]int{}
	for _, c := range cases {
		n[c.Kind]++
	}
	want := map[string]int{"as_it_is": 1, "dropped": 2, "repeated": 2, "reordered": 2,
		"part_done": 4, "again": 1, "moved_on": 1, "line_between": 1, "copied": 2}
	if !maps.Equal(n, want) {
		t.Errorf("have %v, want %v", n, want)
	}
	if all := slices.Sorted(maps.Keys(n)); !slices.Equal(all, slices.Sorted(slices.Values(perturbations()))) {
		t.Errorf("perturbations are %v", all)
	}
	outcomes, err := Run(t.Context(), cases, apply.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		if v, _ := Judge(c, outcomes[i]); v != Right {
			t.Errorf("%s is %s", c.ID, v)
		}
	}
}

// A wrong expectation would go unnoticed if the engine made the same mistake.
func TestPerturbationsKeepWhatOthersWrote(t *testing.T) {
	whole := strings.NewReplacer("3 * square", "math.pi * square", "6 * r", "2 * math.pi * r").Replace(perturbed)
	for _, c := range perturb(t, areaAndLength) {
		switch c.Kind {
		case "as_it_is", "repeated", "reordered", "again", "part_done":
			if c.Expected["a.py"] != whole {
				t.Errorf("%s expects\n%s", c.ID, c.Expected["a.py"])
			}
		case "moved_on", "line_between":
			const theirs = "audit(entry, stamp)\n"
			without := strings.Replace(c.Expected["a.py"], theirs, "", 1)
			if !strings.Contains(c.Files["a.py"], theirs) || c.Kind == "moved_on" && without != whole {
				t.Errorf("%s expects\n%s", c.ID, c.Expected["a.py"])
			}
		case "copied":
			if c.Expected != nil {
				t.Errorf("%s should be refused", c.ID)
			}
		}
	}
}

func TestBlocksOfUnknownResultAreNotPerturbed(t *testing.T) {
	for name, reply := range map[string]string{
		"wrong indentation":        strings.ReplaceAll(areaAndLength, "    ", "  "),
		"at two places":            "a.py\n<<<<<<< SEARCH\n\n=======\n# a gap\n>>>>>>> REPLACE\n",
		"not whole lines":          "a.py\n<<<<<<< SEARCH\nsquare = r * r\n=======\nsquare = r\n>>>>>>> REPLACE\n",
		"already there":            "a.py\n<<<<<<< SEARCH\nimport math\n=======\nimport math\n\n>>>>>>> REPLACE\n",
		"another file":             strings.Replace(areaAndLength, "a.py", "b.py", 1),
		"ellipsis in what it adds": "a.py\n<<<<<<< SEARCH\nimport math\n=======\n# ...\n>>>>>>> REPLACE\n",
	} {
		if cases := perturb(t, reply); len(cases) > 0 {
			t.Errorf("%s: %d cases", name, len(cases))
		}
	}
}
