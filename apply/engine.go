package apply

import (
	"context"

	"github.com/srpatch/srpatch/parser"
)

// Engine plans replies against a tree. It keeps nothing between plans and may be used by several goroutines when its
// tree may.
type Engine struct {
	tree Tree
	opt  Options
}

// New makes an engine that reads tree.
func New(tree Tree, opt Options) *Engine { return &Engine{tree: tree, opt: opt} }

// Plan places every block of reply and returns what is to be done. Blocks that cannot be placed are reports with a
// reason, not errors; the error is for a context that ended.
func (e *Engine) Plan(ctx context.Context, reply *parser.Reply) (*Plan, error) {
	return &Plan{Status: Refused, Diagnostics: reply.Diagnostics}, ctx.Err()
}
