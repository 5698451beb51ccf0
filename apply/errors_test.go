package apply_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Whoever wants errors asks the plan for them, and finds what went wrong by its reason.
func ExamplePlan_Err() {
	reply := parser.Parse([]byte("a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n\nb.txt\n<<<<<<< SEARCH\none\n>>>>>>> REPLACE\n"))
	plan, err := apply.New(apply.Files{"a.txt": []byte("one\none\n")}, apply.Options{}).Plan(context.Background(), reply)
	if err != nil {
		log.Fatal(err)
	}
	err = plan.Err()
	fmt.Println(errors.Is(err, apply.Ambiguous), errors.Is(err, apply.Reason("missing-divider")), errors.Is(err, apply.NotFound))
	fmt.Println(err)
	// Output:
	// true true false
	// block 1, a.txt: SEARCH fits 2 places (lines 1, 2); add lines around it that only one of them has
	// line 9 of the reply: found "<<<<<<< SEARCH" without a divider up to line 11, expected "=======" on a line of its own between SEARCH and REPLACE
}

func TestPlanErr(t *testing.T) {
	for name, c := range map[string]struct {
		reply string
		want  error
	}{
		"applied":  {"a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n", nil},
		"no edit":  {"Nothing to do.\n", apply.ErrNoEdits},
		"no name":  {"<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n", apply.NoName},
		"not here": {"a.txt\n<<<<<<< SEARCH\ntwo\n=======\n1\n>>>>>>> REPLACE\n", apply.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			plan := planned(t, apply.Files{"a.txt": []byte("one\n")}, parser.Parse([]byte(c.reply)), apply.Options{})
			if err := plan.Err(); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// What no policy, splice, similarity or encoding is fails the plan, and is not taken for a default.
func TestOptionError(t *testing.T) {
	for option, opt := range map[string]apply.Options{
		"Policy": {Policy: "saef"}, "Splice": {Splice: "two-way"}, "Threshold": {Threshold: math.NaN()}, "Encoding": {Encoding: "klingon"},
	} {
		plan, err := apply.New(apply.Files{}, opt).Plan(context.Background(), &parser.Reply{})
		if e, ok := errors.AsType[*apply.OptionError](err); !ok || e.Option != option || plan != nil {
			t.Errorf("%s: %v %v", option, plan, err)
		}
	}
}
