package apply_test

import (
	"errors"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// readOnly is a tree in which one file cannot be written.
type readOnly struct {
	apply.Files
	file string
}

func (r readOnly) CheckPlan(*apply.Plan) error { return nil }

func (r readOnly) CanWrite(c *apply.FileChange) error {
	if c.Path == r.file {
		return &apply.ReasonError{Reason: apply.NotWritable, Err: errors.New("the file is read-only")}
	}
	return nil
}

func TestProgramHeardOfAFileThatCannotBeWrittenOnlyWhenItWrote(t *testing.T) {
	reply := parser.Parse([]byte("a.txt\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\nb.txt\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n"))
	tree := readOnly{apply.Files{"a.txt": []byte("1\n"), "b.txt": []byte("1\n")}, "a.txt"}
	for _, c := range []struct {
		partial bool
		status  apply.Status
		files   int
		other   apply.BlockStatus
	}{{false, apply.Refused, 0, apply.BlockReady}, {true, apply.Partial, 1, apply.BlockApplied}} {
		plan, err := apply.New(tree, apply.Options{Partial: c.partial}).Plan(t.Context(), reply)
		if err != nil {
			t.Fatal(err)
		}
		a, b := plan.Blocks[0], plan.Blocks[1]
		if plan.Status != c.status || len(plan.Files) != c.files || a.Status != apply.BlockFailed ||
			a.Reason != apply.NotWritable || b.Status != c.other {
			t.Errorf("partial %v: %s with %d files; %s %s, %s", c.partial, plan.Status,
				len(plan.Files), a.Status, a.Reason, b.Status)
		}
	}
}
