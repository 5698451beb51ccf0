package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/warning"
	"github.com/srpatch/srpatch/parser"
)

// choose asks about blocks, and leaves in u what is to be applied, as it is to be applied. What a person has turned down is not there
// any more, so that it is no refusal either. Nothing is written here.
func (c *command) choose(ctx context.Context, t *tree, u *understood) error {
	planning := *c
	planning.partial = true // so that those are placed, too, that come after one without a place
	a := &asking{command: c, parent: ctx, plan: func(ctx context.Context, blocks []parser.Block) (*apply.Plan, error) {
		return planning.planOn(ctx, t, &parser.Reply{Blocks: blocks})
	}}
	a.listen()
	defer a.close()
	for _, b := range u.Blocks {
		a.choices = append(a.choices, choice{block: b})
	}
	if err := a.look(); err != nil {
		return err
	}
	refused := len(u.Diagnostics) > 0 || slices.ContainsFunc(a.choices, choice.isRefused)
	if c.confirm && refused && !c.partial {
		return nil // the run is refused whatever is answered
	}
	if len(u.Diagnostics) > 0 && !c.partial {
		goOn, err := a.withoutUnread(u)
		if err != nil || !goOn {
			return err
		}
		u.Diagnostics, u.Attempts, u.located = nil, nil, nil
	}
	if err := a.askAll(); err != nil {
		return err
	}
	u.Blocks, u.leftOut = a.blocks(), a.leftOut()
	return nil
}

// choice is a block of the reply and what is to become of it.
type choice struct {
	// block is as it would be applied: as the reply has it, or corrected, or edited.
	block parser.Block
	// answer is that to the block as a whole.
	answer decision
	// parts are the answers to its hunks, if the block was split.
	parts []decision
	// report says what became of the block when all was placed that has not been turned down.
	report apply.BlockReport
}

// decision is what was said to a question.
type decision int

const (
	undecided decision = iota
	yes
	no
)

func (c choice) isRefused() bool { return c.report.Status == apply.BlockFailed }

// comesFirst reports whether the block is refused whatever is said about the others. One of two alternatives is chosen in their order.
func (c choice) comesFirst() bool { return c.isRefused() && c.report.Reason != apply.Overlap }

// isTolerant reports whether the block was placed where the file does not have SEARCH as it is.
func (c choice) isTolerant() bool {
	return len(c.report.Forgiven) > 0 || c.report.Strategy != "" && c.report.Strategy != "exact"
}

// isAsked reports whether there is something to ask about the block at all.
func (a *asking) isAsked(c *choice) bool {
	switch c.report.Status {
	case apply.BlockApplied:
		return !a.confirm || c.isTolerant()
	case apply.BlockFailed:
		// With --partial a refusal holds nothing back.
		return !a.partial || !a.confirm && len(c.corrections()) > 0
	}
	return false
}

// corrections are the blocks that the refusal offers instead of this one.
func (c *choice) corrections() (all []parser.Block) {
	for _, text := range c.report.Corrected {
		if b, err := c.instead([]byte(text)); err == nil {
			all = append(all, b)
		}
	}
	return all
}

// blocks are those that were not turned down, without the hunks that were.
func (a *asking) blocks() (all []parser.Block) {
	for i := range a.choices {
		c := &a.choices[i]
		if c.answer == no {
			continue
		}
		b := c.block
		if c.parts != nil {
			b = withHunks(b, hunksOf(&b), func(hunk int) bool { return c.parts[hunk] != no })
		}
		all = append(all, b)
	}
	return all
}

// leftOut says of the blocks that were split, by number, which hunks were turned down.
func (a *asking) leftOut() map[int]string {
	said := map[int]string{}
	for i := range a.choices {
		c := &a.choices[i]
		var out []string
		for hunk, answer := range c.parts {
			if answer == no {
				out = append(out, strconv.Itoa(hunk+1))
			}
		}
		switch len(out) {
		case 0:
		case 1:
			said[c.block.ID] = warning.LeftOut.Say("hunk %s of %d, as you answered", out[0], len(c.parts))
		default:
			said[c.block.ID] = warning.LeftOut.Say("hunks %s of %d, as you answered", strings.Join(out, ", "), len(c.parts))
		}
	}
	return said
}

// noteLeftOut adds that to the reports.
func noteLeftOut(blocks []apply.BlockReport, notes map[int]string) {
	for i := range blocks {
		if note := notes[blocks[i].ID]; note != "" {
			blocks[i].Warnings = append(blocks[i].Warnings, note)
		}
	}
}

// withoutUnread asks whether to go on although there are edits that were not understood.
func (a *asking) withoutUnread(u *understood) (bool, error) {
	errs := a.printer(a.stderr)
	(&report.Run{Located: u.located}).Text(errs, errs, report.Quiet)
	for {
		switch answer, err := a.answered("The part above was not understood. Continue without it [y,n]? "); {
		case err != nil:
			return false, err
		case answer == "y", answer == "yes":
			return true, nil
		case answer == "n", answer == "no", answer == "q":
			return false, nil
		}
	}
}
