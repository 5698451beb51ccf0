package apply

import (
	"context"

	"github.com/srpatch/srpatch/parser"
)

// Session plans a reply part by part, while the model still writes it:
//
//	s := engine.Session()
//	for scanner.Scan() {
//		report, err := s.Add(ctx, scanner.Item())
//		...
//	}
//	plan, err := s.Plan(ctx)
//
// Its plan is the one that [Engine.Plan] makes of the whole reply, if the tree did not change meanwhile: a session reads each file once,
// and keeps it, its line index and what it found there. It is for one goroutine.
type Session struct {
	engine *Engine
	reply  parts
	kept   kept
}

// parts are what a plan is made from.
type parts struct {
	blocks      []*parser.Block
	diagnostics []parser.Diagnostic
	attempts    []parser.Attempt
	// last says that no refusal but that of the last block is to be explained.
	last bool
}

// Session begins a plan of a reply of which nothing has come in yet.
func (e *Engine) Session() *Session { return &Session{engine: e} }

// Add takes the next part of the reply. Of a block it says what would become of it if the reply ended here; of what is no block, nil.
// Later blocks may still change that: one that is ambiguous now may be the one between two others. A refusal's report may know more of
// the nearest text than that of the plan, where the work of a run does not suffice to look for that of each block. The error is that of
// [Engine.Plan]; the part is taken all the same.
func (s *Session) Add(ctx context.Context, part parser.Item) (*BlockReport, error) {
	switch {
	case part.Diagnostic != nil:
		s.reply.diagnostics = append(s.reply.diagnostics, *part.Diagnostic)
		if part.Attempt != nil {
			s.reply.attempts = append(s.reply.attempts, *part.Attempt)
		}
		return nil, nil
	case part.Block == nil:
		return nil, nil
	}
	s.reply.blocks = append(s.reply.blocks, part.Block)
	so := s.reply
	so.last = true
	_, plan, err := s.engine.plan(ctx, &so, &s.kept)
	if err != nil {
		return nil, err
	}
	return &plan.Blocks[len(plan.Blocks)-1], nil
}

// Plan is the plan of the parts that were added. More may follow.
func (s *Session) Plan(ctx context.Context) (*Plan, error) {
	_, plan, err := s.engine.plan(ctx, &s.reply, &s.kept)
	return plan, err
}
