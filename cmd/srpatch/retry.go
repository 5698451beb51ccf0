package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/retry"
	"github.com/srpatch/srpatch/parser"
)

// past is the refused run that is retried.
type past struct {
	run  *refusedRun
	text []byte // as it was remembered
	// answered: there is an answer. Else the message for the model is printed.
	answered bool
	// joined is the reply with the blocks of the answer; empty without one.
	joined *retry.Answered
	// answer is the hash of the answer, replies are those of the replies for whose blocks those of the
	// joined one stand, by number.
	answer  string
	replies []string
	stands  map[int][]parser.Block
	// faults is how many of the diagnostics are those of the answer.
	faults int
}

// retry prints the message for the model about the run that was refused, or applies the answer to it.
func (c *command) retry(ctx context.Context) error {
	if c.forget {
		return c.forgetRefused(ctx)
	}
	err := c.recall()
	if err != nil {
		if c.json {
			return errors.Join(err, (&report.Run{Status: report.StatusError, Error: wireError(err)}).JSON(c.stdout))
		}
		return err
	}
	if c.past.answered {
		return c.place(ctx, !c.dryRun, c.dryRun)
	}
	c.feedback = !c.json
	return c.place(ctx, false, false)
}

// forgetRefused drops the refused run.
func (c *command) forgetRefused(ctx context.Context) (err error) {
	if len(c.args) > 0 {
		return usagef("retry --forget takes no answer")
	}
	if err := c.findRefused(); err != nil {
		return err
	}
	t, err := c.openTree(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if err := c.prepare(ctx, t, true); err != nil {
		return err
	}
	return t.Remember(nil)
}

// recall finds the refused run, and its flags.
func (c *command) recall() error {
	run, text, err := c.recalled()
	if err != nil {
		return err
	}
	answered, err := c.isAnswered()
	if err != nil {
		return err
	}
	if run == nil {
		return c.nothingToRetry(answered)
	}
	c.past = &past{run: run, text: text, answered: answered, joined: &retry.Answered{}}
	return c.holdFlags(run.Flags)
}

// isAnswered reports whether there is an answer: a file is named, or something else than blanks comes through a pipe.
func (c *command) isAnswered() (bool, error) {
	if len(c.args) > 0 || c.clipboard {
		return true, nil
	}
	if isTerminal(c.stdin) {
		return false, nil
	}
	in := bufio.NewReader(c.stdin)
	c.stdin = in
	for {
		r, _, err := in.ReadRune()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil || !unicode.IsSpace(r) {
			return true, errors.Join(err, in.UnreadRune())
		}
	}
}

// understood is the remembered reply, without what is written of it.
func (r *refusedRun) understood() *understood {
	u := &understood{names: r.Names, located: r.Located, hash: sha256.New()}
	u.Attempts = r.Attempts
	for i := range r.Blocks {
		if !r.isDone(r.Blocks[i].ID) {
			u.Blocks = append(u.Blocks, r.Blocks[i])
		}
	}
	for _, l := range r.Located {
		u.Diagnostics = append(u.Diagnostics, l.Diagnostic)
	}
	return u
}

// understandRetry reads the answer, if there is one, as a reply that the remembered one is to be joined with.
func (c *command) understandRetry() (*understood, error) {
	if !c.past.answered {
		return c.past.run.understood(), nil
	}
	u, err := c.readReplies()
	if err == nil && c.past.run.isEmpty() && len(u.Blocks)+len(u.Diagnostics) == 0 {
		err = c.errNoEdits(nil) // there is nothing to skip
	}
	if u != nil {
		c.past.answer, u.replies = u.sum(), nil
		fmt.Fprintf(u.hash, "\x00retry\x00%s", c.past.run.Reply)
		u.names = append(u.names, c.past.run.Names...)
	}
	return u, err
}

// join puts the blocks of the answer, which u holds, in the places of those that are refused in the tree as it is.
func (c *command) join(ctx context.Context, t *tree, u *understood) error {
	if now, err := t.Remembered(); err != nil || !bytes.Equal(now, c.past.text) {
		return errors.Join(err, &trouble{codeStale, errors.New("another run was made in the meantime; run srpatch retry again")})
	}
	old := c.past.run.understood()
	reply := retry.Reply{Blocks: old.Blocks, Made: c.past.run.made()}
	for _, l := range old.located {
		reply.Attempts = append(reply.Attempts, retry.Attempt{Line: l.Line, Path: l.Path, Text: l.Text})
	}
	joined, err := reply.Answer(u.Blocks, u.skips, func(blocks []parser.Block) (*apply.Plan, error) {
		return c.planOn(ctx, t, &parser.Reply{Blocks: blocks})
	})
	if err != nil {
		return err
	}
	c.past.joined = joined
	c.past.standFor(joined, u.Blocks)
	t.StandsFor(c.past.replies, c.past.stands)
	u.Blocks = joined.Blocks
	c.past.faults = len(u.located)
	var located []report.Located
	for _, i := range joined.Lost {
		located = append(located, old.located[i])
	}
	u.located = append(located, u.located...)
	u.Attempts = append(old.Attempts, u.Attempts...)
	u.Diagnostics = nil
	for _, l := range u.located {
		u.Diagnostics = append(u.Diagnostics, l.Diagnostic)
	}
	return nil
}

// made are the blocks that are written.
func (r *refusedRun) made() (out []retry.Edit) {
	for _, d := range r.Done {
		for i := range r.Blocks {
			if r.Blocks[i].ID == d.ID {
				out = append(out, retry.Edit{Block: r.Blocks[i], File: d.Path, Made: true})
			}
		}
	}
	return out
}

// standFor notes which blocks of the joined reply stand for those of the remembered one, of what that
// was put together from, and of the answer.
func (p *past) standFor(joined *retry.Answered, answer []parser.Block) {
	p.replies = append([]string{p.run.Reply, p.answer}, p.run.Replies...)
	p.stands = map[int][]parser.Block{}
	for _, b := range p.run.Blocks {
		id := cmp.Or(joined.Covered[b.ID], b.ID)
		p.stands[id] = append(append(p.stands[id], b), p.run.Stands[b.ID]...)
	}
	for _, b := range answer {
		id := joined.Said[b.ID]
		p.stands[id] = append(p.stands[id], b)
	}
}

// stillFails reports whether what is asked about is a run that was taken back because its command did not pass. Where its edits are in place by
// now, somebody has put them there.
func (p *past) stillFails(plan *apply.Plan) bool {
	return p.run.Verify.TookBack() && slices.ContainsFunc(plan.Blocks, func(b apply.BlockReport) bool { return b.Status == apply.BlockApplied })
}

// inPlace is how many blocks of the reply earlier runs have written.
func (p *past) inPlace() int { return len(p.run.Done) }
