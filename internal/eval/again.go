package eval

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/parser"
)

// Fault says what is wrong with a second run of a reply that was applied.
type Fault string

const (
	// Changed: the second run changed a file.
	Changed Fault = "changed"
	// RefusedAgain: it refused a block that the first had applied.
	RefusedAgain Fault = "refused"
	// Otherwise: applying one block and then the whole reply gave other files than the whole reply
	// at once.
	Otherwise Fault = "otherwise"
	// LeftOut: after one block was applied, the whole reply refused a block that the whole reply at
	// once applied.
	LeftOut Fault = "left out"
)

// What is run twice: the whole reply, its good blocks, or one block followed by the whole reply.
const (
	stepWhole   = "whole"
	stepPartial = "partial"
	stepOnly    = "only"
	stepThen    = "only, then whole"
)

// Again has the results of second runs.
type Again struct {
	runs  map[string]int    // by step
	found map[stepFault]int // how many of them had a fault
	lock  sync.Mutex        // guards these
	list  strings.Builder
}

type stepFault struct {
	step  string
	fault Fault
}

// Twice runs each request a second time on its own result, without a journal, as `srpatch filter`
// does.
func Twice(ctx context.Context, qs []*Question) (*Again, error) {
	a := &Again{runs: map[string]int{}, found: map[stepFault]int{}}
	lists := make([]strings.Builder, len(qs))
	err := Each(ctx, len(qs), func(i int) error { return a.add(ctx, qs[i], &lists[i]) })
	for i := range lists {
		a.list.WriteString(lists[i].String())
	}
	return a, err
}

// add tries the whole reply, its good blocks, and, if there are several blocks, each one alone.
func (a *Again) add(ctx context.Context, q *Question, list *strings.Builder) error {
	reply := q.parsed()
	start := func() *rerun { return &rerun{q, reply, q.Files} }
	repeat := func(r *rerun, step string, only int, partial bool) (first ran, err error) {
		if first, err = r.run(ctx, only, partial); err != nil || !first.written {
			return first, err
		}
		second, err := r.run(ctx, only, partial)
		if err == nil {
			a.compare(list, q, step, only, first, second)
		}
		return first, err
	}
	if _, err := repeat(start(), stepWhole, 0, q.Partial); err != nil {
		return err
	}
	whole, err := repeat(start(), stepPartial, 0, true)
	if err != nil || len(whole.blocks) < 2 {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(whole.blocks)) {
		r := start()
		first, err := repeat(r, stepOnly, id, false)
		if err != nil {
			return err
		}
		if !first.written {
			continue
		}
		then, err := r.run(ctx, 0, true)
		if err != nil {
			return err
		}
		a.compare(list, q, stepThen, id, whole, then)
	}
	return nil
}

// compare counts a second run, and what is wrong with it.
func (a *Again) compare(list *strings.Builder, q *Question, step string, block int, first, second ran) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.runs[step]++
	sameFiles := maps.Equal(first.files, second.files)
	ids := slices.Sorted(maps.Keys(first.blocks))
	lost := slices.DeleteFunc(slices.Clone(ids), func(id int) bool {
		return !good(first.blocks[id]) || good(second.blocks[id])
	})
	var fault Fault
	switch {
	case step != stepThen && !sameFiles:
		fault = Changed
	case step != stepThen && len(lost) > 0:
		fault, ids = RefusedAgain, lost
	case len(lost) > 0:
		fault, ids = LeftOut, lost
	case !sameFiles:
		fault, ids = Otherwise, []int{block}
	default:
		return
	}
	a.found[stepFault{step, fault}]++
	if block > 0 {
		step = fmt.Sprintf("block %d, %s", block, step)
	}
	fmt.Fprintf(list, "%s: %s: %s\n", q.ID, step, fault)
	for _, id := range ids {
		fmt.Fprintf(list, "  block %d: %s -> %s\n", id, note(first.blocks[id]), note(second.blocks[id]))
	}
}

// good reports whether the block's result is in the files.
func good(b apply.BlockReport) bool {
	return b.Status != "" && b.Status != apply.BlockFailed && b.Status != apply.BlockReady
}

func note(b apply.BlockReport) string {
	if b.Reason != "" {
		return string(b.Reason) + ": " + b.Message
	}
	return string(b.Status) + " " + b.Strategy
}

// Write lists the faults, and counts them in a table under a title.
func (a *Again) Write(w io.Writer, title string) error {
	fmt.Fprintf(&a.list, "%s\n%-18s %8s", title, "", "runs")
	faults := []Fault{Changed, RefusedAgain, Otherwise, LeftOut}
	for _, f := range faults {
		fmt.Fprintf(&a.list, " %9s", f)
	}
	for _, step := range []string{stepWhole, stepPartial, stepOnly, stepThen} {
		fmt.Fprintf(&a.list, "\n%-18s %8d", step, a.runs[step])
		for _, f := range faults {
			fmt.Fprintf(&a.list, " %9d", a.found[stepFault{step, f}])
		}
	}
	_, err := io.WriteString(w, a.list.String()+"\n")
	return err
}

// rerun runs a reply, or one of its blocks, on the files that earlier runs left.
type rerun struct {
	*Question
	reply *parser.Reply
	files map[string]string
}

// ran is the outcome of one run: the blocks by number, and the files after it.
type ran struct {
	written bool
	blocks  map[int]apply.BlockReport
	files   map[string]string
}

// run applies one block by its number, or all if only is 0.
func (r *rerun) run(ctx context.Context, only int, partial bool) (ran, error) {
	reply := r.reply
	if only > 0 {
		other := func(b parser.Block) bool { return b.ID != only }
		reply = &parser.Reply{Blocks: slices.DeleteFunc(slices.Clone(r.reply.Blocks), other)}
	}
	c := &Case{Path: r.Path, Files: r.files}
	opt := r.Options
	opt.Partial = partial
	plan, err := planOf(ctx, c, opt, reply)
	if err != nil {
		return ran{}, err
	}
	out := ran{written: plan.Status != apply.Refused, blocks: map[int]apply.BlockReport{}}
	for _, b := range plan.Blocks {
		out.blocks[b.ID] = b
	}
	if out.written {
		r.files = filesAfter(c, plan)
	}
	out.files = r.files
	return out, nil
}
