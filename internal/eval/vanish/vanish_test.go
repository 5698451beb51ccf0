package vanish

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const threeEdits = `Three changes.

a.py
` + "```python" + `
<<<<<<< SEARCH
x = 1
=======
x = 2
>>>>>>> REPLACE
` + "```" + `

The second one:

b.py
` + "```python" + `
<<<<<<< SEARCH
y = 1
=======
y = 2
>>>>>>> REPLACE

<<<<<<< SEARCH
z = 1
=======
z = 2
>>>>>>> REPLACE
` + "```" + `

That is all.
`

// maker returns a maker for one reply with several edits, and one that gets another edit.
func maker(t *testing.T, seed uint64) *Maker {
	t.Helper()
	single := strings.NewReplacer("a.py", "d.py", "x = ",
		"w = ").Replace(threeEdits[:strings.Index(threeEdits, "The second")])
	m, err := NewMaker([]Reply{{"three", threeEdits}, {"single", single},
		{"not understood", "a.py\n<<<<<<< SEARCH\nx\n"}}, seed)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestEveryFormAndDamageOccurs(t *testing.T) {
	m := maker(t, 1)
	seen := map[string]bool{}
	plain := map[string]bool{}
	for n := range 12000 {
		c := m.Case(n)
		if c == nil {
			t.Fatalf("no case %d", n)
		}
		seen[c.Form], seen[c.Damage] = true, true
		if c.Damage == "" {
			plain[c.Form] = true
		}
	}
	for _, name := range Names() {
		if !seen[name] {
			t.Errorf("no case of %s", name)
		}
	}
	for _, f := range forms() {
		if !plain[f.name] {
			t.Errorf("%s never occurs without damage", f.name)
		}
	}
}

func TestNamesAreUnique(t *testing.T) {
	names := slices.Sorted(slices.Values(Names()))
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names occur twice: %q", names)
	}
}

func TestSameSeedSameCases(t *testing.T) {
	one, two, other := maker(t, 3), maker(t, 3), maker(t, 4)
	same := 0
	for n := range 400 {
		a := one.Case(n)
		if b := two.Case(n); !reflect.DeepEqual(a, b) {
			t.Fatalf("case %d is\n%v\nand\n%v", n, a, b)
		}
		if reflect.DeepEqual(a, other.Case(n)) {
			same++
		}
	}
	if same > 40 {
		t.Errorf("%d of 400 cases are the same with another seed", same)
	}
}

func TestAnotherReplyChangesNoOtherCase(t *testing.T) {
	files, err := OwnTables()
	if err != nil {
		t.Fatal(err)
	}
	replies, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	added := Reply{"added", "added.py\n<<<<<<< SEARCH\nadded = 1\n=======\nadded = 2\n>>>>>>> REPLACE\n"}
	before, err := NewMaker(replies, 1)
	if err != nil {
		t.Fatal(err)
	}
	after, err := NewMaker(slices.Concat([]Reply{added}, replies), 1)
	if err != nil {
		t.Fatal(err)
	}
	const cases = 2000
	taken := 0
	for n := range cases {
		was, is := before.Case(n), after.Case(n)
		if reflect.DeepEqual(was, is) {
			continue
		}
		taken++
		if is != nil && !strings.Contains(is.ID, added.ID) && !strings.Contains(is.Reply, "added = ") {
			t.Errorf("case %d was made from %s, and now from %s", n, was.ID, is.ID)
		}
	}
	if taken == 0 || taken > cases/20 {
		t.Errorf("%d of %d cases changed", taken, cases)
	}
}

// Results must not depend on how many run at a time.
func TestRunKeepsTheOrder(t *testing.T) {
	m := maker(t, 1)
	n := 0
	err := m.Run(context.Background(), 300, func(r Result) error {
		if want := m.Case(n); !reflect.DeepEqual(r.Case, want) {
			t.Fatalf("result %d is of case %s, not %s", n, r.Case.ID, want.ID)
		}
		n++
		return nil
	})
	if err != nil || n != 300 {
		t.Fatal(n, err)
	}
}

