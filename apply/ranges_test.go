package apply_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Each report says which bytes its block changes and where its lines are afterwards, even if other
// blocks move them.
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
		"below what another adds": {
			"one\ntwo\n", block("one\n", "one\nafter one\n") + block("two\n", "2\n"),
			[]string{"[1 1] [1 2] [{[4 4] [4 14]}]", "[2 2] [3 3] [{[4 8] [14 16]}]"},
		},
		"all of it goes":       {"one\ntwo\nthree\n", block("two\n", ""), []string{"[2 2] [2 1] [{[4 8] [4 4]}]"}},
		"at the end":           {"one\ntwo", block("two\n", "two\nthree\n"), []string{"[2 2] [2 3] [{[7 7] [7 13]}]"}},
		"with a mark of bytes": {"\ufeffone\ntwo\n", block("two\n", "2\n"), []string{"[2 2] [2 2] [{[7 11] [7 9]}]"}},
		"one on the other": {"one\ntwo\n", block("one\n", "uno\n") + block("uno\n", "eins\n"),
			[]string{"[1 1] <nil> []", "[1 1] <nil> []"}},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := apply.New(apply.Files{"a.py": []byte(c.before)},
				apply.Options{}).Plan(context.Background(), parser.Parse([]byte(c.reply)))
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

// unwritable is a tree in which no file can be changed, or only the file b.py can.
type unwritable struct {
	apply.Files
	all bool
}

func (u unwritable) CheckPlan(*apply.Plan) error {
	if u.all {
		return errors.New("nothing can be written")
	}
	return nil
}

func (u unwritable) CanWrite(c *apply.FileChange) error {
	if c.Path == "a.py" {
		return errors.New("it is read-only")
	}
	return nil
}

// A plan that the tree refuses changes nothing, and says so for each block.
func TestNoRangesOfWhatIsRefused(t *testing.T) {
	const reply = "a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\nb.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	for _, c := range []struct {
		all, partial bool
		want         []bool // the block has ranges
	}{{true, true, []bool{false, false}}, {false, false, []bool{false, false}}, {false, true, []bool{false, true}}} {
		tree := unwritable{apply.Files{"a.py": []byte("a\n"), "b.py": []byte("a\n")}, c.all}
		plan, err := apply.New(tree, apply.Options{Partial: c.partial}).Plan(context.Background(),
			parser.Parse([]byte(reply)))
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range plan.Blocks {
			if got := b.Edits != nil || b.LinesAfter != nil; got != c.want[i] {
				t.Errorf("%+v: block %d: %v %v", c, b.ID, b.LinesAfter, b.Edits)
			}
		}
	}
}
