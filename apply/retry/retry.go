// Package retry goes on with a reply of which a part was refused: it writes the message that asks the model for corrections, and joins
// the model's answer with what it said before.
//
//	reply := retry.New(engine, text)
//	plan, err := reply.Plan(ctx)
//	for err == nil && plan.Status != apply.Applied {
//		err = reply.Answer(ctx, ask(reply.Feedback()))
//		if err == nil {
//			plan, err = reply.Plan(ctx)
//		}
//	}
//
// Models number nothing, so which block of an answer corrects, repeats or rewrites which one of the reply is found by the file, by how
// much both are alike, and as a last resort by the order. That decides about no place in a file: what comes out is planned like any reply,
// and refused like any.
package retry

import (
	"context"
	"slices"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/retry"
	"github.com/srpatch/srpatch/parser"
)

// Reply is a reply on its way to a plan that is applied. It is for one goroutine.
type Reply struct {
	engine *apply.Engine
	opts   []parser.Option
	reply  retry.Reply
	// located are the attempts that were not understood, attempts what the parser knows of them. The last ones, faults of them, are those of
	// the last answer, which had nothing for open refused edits.
	located      []report.Located
	attempts     []parser.Attempt
	faults, open int
	answered     retry.Answered
	plan         *apply.Plan
}

// New begins with what a model wrote; opts say how that and its answers are read. The text must not be changed afterwards.
func New(engine *apply.Engine, text []byte, opts ...parser.Option) *Reply {
	reply := parser.Parse(text, opts...)
	r := &Reply{engine: engine, opts: opts, located: report.Locate("", reply, text), attempts: reply.Attempts}
	r.reply.Blocks = reply.Blocks
	return r
}

// Plan plans the reply as it is now on the engine's tree as that is now, without the blocks that are written. Reports say by a warning
// what an answer has to do with their block, where that is not plain.
func (r *Reply) Plan(ctx context.Context) (*apply.Plan, error) {
	if len(r.reply.Blocks)+len(r.located) == 0 && r.answered.Skipped != nil { // all is given up
		r.plan = &apply.Plan{Status: apply.Applied}
		return r.plan, nil
	}
	plan, err := r.engine.Plan(ctx, r.parsed())
	if err != nil {
		return nil, err
	}
	r.answered.Note(plan.Blocks)
	r.plan = plan
	return plan, nil
}

// parsed is the reply as a parser gives it.
func (r *Reply) parsed() *parser.Reply {
	p := &parser.Reply{Blocks: r.reply.Blocks, Attempts: r.attempts}
	for _, l := range r.located {
		p.Diagnostics = append(p.Diagnostics, l.Diagnostic)
	}
	return p
}

// Why plans the reply as it is now, and says how the block of that number was judged. The error is that of [apply.Engine.Why].
func (r *Reply) Why(ctx context.Context, block int) (*apply.Why, error) {
	return r.engine.Why(ctx, r.parsed(), block)
}

// Feedback is the message for the model about the last plan: which edits were refused, what the file has there, what would fit, and what
// need not be sent again. To a reply without any edit it says how one is written. It is "" before the first plan, and where there is nothing
// that a model can do.
func (r *Reply) Feedback() string {
	if r.plan == nil {
		return ""
	}
	run := report.Run{Status: r.plan.Status, Blocks: r.plan.Blocks, Located: slices.Clone(r.located), Remembered: true, InPlace: len(r.reply.Made)}
	run.SetDiagnostics(r.plan.Diagnostics) // the plan knows more of what to do about them
	return run.Message()
}

// Answer takes what the model answered: its blocks take the places of those that are refused now, and what is new in it comes last. A line of its
// own such as "skip block 2" gives an edit up. An answer without any edit, an attempt at one, or such a line is [apply.ErrNoEdits], and changes nothing; other errors are those of [apply.Engine.Plan].
func (r *Reply) Answer(ctx context.Context, text []byte) error {
	answer := parser.Parse(text, r.opts...)
	var skips retry.Skips
	if skips.Add(text, answer); len(answer.Blocks)+len(answer.Diagnostics) == 0 && !skips.Any() {
		return apply.ErrNoEdits
	}
	old := retry.ToAsk(r.located, r.faults, r.open)
	reply := r.reply
	reply.Attempts = nil
	for _, l := range old {
		reply.Attempts = append(reply.Attempts, retry.Attempt{Line: l.Line, Path: l.Path, Text: l.Text})
	}
	joined, err := reply.Answer(answer.Blocks, skips, func(blocks []parser.Block) (*apply.Plan, error) {
		return r.engine.Plan(ctx, &parser.Reply{Blocks: blocks})
	})
	if err != nil {
		return err
	}
	own := report.Locate("", answer, text)
	r.located = nil
	for _, i := range joined.Lost {
		r.located = append(r.located, old[i])
	}
	r.located, r.attempts = append(r.located, own...), slices.Concat(r.attempts, answer.Attempts)
	r.reply.Blocks, r.faults, r.open, r.answered, r.plan = joined.Blocks, len(own), joined.Open, *joined, nil
	return nil
}

// Written says that the files of the last plan are written, where that is one of [apply.Options.Partial]: its blocks are not planned
// again, and the model is told that they are in place.
func (r *Reply) Written() {
	if r.plan == nil || r.plan.Status == apply.Refused {
		return
	}
	var rest []parser.Block
	for i := range r.plan.Blocks {
		if b := &r.plan.Blocks[i]; b.Status == apply.BlockFailed {
			rest = append(rest, r.reply.Blocks[i])
		} else {
			r.reply.Made = append(r.reply.Made, retry.Edit{Block: r.reply.Blocks[i], File: b.Path, Made: true})
		}
	}
	r.reply.Blocks = rest
	blocks := slices.DeleteFunc(slices.Clone(r.plan.Blocks), func(b apply.BlockReport) bool { return b.Status != apply.BlockFailed })
	r.plan = &apply.Plan{Status: r.plan.Status, Blocks: blocks, Diagnostics: r.plan.Diagnostics}
}
