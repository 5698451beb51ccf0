package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"path/filepath"
	"slices"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/internal/diagnosis"
	"github.com/srpatch/srpatch/internal/failure"
	"github.com/srpatch/srpatch/parser"
)

// memory is what is remembered of a run that was refused, fully or in part. docs/journal.md
// describes the file.
type memory struct {
	Version int          `json:"version"`
	Reply   *retry.Reply `json:"reply"`
	// Hashes are of what was read for it, answers included.
	Hashes []string `json:"hashes"`
	// Names are the files that the reply came from, absolute.
	Names []string `json:"names,omitempty"`
	// Flags are the values of the flags that hold for the retry.
	Flags map[string]json.RawMessage `json:"flags"`
	// Runs are those that have written some of its blocks.
	Runs []string `json:"runs,omitempty"`
	// Ambiguous are the blocks that fitted several places, and their files.
	Ambiguous map[int]string `json:"ambiguous,omitempty"`
	// Verify is what the command of --verify came to, where the run was rolled back for it.
	Verify *report.Verify `json:"verify,omitempty"`
	// Told says that another run has named this one.
	Told bool `json:"told,omitempty"`
}

const memoryVersion = 1

// WasAmbiguous implements [apply.Witness]: the refused run that is remembered tells it as well,
// whoever has changed the file since.
func (t *tree) WasAmbiguous(path string, search []byte) bool {
	m := t.remembered()
	return t.Workspace.WasAmbiguous(path, search) ||
		m != nil && slices.ContainsFunc(m.Reply.Blocks, func(b parser.Block) bool {
			return m.Ambiguous[b.ID] == path &&
				bytes.Equal(bytes.TrimSpace(b.Search), bytes.TrimSpace(search))
		})
}

// remembered returns the refused run of the tree; nil for none that can be read.
func (t *tree) remembered() *memory {
	m := &memory{}
	text, err := t.Remembered()
	if err != nil || text == nil || json.Unmarshal(text, m) != nil || m.Reply == nil {
		return nil
	}
	return m
}

// forgetUndone forgets the refused run if the run that is undone wrote a part of it: whoever undoes
// that begins anew.
func (t *tree) forgetUndone(run string) error {
	if m := t.remembered(); m == nil || !slices.Contains(m.Runs, run) {
		return nil
	}
	return t.Remember(nil)
}

// heldFlags returns the values of the flags that hold for a retry.
func (c *invocation) heldFlags() (map[string]json.RawMessage, error) {
	held := map[string]json.RawMessage{}
	for f := range flags(&c.config) {
		if !retryable(&f) || !c.given[f.name] {
			continue
		}
		value, err := json.Marshal(f.target)
		if err != nil {
			return nil, err
		}
		held[f.name] = value
	}
	return held, nil
}

// holdFlags sets the flags that the remembered run had and this command line does not give anew.
func (c *invocation) holdFlags(held map[string]json.RawMessage) error {
	for f := range flags(&c.config) {
		value, ok := held[f.name]
		if !ok || !retryable(&f) {
			continue
		}
		delete(held, f.name)
		if c.given[f.name] {
			continue
		}
		denied := slices.Clone(c.deny) // which Unmarshal may write over
		if err := json.Unmarshal(value, f.target); err != nil {
			return fmt.Errorf("--%s of the refused run: %w", f.name, err)
		}
		if f.name == "deny" { // what the file of flags denies stays denied
			c.deny = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.deny, denied))))
		}
		c.given[f.name] = true
	}
	for name := range held {
		return fmt.Errorf("the refused run had --%s, which is unknown here; apply the reply again",
			name)
	}
	return c.validate()
}

// settleMemory remembers a run that was refused, fully or in part, for its retry, and forgets one
// that is done. It reports whether there is something to retry.
func (c *command) settleMemory(t *tree, u *understood, plan *apply.Plan, done *report.Run) bool {
	if c.noJournal {
		return false
	}
	var err error
	switch {
	case plan.Status == apply.Refused && c.past != nil && !c.past.isAbout(plan) && c.past.Verify == nil &&
		done.Verify == nil: // the answer was about something else, and what is remembered stays
	case plan.Status != apply.Applied:
		err = c.remember(t, u, plan, done)
	case c.past != nil:
		err = t.Remember(nil)
	default:
		err = c.leaveMemory(t, u, plan, done.Run)
	}
	if err != nil {
		says := report.Clean(diagnosis.Words(err))
		fmt.Fprintf(c.stderr, "srpatch: the run cannot be retried: %s\n", says)
	}
	return err == nil && plan.Status != apply.Applied
}

