package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/parser"
)

// past is the refused run that is retried.
type past struct {
	*memory
	text []byte // as it was remembered
	// answered is set if there is an answer. Otherwise the message for the model is printed.
	answered bool
	// skipped has a sentence about each edit that the answer gives up. corrects is set if the
	// answer corrects or skips a refused edit; see [retry.Answered]. before are the numbers of the
	// blocks before the answer, or nil if there is none.
	skipped  []string
	corrects bool
	before   map[int]bool
}

// isAbout reports whether the answer is about the refused run: it corrects or skips an edit of that
// run, or adds a block that has a place in a file. plan is that of the reply and the answer.
func (p *past) isAbout(plan *apply.Plan) bool {
	return p.corrects || slices.ContainsFunc(plan.Blocks, func(b apply.BlockReport) bool {
		isNew := p.before != nil && !p.before[b.ID]
		return isNew && b.Status == apply.BlockReady && b.Lines != nil
	})
}

// retry prints the message for the model about the run that was refused, or applies the answer to
// it. With --forget it drops that run.
func (c *command) retry(ctx context.Context) error {
	if c.forget {
		return c.forgetRefused(ctx)
	}
	err := c.recall() // sets c.past
	if err == nil && c.copy && (c.past.answered || c.json) {
		err = usagef("retry --copy takes no answer, and does not go with --json")
	}
	if err != nil {
		if c.json {
			failed := &report.Run{Status: report.StatusError, Error: wireError(err)}
			return errors.Join(err, report.JSON(c.stdout, failed))
		}
		return err
	}
	c.feedback = c.feedback || !c.past.answered && !c.json // JSON has the message in a field
	return c.place(ctx)
}

// forgetRefused drops the refused run.
func (c *command) forgetRefused(ctx context.Context) (err error) {
	if len(c.args) > 0 {
		return usagef("retry --forget takes no answer")
	}
	t, err := c.openTree(nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	if err := c.prepare(ctx, t, true /* write */); err != nil {
		return err
	}
	return t.Remember(nil) // nothing
}

// recall finds the refused run, sets c.past, and sets the flags that the run had. It's an error if
// there is no refused run.
func (c *command) recall() error {
	p, err := c.loadRefused()
	if err != nil {
		return err
	}
	if p == nil {
		return codef(failure.NothingToRetry,
			"no refused run is remembered for this tree; to apply a reply, leave out retry")
	}
	if p.answered, err = c.hasInput(); err != nil { // the input of a retry is the answer
		return err
	}
	return c.holdFlags(p)
}

// loadRefused returns the refused run of the tree, or nil if there is none.
func (c *command) loadRefused() (p *past, err error) {
	t, err := c.openTree(nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	m, text, err := t.refused()
	if m == nil {
		return nil, err
	}
	return &past{memory: m, text: text}, nil
}

// hasInput reports whether there is a reply or an answer: a file or the clipboard is named, or a
// pipe contains more than blanks. To find out, it skips the blanks at the start of c.stdin, and
// replaces that by a reader of the rest.
func (c *input) hasInput() (bool, error) {
	if len(c.args) > 0 || c.clipboard {
		return true, nil
	}
	if isTerminal(c.stdin) {
		return false, nil
	}
	in := bufio.NewReader(c.stdin)
	c.stdin = in // also has the rune that is unread below
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

// understandRetry returns the remembered reply, joined with the answer if there is one. The hash
// and the names are those of the reply and all its answers. Noticed is about the answer alone. It
// adds the hash of the answer to c.past.Hashes.
func (c *input) understandRetry() (u *understood, err error) {
	u = &understood{}
	if c.past.answered {
		if u, err = c.readReplies(); err != nil { // also joins the answer with c.past.Reply
			return u, err
		}
		c.past.Hashes = append(c.past.Hashes, append(u.replies, u.hash)...)
		u.replies = nil // startRetry passes on all of c.past.Hashes
	}
	noticed := u.Noticed
	u.Reply, u.located = *c.past.Reply.Parsed(), c.past.Reply.Attempts
	u.hash = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, "retry", c.past.Hashes)))
	if u.names = append(u.names, c.past.Names...); c.past.answered {
		u.Noticed = noticed
	}
	return u, nil
}

// join joins one of the answers with the remembered reply, and records in p which blocks the reply
// had before, what the answer skips, and whether it's about the refused run. name is the file of
// the answer. hasEdits is false if the answer has neither an edit nor anything to skip.
func (p *past) join(name string, answer *parser.Reply, text []byte) (hasEdits bool) {
	if p.before == nil {
		p.before = map[int]bool{}
		for _, b := range slices.Concat(p.Reply.Blocks, p.Reply.Made) {
			p.before[b.ID] = true
		}
	}
	canSkip := !p.isEmpty()
	joined, err := p.Reply.Join(name, answer, text)
	if err != nil { // apply.ErrNoEdits is the only error
		return false
	}
	if len(answer.Blocks)+len(answer.Diagnostics) == 0 && !canSkip { // just "skip block 2"
		return false
	}
	p.skipped, p.corrects = append(p.skipped, joined.Skipped...), p.corrects || joined.Moved
	return true
}

// startRetry prepares to write a reply that was joined with an answer. It tells t which blocks the
// answer has replaced, so that a later run of the reply knows that these are applied. It fails if
// another run has changed what is remembered.
func (c *command) startRetry(t *tree) error {
	if now, err := t.Remembered(); err != nil || !bytes.Equal(now, c.past.text) {
		return errors.Join(err, codef(failure.Stale,
			"there has been another run in the meantime; run srpatch retry again"))
	}
	replaced := map[int][]parser.Block{} // earlier versions, by the number of the block
	for _, b := range c.past.Reply.Before {
		replaced[b.ID] = append(replaced[b.ID], b)
	}
	t.StandsFor(c.past.Hashes, replaced)
	return nil
}

// stillFails reports whether the remembered run was rolled back because its --verify command
// failed, and some block of plan would be applied again. Otherwise nothing would fail, for example
// because somebody has applied the blocks since.
func (p *past) stillFails(plan *apply.Plan) bool {
	return p.Verify.TookBack() && slices.ContainsFunc(plan.Blocks, func(b apply.BlockReport) bool {
		return b.Status == apply.BlockApplied
	})
}

// isEmpty reports whether what is remembered is a reply without edits.
func (m *memory) isEmpty() bool {
	return len(m.Reply.Blocks)+len(m.Reply.Made)+len(m.Reply.Attempts) == 0
}

// retryable reports whether a flag of a run still applies to its retry, because it's about places
// (such as --policy) or about what is written. Flags of all placing verbs are about places, unless
// parse or log has them, too, such as --last and --directory.
func retryable(f *flagDef) bool {
	isAboutPlaces := f.verbs&vPlacing == vPlacing && f.verbs&(vParse|vLog) == 0
	return isAboutPlaces || f.name == "verify" || f.name == "commit"
}
