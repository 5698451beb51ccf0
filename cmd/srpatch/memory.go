package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"maps"
	"path/filepath"
	"slices"

	"github.com/srpatch/srpatch/apply"
	"github.com/srpatch/srpatch/apply/report"
	"github.com/srpatch/srpatch/apply/retry"
	"github.com/srpatch/srpatch/apply/workspace"
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

// WasAmbiguous implements [apply.Witness]. Beyond what the workspace knows, search was ambiguous if
// the refused run that is remembered had a block with this SEARCH, ignoring blanks around it, that
// fitted several places of the file. It doesn't matter whether the file has changed since.
func (t *tree) WasAmbiguous(path string, search []byte) bool {
	m := t.remembered()
	return t.Workspace.WasAmbiguous(path, search) ||
		m != nil && slices.ContainsFunc(m.Reply.Blocks, func(b parser.Block) bool {
			return m.Ambiguous[b.ID] == path &&
				bytes.Equal(bytes.TrimSpace(b.Search), bytes.TrimSpace(search))
		})
}

// refused returns the refused run of the tree, and its text as it was remembered, or nil if there is
// none.
func (t *tree) refused() (m *memory, text []byte, err error) {
	if text, err = t.Remembered(); err != nil || text == nil {
		return nil, nil, err
	}
	m = &memory{}
	switch err := json.Unmarshal(text, m); {
	case m.Version > memoryVersion:
		return nil, nil, codef(failure.Code(workspace.JournalVersion),
			"the refused run was recorded by a newer srpatch; apply the reply again")
	case err != nil || m.Reply == nil:
		return nil, nil, fmt.Errorf("the record of the refused run cannot be read: %w; "+
			"apply the reply again", cmp.Or(err, errors.New("it has no reply")))
	}
	return m, text, nil
}

// remembered returns the refused run of the tree, or nil if there is none or it can't be read.
func (t *tree) remembered() *memory {
	m, _, _ := t.refused()
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

// heldFlags returns the values, as JSON, of the flags that were given and hold for a retry.
func (c *invocation) heldFlags() (map[string]json.RawMessage, error) {
	held := map[string]json.RawMessage{}
	for _, f := range flags(&c.config) {
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

// holdFlags makes p the run that is retried, and sets the flags that it had, unless this command
// line gives them anew. It fails if this version doesn't know one of the flags.
func (c *input) holdFlags(p *past) error {
	c.past = p
	held := maps.Clone(p.Flags)
	for _, f := range flags(&c.config) {
		value, ok := held[f.name]
		if !ok || !retryable(&f) {
			continue
		}
		delete(held, f.name)
		if c.given[f.name] {
			continue
		}
		denied := slices.Clone(c.deny) // by the file of flags; Unmarshal may write over it
		if err := json.Unmarshal(value, f.target); err != nil {
			return fmt.Errorf("--%s of the refused run: %w", f.name, err)
		}
		if f.name == "deny" { // what that file denies stays denied
			c.deny = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.deny, denied))))
		}
		c.given[f.name] = true
	}
	for name := range held { // no flag of this version
		return fmt.Errorf("the refused run had --%s, which is unknown here; apply the reply again",
			name)
	}
	return c.validate()
}

// settleMemory updates what is remembered for a retry after a run that may have written files. It
// remembers a run that was refused, fully or in part, and forgets one that is done. u is what was
// read, and done is the report of the run. It returns whether this run can be retried. If the
// memory can't be written, it says so on stderr.
func (c *command) settleMemory(
	t *tree, u *understood, plan *apply.Plan, done *report.Run,
) (canRetry bool) {
	if c.noJournal {
		return false
	}
	var err error
	// If a check has failed, every answer is about that.
	retriesRefusal := c.past != nil && c.past.Verify == nil && done.Verify == nil
	switch {
	case plan.Status == apply.Refused && retriesRefusal && !c.past.isAbout(plan):
		// the answer is about something else: keep what is remembered
	case plan.Status != apply.Applied:
		err = c.remember(t, u, plan, done)
	case c.past != nil: // the retry has applied the rest
		err = t.Remember(nil)
	default:
		err = c.updateEarlier(t, u, plan, done.Run)
	}
	if err != nil {
		c.say("the run cannot be retried: %s", report.Clean(diagnosis.Words(err)))
	}
	return err == nil && plan.Status != apply.Applied
}

