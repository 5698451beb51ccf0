package eval

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Again is what a second run of a reply did although the first had applied it.
type Again struct {
	// ID is that of the request, Step what was run before and again, and Block, unless it is 0, the one block of it.
	ID, Step string
	Block    int
	// Fault is one of the constants below.
	Fault Fault
	// Note is for people: what the blocks came to.
	Note string
}

// Fault is a kind of [Again].
type Fault string

const (
	// Changed: the second run changed a file.
	Changed Fault = "changed"
	// RefusedAgain: it refused a block that the first had applied.
	RefusedAgain Fault = "refused"
	// Otherwise: a block first, and then the whole reply, gave other files than the whole reply at once.
	Otherwise Fault = "otherwise"
	// LeftOut: a block first, and then the whole reply, refused a block that the whole reply at once applied.
	LeftOut Fault = "left out"
)

// Steps are what [Twice] runs twice, as they are counted.
const (
	stepWhole   = "whole"
	stepPartial = "partial"
	stepOnly    = "only"
	stepThen    = "only, then whole"
)

// ran is the outcome of one run.
type ran struct {
	// written says that the run was not refused as a whole.
	written bool
	blocks  map[int]blockOutcome
	files   map[string]string // after it
}

// blockOutcome is what became of a block.
type blockOutcome struct{ status, note string }

// good reports whether the block's result is in the files.
func (b blockOutcome) good() bool {
	return b.status != "" && b.status != "failed" && b.status != "ready"
}

// applier runs one reply, or one of its blocks, on the files as the runs before left them.
type applier interface {
	// run applies the block with the number only, or all for 0.
	run(ctx context.Context, only int, partial bool) (ran, error)
	close() error
}

// Twice counts what second runs do.
type Twice struct {
	// Runs counts the second runs by step.
	Runs  map[string]int
	Found []Again
}

// TwiceInMemory runs each request a second time on its own result, without a journal, as `srpatch filter` would.
func TwiceInMemory(ctx context.Context, qs []*Question) (*Twice, error) {
	return twice(ctx, qs, func(q *Question) (applier, error) { return newInMemory(q), nil })
}

// TwiceOnDisk does the same with the command binary, in folders of its own below dir, with a journal.
func TwiceOnDisk(ctx context.Context, qs []*Question, binary, dir string) (*Twice, error) {
	return twice(ctx, qs, func(q *Question) (applier, error) { return newOnDisk(q, binary, dir) })
}

func twice(ctx context.Context, qs []*Question, open func(*Question) (applier, error)) (*Twice, error) {
	all := make([]*Twice, len(qs))
	errs := make([]error, len(qs))
	each(ctx, len(qs), func(i int) {
		t := &trials{ctx: ctx, q: qs[i], open: open, out: &Twice{Runs: map[string]int{}}}
		all[i] = t.out
		if err := t.all(); err != nil {
			errs[i] = fmt.Errorf("request %s: %w", qs[i].ID, err)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sum := &Twice{Runs: map[string]int{}}
	for i, t := range all {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for step, n := range t.Runs {
			sum.Runs[step] += n
		}
		sum.Found = append(sum.Found, t.Found...)
	}
	return sum, nil
}

// trials are the second runs of one request.
type trials struct {
	ctx  context.Context
	q    *Question
	open func(*Question) (applier, error)
	out  *Twice
}

// all tries the whole reply, its good blocks, and each block by itself.
func (t *trials) all() error {
	if _, err := t.again(stepWhole, 0, t.q.Partial); err != nil {
		return err
	}
	whole, err := t.again(stepPartial, 0, true)
	if err != nil || len(whole.blocks) < 2 {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(whole.blocks)) {
		if err := t.only(id, whole); err != nil {
			return err
		}
	}
	return nil
}

// again runs the reply twice from the files as they were, and compares.
func (t *trials) again(step string, only int, partial bool) (first ran, err error) {
	a, err := t.open(t.q)
	if err != nil {
		return first, err
	}
	defer func() { err = closing(a, err) }()
	if first, err = a.run(t.ctx, only, partial); err != nil || !first.written {
		return first, err
	}
	return first, t.once(a, step, only, partial, first)
}

// once runs what gave first once more, and compares.
func (t *trials) once(a applier, step string, only int, partial bool, first ran) error {
	second, err := a.run(t.ctx, only, partial)
	if err != nil {
		return err
	}
	t.count(step)
	switch lost := lost(first, second); {
	case !maps.Equal(first.files, second.files):
		t.found(step, only, Changed, notes(first, second, slices.Sorted(maps.Keys(first.blocks))))
	case len(lost) > 0:
		t.found(step, only, RefusedAgain, notes(first, second, lost))
	}
	return nil
}

// only applies one block, once more, and then the whole reply, which is to give what it gives at once.
func (t *trials) only(id int, whole ran) (err error) {
	a, err := t.open(t.q)
	if err != nil {
		return err
	}
	defer func() { err = closing(a, err) }()
	first, err := a.run(t.ctx, id, false)
	if err != nil || !first.written {
		return err
	}
	if err := t.once(a, stepOnly, id, false, first); err != nil {
		return err
	}
	then, err := a.run(t.ctx, 0, true)
	if err != nil {
		return err
	}
	t.count(stepThen)
	switch lost := lost(whole, then); {
	case len(lost) > 0:
		t.found(stepThen, id, LeftOut, notes(whole, then, lost))
	case !maps.Equal(whole.files, then.files):
		t.found(stepThen, id, Otherwise, notes(whole, then, []int{id}))
	}
	return nil
}

func closing(a applier, err error) error {
	if e := a.close(); err == nil {
		err = e
	}
	return err
}

func (t *trials) count(step string) { t.out.Runs[step]++ }

func (t *trials) found(step string, only int, fault Fault, note string) {
	t.out.Found = append(t.out.Found, Again{ID: t.q.ID, Step: step, Block: only, Fault: fault, Note: note})
}

// lost are the blocks that were good and are no longer.
func lost(before, after ran) (ids []int) {
	for _, id := range slices.Sorted(maps.Keys(before.blocks)) {
		if before.blocks[id].good() && !after.blocks[id].good() {
			ids = append(ids, id)
		}
	}
	return ids
}

// notes say what became of some blocks, before and after.
func notes(before, after ran, ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		fmt.Fprintf(&b, "  block %d: %s -> %s\n", id, before.blocks[id].note, after.blocks[id].note)
	}
	return b.String()
}
