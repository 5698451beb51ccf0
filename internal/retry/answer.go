package retry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
)

// Reply is what is known of a reply of which a part was refused.
type Reply struct {
	// Blocks are those that are still to be made, Made those that are written.
	Blocks   []parser.Block
	Made     []Edit
	Attempts []Attempt
}

// Answered is a reply with the blocks of an answer in their places.
type Answered struct {
	Blocks []parser.Block
	// Notes say of blocks, by number, what the answer has to do with them.
	Notes map[int]string
	// Lost are the indices of the attempts for which the answer has no block.
	Lost []int
	// Open is for how many refused blocks and attempts it has none.
	Open int
	// Said are, by the numbers of the answer's blocks, those of the blocks that they are, or repeat, and Covered, by the numbers of blocks that
	// others replace along with their own, those of the others.
	Said, Covered map[int]int
	// Skipped says what the answer gave up.
	Skipped []string
	// Moved says that some block of the answer is for what was refused, that it gives something up, or that the reply had no edit.
	Moved bool
}

// Answer puts the blocks of an answer in the places of those that are refused in the tree as it is. plan makes a plan of some blocks by
// themselves.
func (r *Reply) Answer(answer []parser.Block, skips Skips, plan func([]parser.Block) (*apply.Plan, error)) (*Answered, error) {
	a := &Answered{Notes: map[int]string{}, Said: map[int]int{}, Covered: map[int]int{}}
	a.Moved = len(r.Blocks)+len(r.Attempts) == 0
	left, attempts, index := r.without(skips, a)
	reply, err := edits(left, plan)
	if err != nil {
		return nil, err
	}
	said, err := edits(answer, plan)
	if err != nil {
		return nil, err
	}
	for i := range reply {
		reply[i].Refused = reply[i].Refused || reply[i].File == ""
	}
	uses := Match(slices.Concat(reply, r.Made), attempts, said)
	next := 1
	for i := range r.Blocks {
		next = max(next, r.Blocks[i].ID+1)
	}
	for i := range r.Made {
		next = max(next, r.Made[i].Block.ID+1)
	}
	joined := Join(reply, attempts, said, uses, next)
	a.Blocks = joined.Blocks
	a.explain(reply, uses, joined.IDs)
	for i, use := range uses {
		id := joined.IDs[i]
		if use.How == Repeats && use.Of < len(reply) {
			id = reply[use.Of].Block.ID
		}
		if id > 0 {
			a.Said[said[i].Block.ID] = id
		}
		for _, covered := range use.Covers {
			a.Covered[reply[covered].Block.ID] = id
		}
	}
	blocks, lost := Unanswered(reply, len(attempts), uses)
	for _, i := range blocks {
		id := reply[i].Block.ID
		a.Notes[id] = warning.Unanswered.Say("the answer has no block for this one, and no line \"skip block %d\"", id)
	}
	for _, i := range lost {
		a.Lost = append(a.Lost, index[i])
	}
	a.Open = len(blocks) + len(lost)
	return a, nil
}

// edits are blocks with what becomes of them in the tree when nothing but they is applied.
func edits(blocks []parser.Block, planned func([]parser.Block) (*apply.Plan, error)) ([]Edit, error) {
	plan, err := planned(blocks)
	if err != nil {
		return nil, err
	}
	out := make([]Edit, len(blocks))
	for i := range blocks {
		r := &plan.Blocks[i]
		out[i] = Edit{Block: blocks[i], File: r.Path, Refused: r.Status == apply.BlockFailed, Overlap: r.Reason == apply.Overlap, Made: r.Status == apply.BlockAlready, Lines: r.Lines}
		out[i].Whole = !r.Appended && (blocks[i].Op == parser.OpCreate || blocks[i].Op == parser.OpWrite)
		if r.Reason == apply.NoSuchFile || r.Reason == apply.OutsideRoot {
			out[i].File = ""
		}
	}
	return out, nil
}

// explain notes what the answer has to do with the blocks; ids are the numbers that those of the answer got.
func (a *Answered) explain(reply []Edit, uses []Use, ids []int) {
	for i, use := range uses {
		a.Moved = a.Moved || use.How == Corrects || use.How == ByOrder || len(use.Covers) > 0
		switch {
		case len(use.Covers) > 0:
			var covered []string
			for _, i := range use.Covers {
				covered = append(covered, fmt.Sprint(reply[i].Block.ID))
			}
			a.Notes[ids[i]] = warning.Rewritten.Say("the answer also changes what block %s of the reply changes, and replaces it", strings.Join(covered, ", "))
		case use.How == Rewrites:
			a.Notes[ids[i]] = warning.Rewritten.Say("the answer changes these lines differently from the reply, and replaces that change")
		case use.How == ByOrder:
			a.Notes[ids[i]] = warning.ByOrder.Say("only its position shows which block this block of the answer corrects")
		}
	}
}

// Note adds to reports what the answer has to do with their blocks.
func (a *Answered) Note(reports []apply.BlockReport) {
	for i := range reports {
		if note := a.Notes[reports[i].ID]; note != "" {
			reports[i].Warnings = append(reports[i].Warnings, note)
		}
	}
}

// ToAsk drops of what is asked next the attempts of the answer itself, which come last, faults of them: they are for what the answer has no
// block for, which is asked already.
func ToAsk[T any](asked []T, faults, open int) []T {
	own := len(asked) - faults
	return slices.Concat(asked[:own], asked[own+min(faults, open):])
}