// updateEarlier updates the memory of an earlier refused run after this run, which isn't a retry,
// has applied all of its blocks. run is the name of this run, or "" if it wrote nothing.
//
// If this run has applied the remembered reply, whose file may have been edited since, or if the
// remembered reply had no edits, updateEarlier forgets it. If only some blocks of the remembered
// reply were applied, it records that these are written. If the remembered reply is another one for
// the same files, it says so once: models often send only their corrections, and without retry the
// other edits are lost.
func (c *command) updateEarlier(t *tree, u *understood, plan *apply.Plan, run string) error {
	known := t.remembered()
	if known == nil {
		return nil
	}
	sameText := slices.Contains(known.Hashes, u.hash)
	sameFiles := len(known.Names) > 0 && slices.Equal(known.Names, absolute(u.names))
	choseBlocks := len(c.only) > 0 || c.interactive || c.confirm
	switch {
	case choseBlocks && (run == "" || !sameText): // of another reply, or nothing is written
		return nil
	case choseBlocks && !known.Reply.WroteBlocks(u.Blocks): // other blocks are left
		known.Runs = append(known.Runs, run)
		return known.store(t)
	case choseBlocks || sameText || sameFiles || known.isEmpty():
		return t.Remember(nil)
	}
	hasPath := func(b apply.BlockReport) bool { // of a remembered block
		return slices.ContainsFunc(known.Reply.Blocks, func(k parser.Block) bool {
			return k.Path == b.Path
		})
	}
	if known.Told || c.quiet || !slices.ContainsFunc(plan.Blocks, hasPath) {
		return nil
	}
	c.say("an earlier reply for the same files was refused; "+
		"if this one answers it, srpatch retry%[1]s FILE applies both together "+
		"(srpatch retry%[1]s --forget drops the earlier one)", c.inTree())
	known.Told = true
	return known.store(t)
}

// remember keeps a run for its retry: the reply, its flags and blocks, and which of them are
// written. If this run is itself a retry, it keeps the first reply, which now includes the answer's
// blocks. It drops those attempts of the answer that only repeat one that wasn't understood.
func (c *command) remember(t *tree, u *understood, plan *apply.Plan, done *report.Run) (err error) {
	m := memory{Hashes: append(u.replies, u.hash), Names: absolute(u.names), Verify: done.Verify}
	if m.Reply = retry.From(&u.Reply, u.located); c.past != nil {
		m.Reply, m.Names, m.Hashes, m.Runs = c.past.Reply, c.past.Names, c.past.Hashes, c.past.Runs
	}
	if m.Flags, err = c.heldFlags(); err != nil {
		return err
	}
	m.Reply.Blocks, m.Ambiguous = nil, map[int]string{}
	for i := range plan.Blocks { // without those that the user has declined, with -i or --confirm
		b := &plan.Blocks[i]
		m.Reply.Blocks = append(m.Reply.Blocks, *b.Block)
		if b.Reason == apply.Ambiguous { // one of its places may be edited before the next run
			m.Ambiguous[b.ID] = b.Path
		}
	}
	if c.past == nil { // otherwise change has already done so
		m.Reply.Planned(plan)
	}
	if plan.Status == apply.Partial {
		m.Runs = append(m.Runs, done.Run)
		m.Reply.Written()
	}
	again := func(a report.Located) bool { return a.Again }
	m.Reply.Attempts = slices.DeleteFunc(slices.Clone(m.Reply.Attempts), again)
	return m.store(t)
}

// store remembers m for the tree, in place of what was remembered before.
func (m *memory) store(t *tree) error {
	m.Version = memoryVersion
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return t.Remember(text)
}

// afterNoEdits returns the next steps after a reply without edits, as an error that is joined from
// them. If write is set, it also remembers the reply for a retry, and sets done.Remembered if that
// succeeds.
func (c *command) afterNoEdits(ctx context.Context, u *understood, write bool, done *report.Run) error {
	t, err := c.openTree(u)
	if err != nil {
		return nil
	}
	defer t.Close()
	if write && c.prepare(ctx, t, write) == nil {
		done.Remembered = c.settleMemory(t, u, &apply.Plan{Status: apply.Refused}, done)
	}
	var next []error
	if len(u.whole.Blocks) > 0 {
		if plan, err := c.planOn(ctx, t, &u.whole); err == nil && plan.Status == apply.Applied {
			next = append(next, errors.New("to write the files that the reply gives in full, add --whole-files"))
		}
	}
	if done.Remembered {
		next = append(next, fmt.Errorf("to ask the model for blocks, run srpatch retry%[1]s; "+
			"to apply its answer, save it and run srpatch retry%[1]s FILE", c.inTree()))
	}
	return errors.Join(next...)
}

// absolute returns the absolute names of files, without "", which is standard input.
func absolute(names []string) (out []string) {
	for _, name := range names {
		if abs, err := filepath.Abs(name); err == nil && name != "" {
			out = append(out, abs)
		}
	}
	return out
}

// sumOf returns a hash in hexadecimal.
func sumOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
