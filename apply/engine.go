package apply

import (
	"cmp"
	"context"
	"fmt"

	"github.com/srpatch/srpatch/internal/charset"
	"github.com/srpatch/srpatch/parser"
)

// Engine makes plans for replies to the files of a tree. It keeps no state between plans. Several
// goroutines may use an engine at the same time if its tree allows that.
type Engine struct {
	tree   Tree
	opt    Options
	levels []level // the cascade
}

// New returns an engine that reads tree.
func New(tree Tree, opt Options) *Engine {
	if opt.ExactBytes {
		opt.Policy = Strict
	}
	opt.Policy, opt.Splice = cmp.Or(opt.Policy, Safe), cmp.Or(opt.Splice, ThreeWay)
	opt.Budget = cmp.Or(opt.Budget, DefaultBudget)
	opt.RunBudget = cmp.Or(opt.RunBudget, max(DefaultRunBudget, 8*opt.Budget))
	opt.Limits = opt.Limits.withDefaults()
	return &Engine{tree: tree, opt: opt, levels: cascade(&opt)}
}

// Plan finds a place for every block of reply and returns the resulting changes. A block that can't
// be placed gets a report with a reason; it isn't an error of Plan (see [Plan.Err]). The error is
// an [OptionError], or the context's error if the context has ended. The context is checked after
// each block, which takes at most a few tenths of a second with the default budget.
func (e *Engine) Plan(ctx context.Context, reply *parser.Reply) (*Plan, error) {
	_, plan, err := e.plan(ctx, reply)
	return plan, err
}

// plan is [Engine.Plan], but also returns the run that made the plan. It goes through three phases,
// each for all files: each block's file is found, then exact and normalized places are searched
// for, and then similar ones, and the blocks are applied.
func (e *Engine) plan(ctx context.Context, reply *parser.Reply) (*run, *Plan, error) {
	r := &run{engine: e, opt: &e.opt, files: map[string]*file{}}
	var err error
	if r.charset, err = e.opt.check(); err != nil {
		return nil, nil, err
	}
	for i := range reply.Blocks {
		b, err := withOp(&reply.Blocks[i])
		if err != nil {
			return nil, nil, err
		}
		r.items = append(r.items, newItem(b))
	}
	r.work = newAllowance(e.opt.RunBudget)
	r.fromTop = r.startsAtTop(reply.Blocks)
	for _, it := range r.items {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		r.bind(it)
	}
	for _, f := range r.order {
		if err := f.search(ctx); err != nil {
			return nil, nil, err
		}
	}
	r.work.searches = r.open() // these blocks share the budget for similar places
	for _, f := range r.order {
		if err := f.place(ctx); err != nil {
			return nil, nil, err
		}
	}
	r.lookElsewhere()
	plan := r.plan(reply.Diagnostics)
	plan.Work = r.work.spent(e.opt.RunBudget)
	return r, plan, nil
}

// withOp returns b with an operation. If a caller set none, it's OpCreate for a block with an empty
// SEARCH, and OpEdit otherwise.
func withOp(b *parser.Block) (*parser.Block, error) {
	switch b.Op {
	case parser.OpEdit, parser.OpCreate, parser.OpWrite, parser.OpAppend, parser.OpInsert,
		parser.OpDelete, parser.OpMove:
		return b, nil
	case "":
		said := *b
		if said.Op = parser.OpEdit; len(b.Search) == 0 {
			said.Op = parser.OpCreate
		}
		return &said, nil
	}
	return nil, &OptionError{"Block.Op", string(b.Op), fmt.Sprintf("of block %d is no operation", b.ID)}
}

// open returns how many blocks are still being searched for.
func (r *run) open() int {
	n := 0
	for _, it := range r.items {
		if !it.settled && it.found.isOpen() {
			n++
		}
	}
	return n
}

// run is the state of one plan.
type run struct {
	engine    *Engine
	opt       *Options
	charset   *charset.Charset // of [Options.Encoding], or nil
	items     []*item
	files     map[string]*file
	order     []*file // the files, in the order in which the reply first mentions them
	made      map[string]making
	work      *allowance
	added     int64      // bytes that blocks add to files, see Limits
	looked    int        // bytes of other files read to make suggestions
	suggested int        // unknown names for which similar ones were listed
	index     *pathIndex // see paths
	fromTop   bool       // see startsAtTop
}

// explains reports whether refusals should be explained. They aren't explained in a run that proves
// a corrected block, because the corrections that they offer would need a proof themselves.
func (r *run) explains() bool { return !r.opt.proof }

// status returns the status of the run once every block has its report. A block that failed, or a
// diagnostic, makes it refused or, with the option Partial and another block that didn't fail,
// partial. A run without blocks is refused, too.
func (r *run) status(diagnostics []parser.Diagnostic) Status {
	failed, good := len(diagnostics), 0
	for _, it := range r.items {
		if it.report.Status == BlockFailed {
			failed++
		} else {
			good++
		}
	}
	switch {
	case failed > 0 && r.opt.Partial && good > 0:
		return Partial
	case failed > 0 || len(r.items) == 0:
		return Refused
	}
	return Applied
}

// plan builds the plan from the reports and the files.
func (r *run) plan(diagnostics []parser.Diagnostic) *Plan {
	p := &Plan{Status: r.status(diagnostics), Diagnostics: diagnostics, Blocks: make([]BlockReport, 0, len(r.items))}
	if p.Status != Refused {
		for _, f := range r.order {
			if c, ok := f.changed(); ok {
				f.tellRanges(&c)
				p.Files = append(p.Files, c)
			}
		}
	}
	for _, it := range r.items {
		if p.Status == Refused && it.report.Status == BlockApplied {
			it.report.Status = BlockReady
		}
		if it.report.Warnings == nil {
			it.report.Warnings = []string{}
		}
		p.Blocks = append(p.Blocks, it.report)
	}
	r.check(p)
	return p
}