// leaveMemory forgets the refused run of a reply that is applied now, even if its file was edited
// since, and a reply without edits. If another refused reply for the same file is waiting, it says
// so once: models often send only their corrections, and without retry the other edits are lost. If
// the user has chosen some blocks of the refused reply, only those are done.
func (c *command) leaveMemory(t *tree, u *understood, plan *apply.Plan, run string) error {
	known := t.remembered()
	switch {
	case known == nil:
		return nil
	case len(c.only) == 0 && !c.interactive:
	case run == "" || !slices.Contains(known.Hashes, u.sum()):
		return nil // whoever retries is told
	case !known.Reply.WroteBlocks(u.Blocks):
		known.Runs = append(known.Runs, run)
		return known.store(t)
	default:
		return t.Remember(nil)
	}
	if slices.Contains(known.Hashes, u.sum()) || known.isEmpty() ||
		len(known.Names) > 0 && slices.Equal(known.Names, absolute(u.names)) {
		return t.Remember(nil)
	}
	same := func(b apply.BlockReport) bool {
		return slices.ContainsFunc(known.Reply.Blocks, func(k parser.Block) bool {
			return k.Path == b.Path
		})
	}
	if known.Told || c.quiet || !slices.ContainsFunc(plan.Blocks, same) {
		return nil
	}
	fmt.Fprintf(c.stderr, "srpatch: an earlier reply for the same files was refused; "+
		"if this one answers it, srpatch retry%[1]s FILE applies both together "+
		"(srpatch retry%[1]s --forget drops the earlier one)\n", c.inTree())
	known.Told = true
	return known.store(t)
}

// remember keeps a run for its retry: the reply, its flags and blocks, and which of them are
// written. If this run is itself a retry, it keeps the first reply, which now includes the answer's
// blocks, and the first run's names for it. Tries that only repeated a failed one are dropped.
func (c *command) remember(t *tree, u *understood, plan *apply.Plan, done *report.Run) (err error) {
	m := memory{Hashes: append(u.replies, u.sum()), Names: absolute(u.names), Verify: done.Verify}
	if m.Reply = retry.From(&u.Reply, u.located); c.past != nil {
		m.Reply, m.Hashes, m.Runs = c.past.Reply, c.past.Hashes, c.past.Runs
	}
	if m.Flags, err = c.heldFlags(); err != nil {
		return err
	}
	m.Reply.Blocks, m.Ambiguous = nil, map[int]string{}
	for i := range plan.Blocks { // those that were declined one by one are not among them
		b := &plan.Blocks[i]
		m.Reply.Blocks = append(m.Reply.Blocks, *b.Block)
		if b.Reason == apply.Ambiguous {
			m.Ambiguous[b.ID] = b.Path
		}
	}
	if c.past == nil {
		m.Reply.Planned(plan)
	}
	if plan.Status == apply.Partial {
		m.Runs = append(m.Runs, done.Run)
		m.Reply.Written()
	}
	again := func(a retry.Attempt) bool { return a.Again }
	m.Reply.Attempts = slices.DeleteFunc(m.Reply.Attempts, again)
	return m.store(t)
}

func (m *memory) store(t *tree) error {
	m.Version = memoryVersion
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return t.Remember(text)
}

// errTellModel is the next step after a reply without edits.
var errTellModel = errors.New("in a new chat, " +
	"begin with the instructions that srpatch prompt prints")

// withoutEdits adds the next step to the error about a reply without edits that is only looked at.
func (c *command) withoutEdits(err error) error {
	if code(err) != string(failure.NoEdits) || c.past != nil || c.notReply() != "" {
		return err
	}
	return errors.Join(err, errTellModel)
}

// afterNoEdits remembers a reply without edits, and says what to do about it.
func (c *command) afterNoEdits(ctx context.Context, u *understood, write bool, done *report.Run) error {
	next := []error{errTellModel}
	t, err := c.openTree(u)
	if err != nil {
		return next[0]
	}
	defer c.progress.clear()
	defer t.Close()
	if write && c.prepare(ctx, t, true) == nil {
		done.Remembered = c.settleMemory(t, u, &apply.Plan{Status: apply.Refused}, done)
	}
	if done.Remembered {
		next = append(next, fmt.Errorf("to ask the model for blocks, run srpatch retry%[1]s; "+
			"to apply its answer, save it and run srpatch retry%[1]s FILE", c.inTree()))
	}
	if len(u.whole.Blocks) > 0 {
		if plan, err := c.planOn(ctx, t, &u.whole); err == nil && plan.Status == apply.Applied {
			run := "srpatch" + c.inTree() + " --whole-files"
			for _, name := range c.args {
				run += " " + shellWord(name)
			}
			next = append(next, errors.New("to write the files that the reply gives in full, run "+run))
		}
	}
	slices.Reverse(next)
	return errors.Join(next...)
}

// absolute returns the names of files, without those of streams.
func absolute(names []string) (out []string) {
	for _, name := range names {
		if abs, err := filepath.Abs(name); err == nil && name != "" {
			out = append(out, abs)
		}
	}
	return out
}

// sum returns the hash of what was read, in hexadecimal.
func (u *understood) sum() string { return sumOf(u.hash) }

func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// hashOfAll combines the hashes of a reply and its answers.
func hashOfAll(sums []string) hash.Hash {
	h := sha256.New()
	fmt.Fprint(h, "retry", sums)
	return h
}
