package retry_test

import (
	"context"
	"testing"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/retry"
)

// What the answer gives up is left out; where that is all, nothing is left to do.
func TestAnswerGivesUp(t *testing.T) {
	ctx := context.Background()
	const good = "a.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
	const bad = "a.py\n<<<<<<< SEARCH\nnowhere at all\n=======\nx = 2\n>>>>>>> REPLACE\n"
	engine := apply.New(apply.Files{"a.py": []byte("x = 1\ny = 1\n")}, apply.Options{})
	for reply, c := range map[string]struct {
		answer string
		blocks int
	}{
		good + bad:                {"skip block 2\n", 1},
		bad:                       {"skip block 1\n", 0},
		good + "<<<<<<< SEARCH\n": {"skip line 7\n", 1},
		// A correction counts, whatever else the answer says.
		bad + good: {"skip block 1\n\nBlock 1\n" + block("a.py", "y = 1\n", "y = 2\n"), 2},
	} {
		r := retry.New([]byte(reply))
		if plan, err := r.Plan(ctx, engine); err != nil || plan.Status != apply.Refused {
			t.Fatalf("%q: %v, %v", reply, plan, err)
		}
		if _, err := r.Answer([]byte(c.answer)); err != nil {
			t.Fatal(err)
		}
		if plan, err := r.Plan(ctx, engine); err != nil || plan.Status != apply.Applied ||
			len(plan.Blocks) != c.blocks {
			t.Errorf("%q, answered by %q: %+v, %v", reply, c.answer, plan, err)
		}
	}
}
