// Package retry continues a reply that was partly refused. It writes the message that asks the
// model for corrections, and joins the model's answer with the reply.
//
//	reply := retry.New(text)
//	plan, err := reply.Plan(ctx, engine)
//	for err == nil && plan.Status != apply.Applied {
//		_, err = reply.Answer(ask(reply.Feedback()))
//		if err == nil {
//			plan, err = reply.Plan(ctx, engine)
//		}
//	}
//
// The message asks for the number of the edit above each block, and this number decides which edit
// a block of the answer corrects. Without a number, its lines decide. Neither has any influence on
// places in files: the result is planned like any reply, and may be refused like any.
package retry

import (
	"bytes"
	"context"
	"slices"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/parser"
)

// Reply is a reply that is applied in one or more rounds. Stored as JSON, it's all that a later
// process needs to continue. It isn't safe for concurrent use.
type Reply struct {
	// Blocks are those that still have to be applied. Made are those that are written.
	Blocks []parser.Block `json:"blocks,omitempty"`
	Made   []parser.Block `json:"made,omitempty"`
	// Refused are the numbers of the blocks that need a correction.
	Refused []int `json:"refused,omitempty"`
	// Attempts are the edits that weren't understood.
	Attempts []report.Located `json:"attempts,omitempty"`
	// Noticed is what the reply has besides its edits.
	Noticed []parser.Noticed `json:"noticed,omitempty"`
	// Before has earlier versions of blocks, and repetitions of them in answers, with the number of
	// the block that stands for them now.
	Before []parser.Block `json:"before,omitempty"`

	opts     []parser.Option
	answered Answered
	plan     *apply.Plan
}

// New starts with what a model wrote. opts say how to parse that and its answers. Don't change the
// text afterwards.
func New(text []byte, opts ...parser.Option) *Reply {
	reply := parser.Parse(text, opts...)
	r := From(reply, report.Locate("", reply, text))
	r.opts = opts
	return r
}

// From starts with a parsed reply. located are its diagnostics with their texts.
func From(reply *parser.Reply, located []report.Located) *Reply {
	return &Reply{Blocks: reply.Blocks, Noticed: reply.Noticed, Attempts: located}
}

// Parsed returns the reply as a parser does.
func (r *Reply) Parsed() *parser.Reply {
	p := &parser.Reply{Blocks: r.Blocks, Noticed: r.Noticed}
	for i := range r.Attempts {
		p.Attempts = append(p.Attempts, r.Attempts[i].Known)
		p.Diagnostics = append(p.Diagnostics, r.Attempts[i].Diagnostic)
	}
	return p
}

// Plan plans the reply in its current state on the engine's tree, without the blocks that are
// written. If it isn't obvious how an answer relates to a block, the block's report has a warning.
func (r *Reply) Plan(ctx context.Context, engine *apply.Engine) (*apply.Plan, error) {
	// If all edits are skipped, nothing is left to do. The engine would return ErrNoEdits.
	if len(r.Blocks)+len(r.Attempts) == 0 && r.answered.Skipped != nil {
		r.plan = &apply.Plan{Status: apply.Applied}
		return r.plan, nil
	}
	plan, err := engine.Plan(ctx, r.Parsed())
	if err != nil {
		return nil, err
	}
	r.Planned(plan)
	return plan, nil
}

// Planned takes a plan of the reply's blocks that was made elsewhere: it records which blocks are
// refused, and adds warnings about the last answer to the plan's reports.
func (r *Reply) Planned(plan *apply.Plan) {
	r.answered.addNotes(plan.Blocks)
	r.Refused, r.plan = nil, plan
	for i := range plan.Blocks {
		if plan.Blocks[i].Status == apply.BlockFailed {
			r.Refused = append(r.Refused, plan.Blocks[i].ID)
		}
	}
}

// Feedback returns the message for the model about the last plan: which edits were refused, what
// the file has there, what would fit, and what needn't be sent again. If the reply has no edit, the
// message says how to write one. It's "" before the first plan, and if there is nothing that a
// model can do.
func (r *Reply) Feedback() string {
	if r.plan == nil {
		return ""
	}
	run := report.Run{
		Status: r.plan.Status, Blocks: r.plan.Blocks, Located: r.Attempts, Noticed: r.Noticed,
		Remembered: true, InPlace: len(r.Made),
	}
	run.SetDiagnostics(r.plan.Diagnostics) // the plan knows more of what to do about them
	return run.Message()
}

// Written records that the files of the last plan, made with [apply.Options.Partial], are written.
// Its blocks aren't planned again, and the model is told that they are in place.
func (r *Reply) Written() {
	if r.plan == nil || r.plan.Status == apply.Refused {
		return
	}
	r.markMade(func(b *parser.Block) bool { return !slices.Contains(r.Refused, b.ID) })
	rest := slices.DeleteFunc(slices.Clone(r.plan.Blocks), func(b apply.BlockReport) bool {
		return b.Status != apply.BlockFailed
	})
	r.plan = &apply.Plan{Status: r.plan.Status, Blocks: rest, Diagnostics: r.plan.Diagnostics}
}

// WroteBlocks records that these blocks are written, by a run that left out others. A block that an
// answer has replaced since doesn't count. done reports whether no block or attempt is left.
func (r *Reply) WroteBlocks(blocks []parser.Block) (done bool) {
	r.markMade(func(b *parser.Block) bool {
		return slices.ContainsFunc(blocks, func(w parser.Block) bool {
			return w.ID == b.ID && bytes.Equal(w.Search, b.Search) && bytes.Equal(w.Replace, b.Replace)
		})
	})
	r.Refused = slices.DeleteFunc(slices.Clone(r.Refused), func(id int) bool {
		return slices.ContainsFunc(r.Made, func(b parser.Block) bool { return b.ID == id })
	})
	return len(r.Blocks)+len(r.Attempts) == 0
}

// markMade moves those blocks from Blocks to Made for which written returns true.
func (r *Reply) markMade(written func(*parser.Block) bool) {
	var left []parser.Block
	for i := range r.Blocks {
		if b := &r.Blocks[i]; written(b) {
			r.Made = append(r.Made, *b)
		} else {
			left = append(left, *b)
		}
	}
	r.Blocks = left
}
