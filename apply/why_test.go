package apply_test

import (
	"context"
	"testing"

	"github.com/srpatch/srpatch/apply"
)

// Whatever a block is, it can be said how it was judged.
func TestWhyAnswersForEveryBlock(t *testing.T) {
	asked := 0
	for _, c := range examples(t, "../testdata/engine/*.txtar") {
		policy := c.Policies()[0]
		reply := c.Reply()
		for i := range reply.Blocks {
			id := reply.Blocks[i].ID
			why, err := apply.New(c.Tree(), c.Options(policy)).Why(context.Background(), c.Reply(), id)
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if why.Report.ID != id || why.Report.Reason == apply.NotFound &&
				why.Report.Searched != nil && len(why.Readings) == 0 {
				t.Errorf("%s: block %d: %+v", c.Name, id, why)
			}
			asked++
		}
	}
	if asked < 500 {
		t.Errorf("%d blocks, too few", asked)
	}
	if _, err := apply.New(apply.Files{}, apply.Options{}).Why(context.Background(),
		one(asking("a\n", "b\n")), 7); err == nil {
		t.Error("there is no block 7, and nothing says so")
	}
}
