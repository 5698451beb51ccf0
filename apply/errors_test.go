package apply_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"math"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// A program that wants errors gets them from the plan, and identifies each problem by its reason.
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
	// line 9 of the reply: found "<<<<<<< SEARCH" without a divider up to line 11, expected "=======" alone on a line between SEARCH and REPLACE
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

// myVeto is an error of a caller's own.
type myVeto struct{ path string }

func (e *myVeto) Error() string { return e.path + " is mine" }

// lockedTree is a tree with files that can't be read.
type lockedTree struct{ apply.Files }

func (t lockedTree) ReadFile(path string) ([]byte, error) {
	if path == "locked.txt" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return t.Files.ReadFile(path)
}

// sealedTree is a tree that can't be written.
type sealedTree struct{ apply.Files }

func (sealedTree) CheckPlan(*apply.Plan) error      { return nil }
func (sealedTree) CanWrite(*apply.FileChange) error { return fs.ErrPermission }

// The plan's error includes the errors of the tree and of a veto.
func TestPlanErrCause(t *testing.T) {
	files := apply.Files{"a.txt": []byte("one\n"), "locked.txt": []byte("one\n")}
	veto := func(p *apply.Placement) error { return &myVeto{p.Path} }
	err := planned(t, files, parser.Parse([]byte(markers("a.txt", "one\n", "1\n"))), apply.Options{Veto: veto}).Err()
	if e, ok := errors.AsType[*myVeto](err); !ok || e.path != "a.txt" || !errors.Is(err, apply.Vetoed) {
		t.Errorf("veto: %v", err)
	}
	for name, tree := range map[string]apply.Tree{"locked.txt": lockedTree{files}, "a.txt": sealedTree{files}} {
		plan, err := apply.New(tree, apply.Options{}).Plan(t.Context(), parser.Parse([]byte(markers(name, "one\n", "1\n"))))
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Err(); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An invalid policy, splice, similarity or encoding fails the plan instead of becoming a default.
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