// A case may differ from the reply only in the lines it names. Its neighbours must be on the lines
// it says.
func TestNothingButTheNamedLinesIsDamaged(t *testing.T) {
	m, err := NewMaker([]Reply{{"three", threeEdits}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 4000 {
		c := m.Case(n)
		before, after := splitLines(threeEdits), splitLines(c.Reply)
		for i := range c.Lines[0] - 1 {
			if before[i] != after[i] {
				t.Fatalf("line %d is %q:\n%s", i+1, after[i], c.Reply)
			}
		}
		if rest := strings.Join(after[min(c.Lines[1], len(after)):],
			"\n"); !strings.HasSuffix(strings.TrimSuffix(threeEdits, "\n"), rest) {
			t.Fatalf("the rest of %s, %s is\n%s", c.Form, c.Damage, rest)
		}
		for _, x := range c.Neighbours {
			lines := after[x.Lines[0]-1 : x.Lines[1]]
			if want := strings.TrimSuffix(x.Search, "\n"); !slices.Contains(lines, want) {
				t.Fatalf("%s, %s: %q is not in lines %d to %d of\n%s", c.Form, c.Damage, want,
					x.Lines[0], x.Lines[1], c.Reply)
			}
		}
	}
}

func TestUndamagedEditsAreRead(t *testing.T) {
	files, err := OwnTables()
	if err != nil {
		t.Fatal(err)
	}
	replies, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMaker(replies, 1)
	if err != nil {
		t.Fatal(err)
	}
	if used, _ := m.Replies(); used < 80 {
		t.Errorf("cases come from only %d replies of the project", used)
	}
	for _, c := range m.Untouched() {
		if v := Judge(c, Parse(c.Reply)); v != (Verdict{Outcome: Read}) {
			t.Errorf("%s: %+v", c.ID, v)
		}
	}
}

// A form that is wrong here would be counted as one that the parser misses.
func TestFormsThatAreUnderstoodAreRight(t *testing.T) {
	m := maker(t, 1)
	for _, name := range []string{"aider", "aider_name_inside", "cline", "original_updated",
		"head_updated", "roo_hints", "gptme_patch", "roo_xml", "roo_xml_args",
		"cline_xml", "zed", "json_claude", "json_bare", "json_camel", "json_call",
		"json_multi_edit", "json_edit_file", "json_str_replace",
		"json_create", "json_insert", "json_patch", "v4a", "v4a_fenced", "v4a_heredoc", "v4a_add",
		"diff", "diff_bare"} {
		f := m.forms[slices.IndexFunc(m.forms, func(f form) bool { return f.name == name })]
		e := Edit{"src/new.py", "one\n\ttwo \"2\"\n", "one\n\ttwo \"3\"\nthree\n"}
		text := f.write(e).text()
		c := Case{Edit: f.truth(e), Reply: text + "\nDone.\n", Lines: [2]int{1, len(splitLines(text))}}
		if v := Judge(&c, Parse(c.Reply)); v.Outcome != Read {
			t.Errorf("%s is %s:\n%s", name, v.Outcome, c.Reply)
		}
	}
}

func TestJudge(t *testing.T) {
	mine, other := Edit{"b.py", "y = 1\n", "y = 2\n"}, Edit{"a.py", "x = 1\n", "x = 2\n"}
	c := &Case{Edit: mine, Lines: [2]int{10, 14}, Neighbours: []Neighbour{{Edit: other, Lines: [2]int{2, 6}}}}
	first := Block{Edit: other, Lines: [2]int{2, 6}}
	with := func(e Edit, names ...string) []Block {
		return []Block{first, {Edit: e, Lines: [2]int{10, 14}, Names: names}}
	}
	bent := Edit{other.Path, other.Search, "x = 2\nmore\n"}
	for name, x := range map[string]struct {
		got      Reading
		nameless bool
		want     Verdict
	}{
		"read": {got: Reading{Blocks: with(mine)}, want: Verdict{Outcome: Read}},
		"without its last line end": {got: Reading{Blocks: with(Edit{"b.py", "y = 1", "y = 2"})},
			want: Verdict{Outcome: Read}},
		"with a blank line after it": {got: Reading{Blocks: with(Edit{"b.py", "y = 1\n\n",
			"y = 2\n\n"})}, want: Verdict{Outcome: Read}},
		"named among others": {got: Reading{Blocks: with(Edit{"", mine.Search,
			mine.Replace}, "c.py", "b.py")}, want: Verdict{Outcome: Read}},
		"for a file nobody named": {got: Reading{Blocks: with(Edit{"c.py", mine.Search,
			mine.Replace})}, want: Verdict{Outcome: Unnamed}},
		"for the file of another one": {got: Reading{Blocks: with(Edit{"a.py", mine.Search,
			mine.Replace})}, want: Verdict{Outcome: Misfiled}},
		"no name left": {got: Reading{Blocks: with(Edit{"a.py", mine.Search,
			mine.Replace})}, nameless: true, want: Verdict{Outcome: Read}},
		"another text would be written": {got: Reading{Blocks: with(Edit{"b.py", mine.Search, "y = 2\n```\n"})},
			want: Verdict{Outcome: Garbled}},
		"another text is looked for": {got: Reading{Blocks: with(Edit{"b.py",
			"b.py\ny = 1\n", mine.Replace})}, want: Verdict{Outcome: Altered}},
		"refused": {got: Reading{Blocks: []Block{first},
			Refused: [][2]int{{12, 12}}}, want: Verdict{Outcome: Refused}},
		"refused far away": {got: Reading{Blocks: []Block{first},
			Refused: [][2]int{{30, 30}}}, want: Verdict{Outcome: Elsewhere}},
		"noticed": {got: Reading{Blocks: []Block{first},
			Noticed: [][2]int{{14, 20}}}, want: Verdict{Outcome: Noticed}},
		"vanished": {got: Reading{Blocks: []Block{first},
			Noticed: [][2]int{{15, 20}}}, want: Verdict{Outcome: Vanished}},
		"the neighbour is lost": {got: Reading{Blocks: with(mine)[1:]},
			want: Verdict{Outcome: Read, Lost: 1}},
		"the neighbour is swallowed": {got: Reading{Refused: [][2]int{{2, 14}}},
			want: Verdict{Outcome: Refused, Swallowed: 1}},
		"the neighbour is swallowed far away": {got: Reading{Blocks: with(mine)[1:],
			Refused: [][2]int{{30, 30}}}, want: Verdict{Outcome: Read, Swallowed: 1}},
		"the neighbour is moved": {got: Reading{Blocks: []Block{{Edit: Edit{"c.py", other.Search,
			other.Replace}, Lines: first.Lines}, with(mine)[1]}},
			want: Verdict{Outcome: Read, Moved: 1}},
		"the neighbour is bent": {got: Reading{Blocks: []Block{{Edit: bent, Lines: first.Lines},
			with(mine)[1]}}, want: Verdict{Outcome: Read, Bent: 1}},
		"no edit at all": {got: Reading{}, want: Verdict{Outcome: Nothing, Lost: 1}},
	} {
		c.Nameless = x.nameless
		if v := Judge(c, &x.got); v != x.want {
			t.Errorf("%s: %+v, want %+v", name, v, x.want)
		}
	}
}

func TestLoadReadsLinesAndTables(t *testing.T) {
	dir := t.TempDir()
	lines, table := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.txtar")
	for name, text := range map[string]string{
		lines: `{"id":"1","reply":"one","other":[]}` + "\n" + `{"id":"2"}` + "\n",
		table: "About it.\n-- name/reply --\ntwo\n-- name/want --\nblock\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Load([]string{lines, table})
	if want := []Reply{{"1", "one"}, {"name", "two\n"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestOnlyKeepsWhatIsNamed(t *testing.T) {
	m := maker(t, 1)
	if err := m.Only([]string{"cline", "line_bold"}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := range 100 {
		seen[m.Case(n).Mutation()] = true
	}
	if len(seen) != 3 || !seen["line_bold"] || !seen["as cline"] || !seen["as cline, damaged"] {
		t.Errorf("%v", seen)
	}
	m = maker(t, 1)
	if err := m.Only([]string{"zed"}); err != nil {
		t.Fatal(err)
	}
	damaged := 0
	for n := range 100 {
		c := m.Case(n)
		if c.Mutation() == "as zed, damaged" {
			damaged++
		}
	}
	if damaged < 20 {
		t.Errorf("%d of 100 cases of one form are damaged", damaged)
	}
	if err := m.Only([]string{"none_such"}); err == nil {
		t.Error("an unknown name passes")
	}
}
