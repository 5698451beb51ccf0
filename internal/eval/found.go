package eval

import (
	"context"

	"github.com/srpatch/srpatch/apply"
)

// Found plans the reply of a question, and returns the stages that found the places of its blocks: a
// name for each block that was placed.
func (q *Question) Found(ctx context.Context) ([]string, error) {
	if q.Files == nil {
		return nil, nil
	}
	plan, err := q.plan(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range plan.Blocks {
		if b := &plan.Blocks[i]; b.Status != apply.BlockFailed && b.Strategy != "" {
			names = append(names, b.Strategy)
		}
	}
	return names, nil
}
