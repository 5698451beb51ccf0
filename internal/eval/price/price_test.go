package price

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/srpatch/srpatch/internal/ablate"
	"github.com/srpatch/srpatch/internal/eval"
)

func TestEveryPromiseIsAboutSomethingThatIsThere(t *testing.T) {
	root, err := eval.Root()
	if err != nil {
		t.Fatal(err)
	}
	rooms, err := Rooms(root, 0)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ablate.Rules(root, Packages())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range promises("") {
		of := []promise{p}
		if !slices.ContainsFunc(rooms, func(r *Room) bool { return keeps(of, "room", r.Name) != "" }) &&
			!slices.ContainsFunc(rules, func(r *ablate.Rule) bool { return keeps(of, r.File, r.Name) != "" }) {
			t.Errorf("kept.txt speaks of %s %s, which is no room and no rule", p.file, p.name)
		}
	}
}

// A block with a slip is applied because slips are forgiven.
func TestARoomIsWorthTheAnswersThatChangeWithoutIt(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command with switches, which takes longer than -short is for")
	}
	root, err := eval.Root()
	if err != nil {
		t.Fatal(err)
	}
	cases := filepath.Join(t.TempDir(), "cases.jsonl")
	err = os.WriteFile(cases, []byte(`{"id": "slip", "path": "f.py", "content": "def total():\n    values = sorted(measurements)\n    return values\n", "search": "def total():\n    values = sorted(measurments)\n    return values\n", "replace": "def total():\n    values = set(measurments)\n    return values\n", "expected": "def total():\n    values = set(measurements)\n    return values\n"}
{"id": "exact", "path": "f.py", "content": "a = 1\n", "search": "a = 1\n", "replace": "a = 2\n", "expected": "a = 2\n"}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pricer{Root: root, Package: "./cmd/price", Files: []string{cases}, Made: 1, Rooms: 10, Processes: 1}
	rows, err := p.Measure(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string]float64{}
	for _, r := range rows {
		changed[r.Name] = r.Moves["right refused"]
	}
	if changed["slips within words"] != 1 || changed["search by similarity"] != 1 || changed["logs"] != 0 {
		t.Errorf("right answers that become refusals: %v", changed)
	}
	if rows[0].Answers() > 0 || rows[len(rows)-1].Answers() == 0 {
		t.Errorf("the dearest room does not come first: %v, %v", rows[0], rows[len(rows)-1])
	}
}

func TestATableSaysWhatHasToGo(t *testing.T) {
	rows := []*Row{
		{Name: "logs", IsRoom: true, Lines: 900, Keeps: "Logs of chats"},
		{Name: "apply/a.go isA off", Lines: 120, Real: 1, Made: 1, Moves: map[string]float64{"right wrong": 2}},
		{Name: "apply/b.go isB on", Lines: 10, Real: 4, Sampled: true, Moves: map[string]float64{"right refused": 3}, Keeps: "a promise"},
	}
	var b strings.Builder
	if err := Write(&b, rows, true); err != nil {
		t.Fatal(err)
	}
	const want = `| lines | answers | real | made | right to wrong | wrong to right | right to refused | refused to right | lines an answer | without | keeps |
| --: | --: | --: | --: | --: | --: | --: | --: | --: | --- | --- |
| 900 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | - | logs | Logs of chats |
| 120 | 2 | 1 | 1 | 2 | 0 | 0 | 0 | 60 | apply/a.go isA off | nothing: to go |
| 10 | ~4 | 4 | 0 | 0 | 0 | 3 | 0 | 3 | apply/b.go isB on |  |
`
	if b.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", b.String(), want)
	}
}
