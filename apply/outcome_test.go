package apply_test

import (
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// markers returns a block between markers, with the name of its file above it.
func markers(path, search, replace string) string {
	return path + "\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n"
}

func TestOutcome(t *testing.T) {
	files := apply.Files{"a.txt": []byte("one\ntwo\ntwo\nthree\n"), "b.txt": []byte("new line of text\n")}
	good, format := markers("a.txt", "one\n", "1\n"), "a.txt\n<<<<<<< SEARCH\none\n>>>>>>> REPLACE\n\n"
	path, absent := markers("c.txt", "one\n", "1\n"), markers("a.txt", "quite another text\n", "1\n")
	twice, exists := markers("a.txt", "two\n", "2\n"), markers("a.txt", "", "2\n")
	same, done := markers("a.txt", "one\n", "one\n"), markers("b.txt", "", "new line of text\n")
	for name, c := range map[string]struct {
		reply   string
		want    apply.Outcome
		changed bool // with Partial
	}{
		"good":   {good, apply.OutcomeChanged, true},
		"format": {format, apply.OutcomeFormat, false},
		"path":   {path, apply.OutcomePath, false},
		"no name": {"```\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n```\n",
			apply.OutcomePath, false},
		"no name in a patch": {"*** Begin Patch\n*** Update File:\n-one\n+1\n*** End Patch\n",
			apply.OutcomePath, false},
		"no name in JSON": {`{"uri": "a.txt", "old_string": "one", "new_string": "1"}`,
			apply.OutcomePath, false},
		"no name in XML":          {"<invoke name=\"Edit\">\n<parameter name=\"old_string\">one</parameter>\n<parameter name=\"new_string\">1</parameter>\n</invoke>\n", apply.OutcomePath, false},
		"no name and format":      {"*** Begin Patch\n*** Update File:\n-one\n+1\n*** End Patch\n\n" + format, apply.OutcomeFormat, false},
		"outside":                 {markers("../c.txt", "one\n", "1\n"), apply.OutcomePath, false},
		"not found":               {absent, apply.OutcomeNotFound, false},
		"ambiguous":               {twice, apply.OutcomeAmbiguous, false},
		"refused":                 {exists, apply.OutcomeRefused, false},
		"no-op":                   {same, apply.OutcomeNoOp, false},
		"already":                 {done, apply.OutcomeAlready, false},
		"all faults":              {good + exists + twice + absent + path + format, apply.OutcomeFormat, true},
		"all but format":          {good + exists + twice + absent + path, apply.OutcomePath, true},
		"not found and ambiguous": {good + exists + twice + absent, apply.OutcomeNotFound, true},
		"ambiguous and refused":   {good + exists + twice, apply.OutcomeAmbiguous, true},
		"good and refused":        {good + exists, apply.OutcomeRefused, true},
		"no-op and good":          {same + good, apply.OutcomeChanged, true},
		"already and good":        {done + good, apply.OutcomeChanged, true},
		"already and no-op":       {done + same, apply.OutcomeNoOp, false},
		"there and back":          {good + markers("a.txt", "1\n", "one\n"), apply.OutcomeNoOp, false},
		"a file made and taken":   {"*** Begin Patch\n*** Add File: n.txt\n+x\n*** Delete File: n.txt\n*** End Patch\n", apply.OutcomeNoOp, false},
		"a file taken and made":   {"*** Begin Patch\n*** Delete File: b.txt\n*** Add File: b.txt\n+new line of text\n*** End Patch\n", apply.OutcomeNoOp, false},
		"a file moved to itself":  {"*** Begin Patch\n*** Update File: b.txt\n*** Move to: ./b.txt\n*** End Patch\n", apply.OutcomeNoOp, false},
		"a file moved":            {"*** Begin Patch\n*** Update File: b.txt\n*** Move to: n.txt\n*** End Patch\n", apply.OutcomeChanged, true},
		"an empty file":           {markers("n.txt", "", ""), apply.OutcomeChanged, true},
		"a file that is taken": {"*** Begin Patch\n*** Delete File: b.txt\n*** End Patch\n",
			apply.OutcomeChanged, true},
		"nothing that is an edit": {"No change.\n", apply.OutcomeFormat, false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, partial := range []bool{false, true} {
				plan, err := apply.New(files, apply.Options{Partial: partial}).Plan(t.Context(),
					parser.Parse([]byte(c.reply)))
				if err != nil {
					t.Fatal(err)
				}
				changed := c.changed && (partial || c.want == apply.OutcomeChanged)
				if plan.Outcome() != c.want || plan.Changed() != changed {
					t.Errorf("partial %v: %s, changed %v; want %s, %v\n%+v", partial,
						plan.Outcome(), plan.Changed(), c.want, changed, plan.Blocks)
				}
			}
		})
	}
}
