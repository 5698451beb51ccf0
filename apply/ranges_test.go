package apply_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Each block says which bytes it changes and what its lines become, also where others move them.
func TestRanges(t *testing.T) {
	block := func(search, replace string) string {
		return "a.py\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n\n"
	}
	for name, c := range map[string]struct {
		before, reply string
		want          []string
	}{
		"lines more and less": {
			"one\ntwo\nthree\nfour\nfive\n",
			block("four\nfive\n", "five\n") + block("one\ntwo\n", "one\nnew\nnewer\ntwo\n"),
			[]string{"[4 5] [6 6] [{[14 19] [24 24]}]", "[1 2] [1 4] [{[4 4] [4 14]}]"},
		},
		"all of it goes":       {"one\ntwo\nthree\n", block("two\n", ""), []string{"[2 2] [2 1] [{[4 8] [4 4]}]"}},
		"at the end":           {"one\ntwo", block("two\n", "two\nthree\n"), []string{"[2 2] [2 3] [{[7 7] [7 13]}]"}},
		"with a mark of bytes": {"\ufeffone\ntwo\n", block("two\n", "2\n"), []string{"[2 2] [2 2] [{[7 11] [7 9]}]"}},
		"one on the other":     {"one\ntwo\n", block("one\n", "uno\n") + block("uno\n", "eins\n"), []string{"[1 1] <nil> []", "[1 1] <nil> []"}},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := apply.New(apply.Files{"a.py": []byte(c.before)}, apply.Options{}).Plan(context.Background(), parser.Parse([]byte(c.reply)))
			if err != nil || plan.Status != apply.Applied {
				t.Fatal(err, plan.Blocks)
			}
			var got []string
			for _, b := range plan.Blocks {
				after := any(nil)
				if b.LinesAfter != nil {
					after = *b.LinesAfter
				}
				got = append(got, fmt.Sprint(*b.Lines, " ", after, " ", b.Edits))
			}
			if c.want != nil && !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
